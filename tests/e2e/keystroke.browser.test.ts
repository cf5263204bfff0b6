/// <reference lib="dom" />
import type { Browser, FrameLocator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'

const SOON = { timeout: 20_000, interval: 50 }
const PATH = 'artifacts/a.md'

describe('what a keystroke costs, and what Undo then names', { timeout: 90_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page
  let desktop: FrameLocator
  const sent: string[] = []
  const next = () => page.locator('#next').textContent()
  const cat = () => lookAt(home).cat(PATH)
  const paper = () => desktop.getByRole('textbox', { name: 'a.md' })
  /** A letter, and the time that a computer and both pages have for it. */
  const letter = async (key: string) => {
    const before = await cat()
    await page.keyboard.press(key)
    await expect.poll(cat, SOON).not.toBe(before)
    await page.waitForTimeout(600)
  }

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    await choirHere(home, ['write', PATH], 'one\n')
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.on('request', (request: Request) => {
      if (!new URL(request.url()).pathname.endsWith('/command')) return
      const { command } = JSON.parse(request.postData() ?? '{}') as { command: string }
      // The frame looks for those by the clock, whether or not anybody types.
      if (command !== 'computer.list') sent.push(command)
    })
    await page.goto(await lookAt(home).link())
    desktop = page.frameLocator('iframe[title="Desktop"]')
    await desktop.getByRole('toolbar', { name: 'Taskbar' }).getByRole('button', { name: 'Files', exact: true }).click()
    await desktop.getByRole('row').filter({ hasText: 'a.md' }).dblclick()
    await paper().click()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  test('one command, on whatever page it is heard', async () => {
    await letter('a')
    await expect.poll(next, SOON).toBe('Undo: Typing in “a.md”')
    sent.length = 0
    for (const key of ['b', 'c', 'd', 'e']) await letter(key)
    expect(sent).toEqual(['files.change', 'files.change', 'files.change', 'files.change'])
    expect(await next()).toBe('Undo: Typing in “a.md”')
  })

  test('a hand that never rests is saved all the same', async () => {
    const before = await cat()
    for (let typed = 0; typed < 30; typed++) {
      await page.keyboard.press('x')
      await page.waitForTimeout(100)
    }
    expect(await cat()).not.toBe(before)
    await expect.poll(cat, SOON).toBe(`${before}${'x'.repeat(30)}`)
  })

  test('what was done while the button still named something else is asked about, not taken back', async () => {
    await expect.poll(next, SOON).toBe('Undo: Typing in “a.md”')
    const typed = await cat()
    // The frame hears of it late: until then its button names what was typed.
    await page.route('**/command', (route) =>
      route.request().postData()?.includes('"next"') === true ? undefined : route.continue(),
    )
    await choirHere(home, ['write', 'artifacts/b.txt'], 'new\n')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.unroute('**/command')
    const asked = page.getByRole('alertdialog', { name: 'Something else was done meanwhile' })
    await asked.getByText('Take back: Added “b.txt”').waitFor()
    expect([await lookAt(home).cat('artifacts/b.txt'), await cat()]).toEqual(['new\n', typed])
    await asked.getByRole('button', { name: 'Take it back' }).click()
    await expect.poll(next, SOON).toBe('Undo: Typing in “a.md”')
    expect(await cat()).toBe(typed)
  })
})
