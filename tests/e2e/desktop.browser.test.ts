/// <reference lib="dom" />
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'

const ACCENT = 'artifacts/system/accent.json'
const PARTS = fileURLToPath(new URL('../../desktop/parts/', import.meta.url))

/** A person at the desktop, in a real browser, through the real front door, gateway and sandbox. */
const SEEN = { timeout: 20_000, interval: 50 }

describe('the desktop', { timeout: 90_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page
  let desktop: FrameLocator

  const taskbar = () => desktop.getByRole('toolbar', { name: 'Taskbar' })
  const colour = () =>
    desktop.locator('html').evaluate((root) => getComputedStyle(root).getPropertyValue('--accent').trim())
  const write = (path: string, text: string) => choirHere(home, ['write', path], text)

  /** What a recipe does: a part's files under a name of their own. */
  const install = async (part: string, folder: string, id: string, title: string) => {
    for (const file of readdirSync(`${PARTS}${part}`)) {
      const text = readFileSync(`${PARTS}${part}/${file}`, 'utf8')
        .replaceAll('part-id', id)
        .replaceAll('Part title', title)
      await write(`${folder}/${id}/${file}`, text)
    }
  }
  const markPage = () => page.frames()[1]?.evaluate(() => Object.assign(globalThis, { choirMark: 'same page' }))
  const pageMark = () => page.frames()[1]?.evaluate(() => (globalThis as { choirMark?: string }).choirMark)
  const prompt = () => desktop.getByRole('textbox', { name: 'Ask ChoirOS' })

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

  test('a change of a look is seen in the open page without a reload, and so are its undo and redo', async () => {
    await markPage()
    const before = await colour()
    await write(ACCENT, '{"accent":"#1f8a8a"}\n')
    await expect.poll(colour, SEEN).toBe('#1f8a8a')
    await choirHere(home, ['undo'])
    await expect.poll(colour, SEEN).toBe(before)
    await choirHere(home, ['redo'])
    await expect.poll(colour, SEEN).toBe('#1f8a8a')
    expect(await pageMark()).toBe('same page')
  })

  test('the menu asks for what a form says, by keys alone, and Escape closes what is on top first', async () => {
    await prompt().press('Control+k')
    const opener = desktop.getByRole('button', { name: 'What can I ask for?' })
    const menu = desktop.getByRole('dialog', { name: 'What can I ask for?' })
    await opener.press('Enter')
    await menu.getByRole('searchbox').fill('accent')
    await menu.getByRole('button', { name: 'Accent' }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await menu.getByRole('searchbox').waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await menu.getByRole('button', { name: 'Accent' }).first().click()
    await menu.getByRole('radio', { name: 'Violet' }).check({ force: true })
    await page.keyboard.press('Enter')
    await expect.poll(colour, { timeout: 15_000 }).toBe('#8b6fd6')
    await desktop.getByRole('status').filter({ hasText: /\S/ }).waitFor()
    // Who clicks before the button names it is asked first.
    await expect.poll(() => page.locator('#undo').getAttribute('title'), SEEN).toMatch(/8b6fd6/)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(colour, SEEN).toBe('#1f8a8a')
    await expect.poll(() => desktop.locator('.progress').innerText()).toContain('undone since')
    await prompt().press('Escape')
    await expect.poll(() => desktop.locator('.progress').innerText()).toBe('')
  })

  test('each setting is a file; one that makes no sense counts as not set', async () => {
    const root = () =>
      desktop.locator('html').evaluate((html) => ({
        theme: (html as HTMLElement).dataset['theme'],
        fontSize: getComputedStyle(html).fontSize,
        ground: getComputedStyle(html).getPropertyValue('--ground'),
        wallpaper: html.querySelector<HTMLElement>('.wallpaper')?.dataset['name'],
        barIsOnTop: (html.querySelector('[role=toolbar]')?.getBoundingClientRect().top ?? 99) < 10,
      }))
    const usual = { theme: 'dark', fontSize: '14px', ground: '#121214', wallpaper: 'plain', barIsOnTop: false }
    expect(await root()).toEqual(usual)
    await write('artifacts/system/theme.json', '{"theme":"light"}')
    await write('artifacts/system/font-size.json', '{"fontSize":18}')
    await write('artifacts/system/wallpaper.json', '{"wallpaper":"dunes"}')
    await write('artifacts/system/taskbar.json', '{"position":"top"}')
    await expect
      .poll(root, SEEN)
      .toEqual({ theme: 'light', fontSize: '18px', ground: '#ebe7de', wallpaper: 'dunes', barIsOnTop: true })
    await write('artifacts/system/font-size.json', '{"fontSize":4000}')
    await write('artifacts/system/taskbar.json', 'not JSON')
    await expect
      .poll(root, SEEN)
      .toEqual({ theme: 'light', fontSize: '14px', ground: '#ebe7de', wallpaper: 'dunes', barIsOnTop: false })
    await choirHere(home, ['rm', 'artifacts/system/theme.json'])
    await choirHere(home, ['rm', 'artifacts/system/wallpaper.json'])
    await expect.poll(root, SEEN).toEqual(usual)
  })

  test.runIf(IS_LONG_LANE)('a light desktop is never dark while it loads', async () => {
    await write('artifacts/system/theme.json', '{"theme":"light"}')
    const second = await browser.newPage({ colorScheme: 'dark' })
    await second.addInitScript(() => {
      const seen: string[] = []
      Object.assign(globalThis, { choirThemes: seen })
      new MutationObserver(() => seen.push(document.documentElement.dataset['theme'] ?? '')).observe(document, {
        attributes: true,
        attributeFilter: ['data-theme'],
        subtree: true,
      })
    })
    await second.goto((await choirHere(home, ['link'])).text.trim())
    await second.frameLocator('iframe').getByRole('toolbar', { name: 'Taskbar' }).waitFor()
    const seen = await second.frames()[1]?.evaluate(() => (globalThis as { choirThemes?: string[] }).choirThemes)
    expect([...new Set(seen)]).toEqual(['light'])
    await second.close()
    await choirHere(home, ['rm', 'artifacts/system/theme.json'])
  })

  test('a widget comes, changes, breaks and goes in the open page, and what is typed stays', async () => {
    await markPage()
    await prompt().fill('half a wish')
    await install('widgets/clock', 'app/widgets', 'clock', 'Clock')
    const widget = (text: string | RegExp) => taskbar().locator('.widgets').getByText(text)
    await widget(/^\d\d:\d\d$/).waitFor()
    const clock = (await choirHere(home, ['cat', 'app/widgets/clock/widget.tsx'])).text
    await write('app/widgets/clock/widget.tsx', clock.replace('const SECONDS = false', 'const SECONDS = true'))
    await widget(/^\d\d:\d\d:\d\d$/).waitFor()
    await write('app/widgets/broken/widget.tsx', 'export default {{{')
    await write(
      'app/widgets/thrower/widget.tsx',
      clock.replaceAll("'clock'", "'thrower'").replace('const time =', 'throw new Error("no");const time ='),
    )
    await widget('Clock stopped working').waitFor()
    await widget(/^\d\d:\d\d:\d\d$/).waitFor()
    await write('app/widgets/broken/widget.tsx', clock.replace(/return <time.*/, 'return <b>{text.length} mended</b>'))
    await widget('5 mended').waitFor()
    await choirHere(home, ['rm', 'app/widgets'])
    await expect.poll(() => taskbar().locator('.widgets').count()).toBe(0)
    expect([await pageMark(), await prompt().inputValue()]).toEqual(['same page', 'half a wish'])
    await prompt().fill('')
  })

  test('a new app is found in the open page, and two pages that add to its list at once keep everything', async () => {
    await install('apps/todo', 'app/apps', 'shopping-list', 'Shopping list')
    await taskbar().getByRole('button', { name: 'Shopping list' }).first().click()
    const second = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await second.goto((await choirHere(home, ['link'])).text.trim())
    const lists = [desktop, second.frameLocator('iframe')].map((one) =>
      one.getByRole('dialog', { name: 'Shopping list' }),
    )
    const names = [
      ['milk', 'bread', 'salt'],
      ['apples', 'rice', 'tea'],
    ]
    await Promise.all(
      lists.map(async (list, index) => {
        for (const name of names[index] ?? []) {
          await list.getByRole('textbox', { name: 'New item' }).fill(name)
          await list.getByRole('textbox', { name: 'New item' }).press('Enter')
        }
      }),
    )
    const shown = async (list: (typeof lists)[number]) =>
      (await list.getByRole('listitem').locator('label').allInnerTexts()).sort()
    for (const list of lists) await expect.poll(() => shown(list)).toEqual(names.flat().sort())
    await lists[0]?.getByRole('checkbox', { name: 'milk' }).check()
    await lists[1]?.getByRole('button', { name: 'Delete tea' }).click()
    for (const list of lists) await expect.poll(() => list.getByRole('status').innerText()).toBe('4 to do, 1 done')
    const stored = (await choirHere(home, ['cat', 'artifacts/shopping-list.json'])).json() as {
      items: Record<string, { text: string; done: boolean }>
    }
    expect(
      Object.values(stored.items)
        .map(({ text, done }) => `${text} ${done}`)
        .sort(),
    ).toEqual(['apples false', 'bread false', 'milk true', 'rice false', 'salt false'])
    await second.close()
    await desktop.getByRole('button', { name: 'Close Shopping list' }).click()
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
    const original = (await choirHere(home, ['cat', 'app/shell/taskbar.tsx'])).text
    for (const label of ['Taskbar one', 'Taskbar two'])
      await write('app/shell/taskbar.tsx', original.replace('aria-label="Taskbar"', `aria-label="${label}"`))
    await desktop.getByRole('toolbar', { name: 'Taskbar two' }).waitFor()
    await typing
    expect(await paper.inputValue()).toBe(text)
    await expect
      .poll(async () => (await choirHere(home, ['cat', 'artifacts/letter.md'])).text, { timeout: 10_000 })
      .toBe(text)
    await write('app/shell/taskbar.tsx', original)
    await taskbar().waitFor()
  })

  test('two windows on one computer see each other’s text within a moment', async () => {
    const second = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await second.goto((await choirHere(home, ['link'])).text.trim())
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

  test('the layout and an unsent wish are there again after a reload, and the log replays to the same', async () => {
    const box = desktop.getByRole('textbox', { name: 'Ask ChoirOS' })
    await box.fill('not sent yet')
    await page.waitForTimeout(1000) // What was typed in the last moment before may go.
    await page.reload()
    await taskbar().waitFor()
    await expect.poll(() => box.inputValue()).toBe('not sent yet')
    await box.fill('')
    await desktop.getByRole('dialog', { name: /letter\.md/ }).waitFor()
    await desktop.getByRole('dialog', { name: /Files/ }).waitFor()
    await expect.poll(colour, SEEN).toBe('#1f8a8a')
    expect((await choirHere(home, ['replay', '--json'])).json()).toMatchObject({ matches: true })
    expect((await choirHere(home, ['verify', '--json'])).json()).toMatchObject({ ok: true })
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
  test.each(IS_LONG_LANE ? ['at once', 'after a click on New document'] : ['at once'])(
    'whoever opens Writer and types %s loses not a character and gets one document',
    async (when) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const fresh = await context.newPage()
      await fresh.goto(await lookAt(home).link())
      const inside = fresh.frameLocator('iframe[title="Desktop"]')
      const documents = async () =>
        Object.keys(((await choirHere(home, ['tree', '--json'])).json() as { files: object }).files).filter((path) =>
          path.includes('Untitled'),
        )
      const before = await documents()
      await inside
        .getByRole('toolbar', { name: 'Taskbar' })
        .getByRole('button', { name: 'Writer', exact: true })
        .click()
      const start = inside.getByRole('dialog', { name: 'Writer', exact: true })
      await start.waitFor()
      if (when !== 'at once') await start.getByRole('button', { name: 'New document' }).click()
      const words = 'a b c: every word of this, and each one of its spaces'
      await fresh.keyboard.type(words, { delay: 5 })
      const added = async () => (await documents()).filter((path) => !before.includes(path))
      await expect.poll(async () => (await added()).length, { timeout: 5000 }).toBe(1)
      await expect.poll(async () => lookAt(home).cat((await added())[0]!), { timeout: 5000 }).toBe(words)
      expect(await added()).toHaveLength(1)
      // Undo takes back what was typed, the first letter too, and then the document.
      await choirHere(home, ['undo'])
      expect(await lookAt(home).cat((await added())[0]!)).toBe('')
      await choirHere(home, ['undo'])
      expect(await added()).toEqual([])
      await context.close()
    },
  )
})
