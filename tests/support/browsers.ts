import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { launch, type Browser } from 'puppeteer-core'
import { CHROMIUM } from './chromium.ts'

export type BrowserName = 'chromium' | 'firefox'

/**
 * Debian's own browsers, both driven by the same protocol. The settings keep them from calling home.
 * `apart`: Firefox with a process per site, as people have it. The driver wants one for all, because its mouse does not reach into a page of another
 * process; but then a page that hangs takes its frame along.
 */
export async function launchBrowser(name: BrowserName, { apart = false } = {}): Promise<Browser> {
  return endingSurely(name === 'chromium' ? await launch({ ...CHROMIUM, headless: true }) : await launchFirefox(apart))
}

const CLOSE_MS = 10_000

/** A page that hangs must not keep its browser, and with it the whole test, from ending. */
function endingSurely(browser: Browser): Browser {
  const close = browser.close.bind(browser)
  browser.close = async () => {
    await Promise.race([close().catch(() => {}), delay(CLOSE_MS)])
    browser.process()?.kill('SIGKILL')
  }
  return browser
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
