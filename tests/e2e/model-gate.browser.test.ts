/// <reference lib="dom" />
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Event } from '@choiros/contract/event.ts'
import { play, readScenario } from '../scenarios/scenario.ts'
import { clickIn, launchBrowser, type BrowserName } from '../support/browsers.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { lookAt } from '../support/log.ts'
import { signIn, type Person } from '../support/person.ts'
import { startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'

const SCENARIO = readScenario('tip-calculator')
const KEY = 'sk-gate-51be0c77'
const DATA = 'artifacts/tip.json'
const SEEN = { timeout: 20_000, interval: 100 }
const TIP = '[role=group][aria-label=Tip]'

/**
 * The gate of a model in the loop: what it built is in the open desktop, keeps what is typed into it, goes and comes
 * back.
 */
const ENGINES: BrowserName[] = IS_LONG_LANE ? ['chromium', 'firefox'] : ['chromium']

describe.each(ENGINES)('a model builds an app, in %s', (name) => {
  let home = ''
  let model: ScriptedModel
  let running: Running
  let browser: Browser
  let person: Person

  const runs = () => lookAt(home).runs()
  const cat = async () => JSON.parse(await lookAt(home).cat(DATA)) as unknown
  const events = async (type: string) =>
    (await choirHere(home, ['events', '--json'])).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Event)
      .filter((event) => event.type === type)
  const isInTaskbar = async () =>
    (await (await person.desktop()).$('[aria-label=Taskbar] button[aria-label=Tip]')) !== null
  /** A page that was loaded anew would have lost the mark. */
  const isSamePage = async () => (await person.desktop()).evaluate(() => 'choirMark' in globalThis)
  const shares = async () =>
    (await person.desktop()).$eval(`${TIP} [role=status]`, (one) => one.textContent).catch(() => null)
  const openApp = async () => {
    const desktop = await person.desktop()
    await desktop.$eval('[aria-label=Taskbar] button[aria-label=Tip]', (button) => (button as HTMLElement).click())
    await desktop.waitForSelector(`${TIP} input`, { timeout: 15_000 })
  }
  const type = async (field: string, text: string) => {
    const box = await (await person.desktop()).waitForSelector(`input[aria-label="${field}"]`, { timeout: 10_000 })
    await clickIn(person.page, box, 3)
    await box?.type(text)
  }

  beforeAll(async () => {
    home = temporaryFolder()
    model = await startScriptedModel(play(SCENARIO))
    running = await startAll(home, {
      CHOIR_MODEL_PROVIDER: 'anthropic',
      CHOIR_MODEL_URL: model.url,
      CHOIR_MODEL_NAME: 'scripted',
      CHOIR_MODEL_KEY: KEY,
    })
    browser = await launchBrowser(name)
    person = await signIn(browser, running.link)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    await model?.close()
    removeFolders()
  })

  test('it lands, and its button is in the taskbar of the open page', { timeout: 120_000 }, async () => {
    await (await person.desktop()).evaluate(() => Object.assign(globalThis, { choirMark: 'same page' }))
    expect(await isInTaskbar()).toBe(false)
    await person.ask(SCENARIO.wish)
    await expect.poll(isInTaskbar, { ...SEEN, timeout: 60_000 }).toBe(true)
    await expect
      .poll(async () => (await runs())[0], SEEN)
      .toMatchObject({ status: 'landed', health: 'ok', reply: expect.stringContaining('Tip') as string })
    expect(await isSamePage()).toBe(true)
    expect(model.seen).toHaveLength(SCENARIO.ends?.calls ?? 0)
    expect((await events('budget.settle')).length).toBe((await events('budget.reserve')).length)
    expect((await choirHere(home, ['tree', '--json'])).text).toContain('app/apps/tip/share.test.ts')
  })

  test('it works, and what is typed into it is a file of the computer', { timeout: 90_000 }, async () => {
    await openApp()
    await type('Bill', '120')
    await type('People', '4')
    await expect.poll(shares, SEEN).toBe('Each pays 33.00')
    await expect.poll(cat, SEEN).toEqual({ amount: 120, percent: 10, people: 4 })
    const written = (await events('file.change')).filter(({ data }) => JSON.stringify(data).includes(DATA))
    expect(written.length).toBeGreaterThan(0)
    expect(new Set(written.map(({ source, via }) => `${source} ${via}`))).toEqual(new Set(['user desktop']))
  })

  test(
    'Undo takes the app away and leaves what was typed; Redo brings it back with it',
    { timeout: 120_000 },
    async () => {
      // By its name: plain Undo would take back what was typed last.
      await person.press('History')
      const taking = () =>
        person.page.evaluate((wish) => {
          const row = [...document.querySelectorAll('#changes li')].find((one) => one.textContent.includes(wish))
          row?.querySelector('button')?.click()
          return row !== undefined
        }, SCENARIO.wish)
      await expect.poll(taking, SEEN).toBe(true)
      await person.press('Take it back')
      await person.press('✕')
      await expect.poll(isInTaskbar, SEEN).toBe(false)
      expect((await runs())[0]).toMatchObject({ undone: true })
      expect(await cat()).toEqual({ amount: 120, percent: 10, people: 4 })

      await person.press('Redo')
      await expect.poll(isInTaskbar, SEEN).toBe(true)
      await openApp()
      await expect.poll(shares, SEEN).toBe('Each pays 33.00')
      expect(await isSamePage()).toBe(true)
      expect(await cat()).toEqual({ amount: 120, percent: 10, people: 4 })
      expect((await runs())[0]).toMatchObject({ status: 'landed', undone: false })
    },
  )

  test('the log alone gives the same computer, and the key is nowhere in it', { timeout: 60_000 }, async () => {
    expect((await choirHere(home, ['replay', '--json'])).json()).toMatchObject({ matches: true })
    expect((await choirHere(home, ['verify', '--json'])).json()).toMatchObject({ ok: true })
    expect(model.seen.every(({ headers }) => headers['x-api-key'] === KEY)).toBe(true)
    expect((await choirHere(home, ['events', '--json'])).text).not.toContain(KEY)
    expect(running.output()).not.toContain(KEY)
  })
})
