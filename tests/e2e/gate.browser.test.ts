/// <reference lib="dom" />
import type { Browser, Frame, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunView } from '@choiros/contract/run-view.ts'
import { clickIn, launchBrowser, setSize, until, type BrowserName } from '../support/browsers.ts'
import { choirHere } from '../support/choir.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'

const TEAL = '#008080'
const SEEN = { timeout: 15_000, interval: 100 }

/**
 * The release gate: a sentence changes the open desktop, and is taken back, in a real browser, through every real
 * process.
 */
const ENGINES: BrowserName[] = IS_LONG_LANE ? ['chromium', 'firefox'] : ['chromium']

describe.each(ENGINES)('the gate in %s', (name) => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page

  /** Asked anew each time: a page that loads again has another frame. */
  const desktop = async (): Promise<Frame> => {
    for (let tries = 0; tries < 150; tries++) {
      const found = page.frames().find((frame) => URL.parse(frame.url())?.hostname.endsWith('.localhost') === true)
      if (found !== undefined && (await found.$('[role=toolbar][aria-label=Taskbar]').catch(() => null)) !== null)
        return found
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    throw new Error('the desktop did not come up')
  }
  const accent = async () =>
    (await desktop()).evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim())
  const press = async (button: string) => {
    await until(
      page,
      (label) => [...document.querySelectorAll('button')].some((one) => one.textContent === label && !one.disabled),
      [button],
    )
    await page.evaluate(
      (label) => [...document.querySelectorAll('button')].find((one) => one.textContent === label)?.click(),
      button,
    )
  }
  const ask = async (text: string) => {
    const box = await (
      await desktop()
    ).waitForSelector('textarea[aria-label="Ask ChoirOS"], input[aria-label="Ask ChoirOS"]')
    await clickIn(page, box)
    await box?.type(text)
    await box?.press('Enter')
  }
  const runs = async () => (await choirHere(home, ['runs', '--json'])).json() as RunView[]

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    browser = await launchBrowser(name)
    page = await browser.newPage()
    await setSize(page, { width: 1440, height: 900 })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  test('sign-in by the printed link, which works once', { timeout: 60_000 }, async () => {
    await page.goto(running.link)
    await desktop()
    const stranger = await browser.createBrowserContext()
    const second = await stranger.newPage()
    await second.goto(running.link)
    await until(
      second,
      () => /link/i.test(document.body.textContent ?? '') && document.querySelector('iframe') === null,
      [],
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await second.$('iframe')).toBeNull()
    await stranger.close()
  })

  test(
    'a sentence changes the colour of the open page without a reload, typed text is kept, Undo and Redo work',
    { timeout: 120_000 },
    async () => {
      const before = await accent()
      await (await desktop()).evaluate(() => Object.assign(globalThis, { choirMark: 'same page' }))
      await choirHere(home, ['write', 'artifacts/letter.md'], '')
      const opened = await desktop()
      await opened.evaluate(() =>
        [...document.querySelectorAll('button')].find((one) => one.textContent?.includes('Files'))?.click(),
      )
      await until(
        opened,
        () => [...document.querySelectorAll('[role=dialog] *')].some((one) => one.textContent === 'letter.md'),
        [],
      )
      await opened.evaluate(() => {
        const item = [...document.querySelectorAll('[role=dialog] *')]
          .filter((one) => one.textContent === 'letter.md')
          .at(-1)
        item?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
      })
      const paper = await opened.waitForSelector('[role=dialog] textarea', { timeout: 10_000 })
      await clickIn(page, paper)
      await paper?.type('Typed before the change. ')

      await ask('make the accent teal')
      await expect.poll(accent, SEEN).toBe(TEAL)
      await paper?.type('Typed after it.')
      expect(await paper?.evaluate((box) => box.value)).toBe('Typed before the change. Typed after it.')
      await expect.poll(async () => (await runs())[0]?.health, SEEN).toBe('ok')
      expect((await runs())[0]).toMatchObject({ text: 'make the accent teal', status: 'landed' })

      // What is typed changes what an undo would give: it is on disk before one is looked at.
      await expect
        .poll(async () => (await choirHere(home, ['cat', 'artifacts/letter.md'])).text, SEEN)
        .toBe('Typed before the change. Typed after it.')
      await press('History')
      await until(
        page,
        () => document.querySelector('aside')?.textContent?.includes('make the accent teal') === true,
        [],
      )
      // Plain Undo would take back what was typed last; one sentence by itself is taken back by its name, and what was
      // typed since stays.
      await page.evaluate(() =>
        document.querySelector<HTMLElement>('aside button[aria-label^="Take back: Made the accent teal"]')?.click(),
      )
      await press('Take it back')
      await press('✕')
      await expect.poll(accent, SEEN).toBe(before)
      expect((await runs())[0]).toMatchObject({ undone: true })
      await press('Redo')
      await expect.poll(accent, SEEN).toBe(TEAL)
      expect(await (await desktop()).evaluate(() => (globalThis as { choirMark?: string }).choirMark)).toBe('same page')
      await expect
        .poll(async () => (await choirHere(home, ['cat', 'artifacts/letter.md'])).text, SEEN)
        .toBe('Typed before the change. Typed after it.')
    },
  )

  test('after a reload it is the same, and the log alone gives the same computer', { timeout: 60_000 }, async () => {
    await page.reload()
    await expect.poll(accent, SEEN).toBe(TEAL)
    const { matches } = (await choirHere(home, ['replay', '--json'])).json() as { matches: boolean }
    expect(matches).toBe(true)
    expect((await choirHere(home, ['verify', '--json'])).json()).toMatchObject({ ok: true })
    const [run] = await runs()
    expect(run).toMatchObject({ status: 'landed', undone: false })
  })
})
