/// <reference lib="dom" />
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choir } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'

const ACCENT = 'artifacts/system/accent.json'

/** A person at the desktop, in a real browser, through the real front door, gateway and sandbox. */
describe('the desktop', { timeout: 90_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page
  let desktop: FrameLocator

  const taskbar = () => desktop.getByRole('toolbar', { name: 'Taskbar' })
  const colour = () => desktop.locator('html').evaluate((root) => getComputedStyle(root).getPropertyValue('--accent').trim())
  const write = (path: string, text: string) => choir(home, ['write', path], text)

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    desktop = page.frameLocator('iframe[title="Desktop"]')
    await page.goto(running.link)
    await taskbar().waitFor()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  test('a change of a look is seen in the open page without a reload, and undone and redone from the frame', async () => {
    await page.frames()[1]?.evaluate(() => Object.assign(globalThis, { choirMark: 'same page' }))
    const before = await colour()
    await write(ACCENT, '{"accent":"#1f8a8a"}\n')
    await expect.poll(colour).toBe('#1f8a8a')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(colour).toBe(before)
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect.poll(colour).toBe('#1f8a8a')
    expect(await page.frames()[1]?.evaluate(() => (globalThis as { choirMark?: string }).choirMark)).toBe('same page')
  })

  test('the desktop’s own code is rewritten under someone who types, and not a character is lost', async () => {
    await write('artifacts/letter.md', '')
    await taskbar().getByRole('button', { name: 'Files' }).first().click()
    const files = desktop.getByRole('dialog', { name: /Files/ })
    await files.getByText('letter.md').dblclick()
    const paper = desktop
      .getByRole('dialog', { name: /letter\.md/ })
      .getByRole('textbox')
      .first()
    await paper.waitFor()
    await paper.click()
    const text = 'The quick brown fox jumps over the lazy dog, and then it does so again.'
    const typing = paper.pressSequentially(text, { delay: 25 })
    const original = (await choir(home, ['cat', 'app/shell/taskbar.tsx'])).text
    for (const label of ['Taskbar one', 'Taskbar two'])
      await write('app/shell/taskbar.tsx', original.replace('aria-label="Taskbar"', `aria-label="${label}"`))
    await desktop.getByRole('toolbar', { name: 'Taskbar two' }).waitFor()
    await typing
    expect(await paper.inputValue()).toBe(text)
    await expect.poll(async () => (await choir(home, ['cat', 'artifacts/letter.md'])).text).toBe(text)
    await write('app/shell/taskbar.tsx', original)
    await taskbar().waitFor()
  })

  test('two windows on one computer see each other’s text within a moment', async () => {
    const second = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await second.goto((await choir(home, ['link'])).text.trim())
    const other = second
      .frameLocator('iframe[title="Desktop"]')
      .getByRole('dialog', { name: /letter\.md/ })
      .getByRole('textbox')
      .first()
    await other.waitFor()
    const own = desktop
      .getByRole('dialog', { name: /letter\.md/ })
      .getByRole('textbox')
      .first()
    await own.press('Control+Home')
    await own.pressSequentially('Dear reader,\n')
    await expect.poll(() => other.inputValue()).toContain('Dear reader,')
    await second.close()
  })

  test('the layout is there again after a reload, and the log replays to the same', async () => {
    await page.reload()
    await taskbar().waitFor()
    await desktop.getByRole('dialog', { name: /letter\.md/ }).waitFor()
    await desktop.getByRole('dialog', { name: /Files/ }).waitFor()
    await expect.poll(colour).toBe('#1f8a8a')
    expect((await choir(home, ['replay', '--json'])).json()).toMatchObject({ matches: true })
    expect((await choir(home, ['verify', '--json'])).json()).toMatchObject({ ok: true })
  })

  test('the desktop’s page cannot reach the frame, its cookies, or anything outside', async () => {
    const frame = page.frames()[1]
    expect(await frame?.evaluate(() => document.cookie)).toBe('')
    expect(
      await frame?.evaluate(() => {
        try {
          return String((parent as { document?: unknown }).document)
        } catch (error) {
          return (error as Error).name
        }
      }),
    ).toBe('SecurityError')
    expect(
      await frame?.evaluate(
        (port) =>
          fetch(`http://localhost:${port}/command`, { method: 'POST', body: '{}' }).then(
            () => 'sent',
            () => 'refused',
          ),
        running.port,
      ),
    ).toBe('refused')
    expect(
      await frame?.evaluate(() =>
        fetch('http://127.0.0.1:9/').then(
          () => 'sent',
          () => 'refused',
        ),
      ),
    ).toBe('refused')
  })
})
