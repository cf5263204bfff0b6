/// <reference lib="dom" />
import { readdirSync, readFileSync } from 'node:fs'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choir } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'

/** No process has this number: to kill it is an error, where 0 would be everyone here. */
const NONE = 2 ** 30
const SEEN = { timeout: 30_000, interval: 200 }

/** The process that holds the desk of this home: the first of those that see the computer's files as `/desk`. */
function deskProcess(home: string): number {
  const holds = (pid: number) => {
    try {
      const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n')
      return mounts.some((line) => line.includes(home) && line.includes(' /desk '))
    } catch {
      return false // It has ended meanwhile.
    }
  }
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.toSorted((one, other) => one - other).find(holds) ?? NONE
}

/** Runs in the page: a ping by request comes back through the connection for hot updates. As text, because the test runner rewrites `import`. */
const HOT_UPDATES_ARRIVE = `import('/@vite/client').then(({ createHotContext }) => new Promise((resolve) => {
  createHotContext('/test').on('choir:pong', () => resolve(true))
  fetch('/@choir/ping?id=test').catch(() => null)
  setTimeout(() => resolve(false), 1000)
}))`

describe('the desk is killed under an open page', { timeout: 90_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page
  let desktop: FrameLocator
  let log: ReturnType<typeof lookAt>
  const mark = () => page.frames()[1]?.evaluate(() => (globalThis as { choirMark?: string }).choirMark)
  const label = (text: string) => desktop.getByRole('toolbar', { name: text, exact: true })
  const rename = async (text: string) => {
    const code = await log.cat('app/shell/taskbar.tsx')
    await choir(home, ['write', 'app/shell/taskbar.tsx'], code.replace(/aria-label="Taskbar[^"]*"/, `aria-label="${text}"`))
  }
  const killDesk = async () => {
    const before = deskProcess(home)
    process.kill(before, 'SIGKILL')
    await expect.poll(() => ![before, NONE].includes(deskProcess(home)), SEEN).toBe(true)
    // When it knows what the page holds, its pings arrive there again.
    await expect.poll(() => page.frames()[1]?.evaluate(HOT_UPDATES_ARRIVE), SEEN).toBe(true)
  }

  beforeAll(async () => {
    home = temporaryFolder()
    log = lookAt(home)
    running = await startAll(home)
    await choir(home, ['write', 'artifacts/letter.md'], '')
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    desktop = page.frameLocator('iframe[title="Desktop"]')
    await page.goto(running.link)
    await label('Taskbar').getByRole('button', { name: 'Files', exact: true }).click()
    await desktop.getByRole('dialog', { name: /Files/ }).getByText('letter.md').dblclick()
    await desktop
      .getByRole('dialog', { name: /letter\.md/ })
      .getByRole('textbox')
      .first()
      .click()
    await page.frames()[1]?.evaluate(() => Object.assign(globalThis, { choirMark: 'same page' }))
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  test('the page does not load again, what is typed stays, and later changes still arrive in it', async () => {
    await rename('Taskbar one') // Updated once before: the new desk must know that the page holds this version.
    await label('Taskbar one').waitFor()
    await page.keyboard.type('Typed before. ')
    await killDesk()
    await page.keyboard.type('Typed while it was away. ')
    await rename('Taskbar two')
    await label('Taskbar two').waitFor()
    await page.keyboard.type('Typed after.')
    const text = 'Typed before. Typed while it was away. Typed after.'
    await expect.poll(() => log.cat('artifacts/letter.md'), SEEN).toBe(text)
    expect(await mark()).toBe('same page')
  })

  test('it also survives a second time, after an update of what another module imports', async () => {
    const desktopCode = await log.cat('app/shell/desktop.tsx')
    await killDesk()
    await choir(home, ['write', 'app/shell/desktop.tsx'], desktopCode.replace('className="desktop"', 'className="desktop" data-second=""'))
    await desktop.locator('[data-second]').waitFor()
    await label('Taskbar two').waitFor()
    expect(await mark()).toBe('same page')
  })

  test('a change made while it was away loads the page again, and nothing typed is lost', async () => {
    await page.keyboard.type(' Still here.')
    await expect.poll(() => log.cat('artifacts/letter.md'), SEEN).toContain('Still here.')
    process.kill(deskProcess(home), 'SIGKILL')
    await rename('Taskbar three')
    await label('Taskbar three').waitFor()
    await expect
      .poll(
        () =>
          desktop
            .getByRole('dialog', { name: /letter\.md/ })
            .getByRole('textbox')
            .first()
            .inputValue(),
        SEEN,
      )
      .toContain('Still here.')
  })
})
