/// <reference lib="dom" />
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { launch, type Browser, type ElementHandle, type Frame, type Page } from 'puppeteer-core'
import { CHROMIUM, FIREFOX_PROGRAM } from './browser-programs.ts'

export type BrowserName = 'chromium' | 'firefox'

/**
 * Debian's own browsers, both driven by the same protocol. The settings keep them from contacting their makers.
 * `apart`: Firefox with a process per site, as people have it. The driver wants one process for all, because its mouse
 * does not reach into a page of another process; but then a page that hangs also stops its frame.
 */
export async function launchBrowser(name: BrowserName, { apart = false } = {}): Promise<Browser> {
  return endingSurely(
    name === 'chromium'
      ? await launch({ ...CHROMIUM, headless: true, defaultViewport: null })
      : await launchFirefox(apart),
  )
}

/**
 * The driver also turns the screen, by a command that Firefox 140 does not know; it has the right size all the same.
 */
export async function setSize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewport(size).catch((error: Error) => {
    if (!error.message.includes('setScreenOrientationOverride')) throw error
  })
  await until(page, ({ width, height }) => innerWidth === width && innerHeight === height, [size])
}

const UNTIL_MS = 15_000

/**
 * Not the driver's own waiting: it compiles a function in the page, which our policy forbids; only newer Firefoxes
 * allow it for a driver.
 */
export async function until<Args extends readonly unknown[]>(
  where: Page | Frame,
  isSo: (...args: Args) => boolean,
  args: Args,
  timeoutMs = UNTIL_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (let found: unknown = false; found !== true;) {
    // A page that is just being loaded cannot be asked.
    found = await where
      .evaluate(isSo as unknown as (...given: unknown[]) => boolean, ...args)
      .catch((error: Error) => error)
    if (found === true) return
    if (Date.now() > deadline) throw new Error(`not so within ${timeoutMs} ms: ${isSo.toString()}`, { cause: found })
    await delay(50)
  }
}

/**
 * A real click on something that the desktop shows. The driver's own click asks Firefox where the frame is, in a way
 * that Firefox 140 does not know.
 */
export async function clickIn(page: Page, found: ElementHandle | null, count = 1): Promise<void> {
  if (found === null) throw new Error('there is nothing to click at')
  const middle = (one: Element) => {
    one.scrollIntoView({ block: 'nearest' })
    const { x, y, width, height } = one.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  }
  const inside = await found.evaluate(middle)
  const frame = await page.$eval('iframe', (one) => ({
    x: one.getBoundingClientRect().x,
    y: one.getBoundingClientRect().y,
  }))
  await page.mouse.click(frame.x + inside.x, frame.y + inside.y, { count })
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
  // The driver always sets this itself, so our value is appended to the file when the program starts: the last one
  // counts.
  const setting = `user_pref("fission.webContentIsolationStrategy", ${apart ? 1 : 0});`
  writeFileSync(program, `#!/bin/sh\necho '${setting}' >> '${profile}/user.js'\nexec ${FIREFOX_PROGRAM} "$@"\n`, {
    mode: 0o755,
  })
  const browser = await launch({
    browser: 'firefox',
    executablePath: program,
    headless: true,
    defaultViewport: null, // See setSize.
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
