import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Browser } from 'puppeteer-core'

export type BrowserName = 'chromium' | 'firefox'

/**
 * Debian's own browsers, both driven by the same protocol. The settings keep them from calling home.
 * `apart`: Firefox with a process per site, as people have it. The driver wants one for all, because its mouse does not reach into a page of another
 * process; but then a page that hangs takes its frame along.
 */
export function launchBrowser(name: BrowserName, { apart = false } = {}): Promise<Browser> {
  if (name === 'chromium')
    return launch({
      executablePath: '/usr/bin/chromium',
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--no-first-run',
      ],
    })
  return launchFirefox(apart)
}

async function launchFirefox(apart: boolean): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'choir-firefox-'))
  const program = join(profile, 'firefox')
  // The driver sets it whatever we say, so the last word is put into the file when the program starts.
  const setting = `user_pref("fission.webContentIsolationStrategy", ${apart ? 1 : 0});`
  writeFileSync(program, `#!/bin/sh\necho '${setting}' >> '${profile}/user.js'\nexec /usr/bin/firefox-esr "$@"\n`, { mode: 0o755 })
  const browser = await launch({
    browser: 'firefox',
    executablePath: program,
    headless: true,
    userDataDir: profile,
    extraPrefsFirefox: {
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'app.update.auto': false,
      'services.settings.server': '',
      'datareporting.policy.dataSubmissionEnabled': false,
      'browser.safebrowsing.malware.enabled': false,
    },
  })
  browser.process()?.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 3 }))
  return browser
}
