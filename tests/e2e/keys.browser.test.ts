/// <reference lib="dom" />
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/browsers.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { signIn, type Person } from '../support/person.ts'

const SOON = { timeout: 15_000, interval: 50 }
const PATH = 'artifacts/a.txt'

describe('keys work wherever the focus is', { timeout: 90_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let person: Person
  /** Where the next key would go. */
  const focused = async () => {
    const outer = await person.page.evaluate(() => document.activeElement?.id ?? '')
    if ((await person.page.evaluate(() => document.activeElement?.tagName)) !== 'IFRAME') return outer
    return (await person.desktop()).evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName ?? '',
    )
  }
  const isOpen = (id: string) => person.page.$eval(`#${id}`, (one) => !(one as HTMLElement).hidden)
  const chord = async (...keys: ('Alt' | 'Shift' | 'Control' | 'KeyU' | 'KeyH' | 'KeyK')[]) => {
    for (const key of keys) await person.page.keyboard.down(key)
    for (const key of keys.toReversed()) await person.page.keyboard.up(key)
  }
  const text = () => lookAt(home).cat(PATH)

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    await choirHere(home, ['write', PATH], 'first')
    browser = await launchBrowser('chromium')
    person = await signIn(browser, running.link)
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await running.stop()
    removeFolders()
  })

  test('the prompt has the focus on a fresh page, and Ctrl-K brings it back from the frame and past four windows', async () => {
    await expect.poll(focused, SOON).toBe('Ask ChoirOS')
    for (const [index, app] of ['files', 'history', 'runs', 'writer'].entries())
      await person.command('window.open', { window: `w${index}`, app, title: index === 3 ? PATH : app })
    await person.page.click('.mark')
    await chord('Control', 'KeyK')
    await expect.poll(focused, SOON).toBe('Ask ChoirOS')
    await person.page.focus('#model')
    await chord('Control', 'KeyK')
    await expect.poll(focused, SOON).toBe('Ask ChoirOS')
  })

  test('History opens by its key from the desktop and Esc closes it, wherever the focus is', async () => {
    await chord('Alt', 'Shift', 'KeyH')
    await expect.poll(() => isOpen('drawer'), SOON).toBe(true)
    await expect.poll(focused, SOON).toBe('close-drawer')
    await chord('Control', 'KeyK')
    await expect.poll(focused, SOON).toBe('Ask ChoirOS')
    await person.page.keyboard.press('Escape')
    await expect.poll(() => isOpen('drawer'), SOON).toBe(false)
    await (await person.desktop()).$eval('.prompt-help', (one) => (one as HTMLElement).click())
    await expect.poll(async () => (await (await person.desktop()).$('.recipes')) !== null, SOON).toBe(true)
    await (await person.desktop()).evaluate(() => (document.activeElement as HTMLElement).blur())
    await person.page.keyboard.press('Escape')
    await expect.poll(async () => (await (await person.desktop()).$('.recipes')) !== null, SOON).toBe(false)
  })

  test('a page can say that a key was pressed, but only the person undoes: the first press goes to the frame, the second is the person’s', async () => {
    await choirHere(home, ['write', PATH], 'second')
    await expect.poll(() => person.page.$eval('#undo', (one) => (one as HTMLElement).title), SOON).toMatch('Changed')
    await chord('Control', 'KeyK')
    await expect.poll(focused, SOON).toBe('Ask ChoirOS')
    await (
      await person.desktop()
    ).evaluate(() => {
      for (let turn = 0; turn < 50; turn++) for (const key of ['undo', 'redo', 'stop']) parent.postMessage({ key }, '*')
    })
    await expect.poll(focused, SOON).toBe('bar')
    await person.page.keyboard.press('Enter')
    await person.page.keyboard.press('Space')
    expect(await text()).toBe('second')
    await chord('Alt', 'Shift', 'KeyU')
    await expect.poll(text, SOON).toBe('first')
  })

  test('there is a way past everything for whoever goes by Tab, and every key is written at its button', async () => {
    await person.page.reload()
    await person.desktop()
    await person.page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await person.page.focus('#skip-to-prompt')
    await person.page.keyboard.press('Enter')
    await expect.poll(focused, SOON).toBe('Ask ChoirOS')
    const keys = await person.page.$$eval('[aria-keyshortcuts]', (all) =>
      all.map((one) => one.getAttribute('aria-keyshortcuts')),
    )
    expect(keys).toEqual(['Control+K Meta+K', 'Alt+Shift+U', 'Alt+Shift+R', 'Alt+Shift+H', 'Alt+Shift+S'])
    const landmarks = await (
      await person.desktop()
    ).$$eval('main, [role=form], [role=toolbar]', (all) => all.map((one) => one.ariaLabel))
    expect(landmarks).toEqual(['Windows', 'Taskbar', 'Ask'])
  })
})
