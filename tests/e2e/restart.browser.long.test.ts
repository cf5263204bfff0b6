/// <reference lib="dom" />
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/browsers.ts'
import { choirHere } from '../support/choir.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { signIn, type Person } from '../support/person.ts'
import { partsOf } from '../support/processes.ts'

const SOON = { timeout: 20_000, interval: 50 }
const PATH = 'artifacts/a.txt'

/**
 * A part that dies comes back by itself; whoever has a page open is told to wait, and then is not told anything false.
 */
describe('a page that outlives a restart', { timeout: 150_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let person: Person
  let asked = 0
  const banners = () =>
    person.page.$$eval('[role=alert], .safe, #notice', (all) =>
      all.flatMap((one) =>
        (one as HTMLElement).hidden || one.textContent.trim() === ''
          ? []
          : [one.textContent.trim().replaceAll(/\s+/g, ' ')],
      ),
    )
  const type = async (words: string) => {
    const area = await (await person.desktop()).waitForSelector('[role=dialog] textarea')
    await area?.type(words)
  }
  const saved = () => lookAt(home).cat(PATH)
  /** What the frame goes by: a page that stays unknown is said not to work. */
  const state = () => person.page.evaluate(async () => (await (await fetch('/desktop/state')).json()) as unknown)

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    await choirHere(home, ['write', PATH], 'typed: ')
    browser = await launchBrowser('chromium')
    person = await signIn(browser, running.link)
    person.page.on('dialog', (dialog) => {
      asked++
      void dialog.accept()
    })
    await person.command('window.open', { window: 'w1', app: 'writer', title: PATH })
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await running.stop()
    removeFolders()
  })

  const parts = [
    ['supervisor', 'the supervisor is running again'],
    ['frontDoor', 'the front door is running again'],
  ] as const
  test.each(IS_LONG_LANE ? parts : parts.slice(0, 1))(
    'kill -9 of the %s: the frame waits aloud, what is typed is saved, no banner stays',
    async (part, returned) => {
      const word = `${part}-before `
      await type(word)
      await expect.poll(saved, SOON).toContain(word)
      await (await person.desktop()).evaluate(() => Object.assign(globalThis, { choirMark: true }))
      process.kill(partsOf(home)[part], 'SIGKILL')
      await type(`${part}-meanwhile `)
      await expect.poll(async () => (await banners()).join(), SOON).toContain('Waiting for ChoirOS')
      await expect.poll(() => running.output(), SOON).toContain(returned)
      await expect.poll(saved, SOON).toContain(`${part}-meanwhile `)
      await expect.poll(banners, SOON).toEqual([])
      await expect.poll(state, SOON).toEqual({ known: true, broken: null })
      // Vite loads the page again once the hand rests; what is typed in that very moment would be typed at two places.
      await expect
        .poll(async () => (await person.desktop()).evaluate(() => 'choirMark' in globalThis).catch(() => true), SOON)
        .toBe(false)
      await type(`${part}-after `)
      await expect.poll(saved, SOON).toContain(`${part}-after `)
      expect([await banners(), asked]).toEqual([[], 0])
    },
  )

  test.runIf(IS_LONG_LANE)('stopped for good: the frame says so, and how to start it again', async () => {
    await choirHere(home, ['stop', '--all'])
    await expect
      .poll(async () => (await banners()).join(), { timeout: 40_000 })
      .toContain('ChoirOS is not running. Start it again with npm start')
  })
})
