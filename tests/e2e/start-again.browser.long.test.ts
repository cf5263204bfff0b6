/// <reference lib="dom" />
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/browsers.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { signIn, type Person } from '../support/person.ts'
import { commandOf, descendantsOf, isAlive, partsOf } from '../support/processes.ts'

const SOON = { timeout: 45_000, interval: 100 }
/** After this time without a key the page may be loaded again. */
const RESTED_MS = 1000
/** For the page to hear that its desk is gone, but too short for another one. */
const HEARD_MS = 30
const PATH = 'artifacts/a.txt'
const appOf = (id: string) => `import { defineApp } from '@choiros/sdk/app.ts'

export default defineApp({
  id: '${id}',
  title: 'New ${id}',
  glyph: '◆',
  size: { width: 300, height: 200 },
  Content: () => <p>It is {'${id}'}</p>,
})
`

/** Nobody loads the page again by hand here: it must find the new desk by itself. */
describe('a page left open while all of ChoirOS is stopped and started again', { timeout: 150_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let person: Person
  const type = async (words: string) =>
    (await (await person.desktop()).waitForSelector('[role=dialog] textarea'))?.type(words)
  const saved = () => lookAt(home).cat(PATH)
  const stop = async () => {
    const { launcher } = partsOf(home)
    await choirHere(home, ['stop', '--all'])
    await expect.poll(() => isAlive(launcher), SOON).toBe(false)
  }
  /** Vite alone: the page hears of that while all else still answers. */
  const endDesk = () => {
    const [desk = 0] = descendantsOf(partsOf(home).supervisor).filter((pid) => commandOf(pid).includes('/vite.js'))
    process.kill(desk, 'SIGKILL')
  }
  const bar = async () =>
    (await person.desktop()).$$eval('[role=toolbar][aria-label=Taskbar] button', (all) =>
      all.map((one) => one.getAttribute('aria-label') ?? one.textContent),
    )

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    await choirHere(home, ['write', PATH], 'typed: ')
    browser = await launchBrowser('chromium')
    person = await signIn(browser, running.link)
    await person.command('window.open', { window: 'w1', app: 'writer', title: PATH })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  const ways = {
    'in sight': async () => {
      await stop()
      await type('meanwhile ')
    },
    'behind another tab, its desk gone first': async () => {
      const other = await person.context.newPage()
      await other.bringToFront()
      await expect.poll(() => person.page.evaluate(() => document.visibilityState), SOON).toBe('hidden')
      await delay(RESTED_MS)
      endDesk()
      await delay(HEARD_MS)
      await stop()
    },
    'while it was being loaded': async () => {
      const desktop = await person.desktop()
      // A page that is gone while nobody answers takes along what is not saved yet.
      await expect.poll(saved, SOON).toContain('app2 ')
      await stop()
      await desktop.evaluate(() => location.reload()).catch(() => {})
      await expect
        .poll(
          () =>
            person.page
              .frames()
              .map((one) => one.url())
              .join(),
          SOON,
        )
        .toContain('chrome-error')
    },
  }
  test.each(Object.entries(ways))('%s: what lands then is shown, what was typed is kept', async (name, leave) => {
    const id = `app${Object.keys(ways).indexOf(name)}`
    await type(`${id} `)
    await leave()
    running = await startAll(home, {}, running.port)
    expect(await choirHere(home, ['write', `app/apps/${id}/app.tsx`], appOf(id))).toMatchObject({ code: 0 })
    await expect.poll(async () => (await bar().catch(() => [])).join(), SOON).toContain(`New ${id}`)
    await expect.poll(saved, SOON).toContain(name === 'in sight' ? `${id} meanwhile ` : `${id} `)
    for (const page of await person.context.pages()) if (page !== person.page) await page.close()
    await person.page.bringToFront()
    await expect
      .poll(() => person.page.evaluate(async () => (await (await fetch('/desktop/state')).json()) as unknown), SOON)
      .toEqual({ known: true, broken: null })
  })
})
