import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Browser } from 'puppeteer-core'

export type BrowserName = 'chromium' | 'firefox'

/** Debian's own browsers, both driven by the same protocol. The settings keep them from calling home. */
export function launchBrowser(name: BrowserName): Promise<Browser> {
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
  return launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    headless: true,
    userDataDir: mkdtempSync(join(tmpdir(), 'choir-firefox-')),
    extraPrefsFirefox: {
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'app.update.auto': false,
      'services.settings.server': '',
      'datareporting.policy.dataSubmissionEnabled': false,
      'browser.safebrowsing.malware.enabled': false,
    },
  })
}
