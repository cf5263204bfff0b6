/// <reference lib="dom" />
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clickIn, launchBrowser, type BrowserName } from '../support/browsers.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { signIn, type Person } from '../support/person.ts'

const SOON = { timeout: 20_000, interval: 100 }
const NAMES: readonly BrowserName[] = ['chromium', 'firefox']

/** Apps come, go and move under two browsers at once. */
describe('an app that is undone, redone or renamed', { timeout: 120_000 }, () => {
  let home = ''
  let running: Running
  let log: ReturnType<typeof lookAt>
  const browsers: Browser[] = []
  const people: Person[] = []
  const everywhere = <Found>(look: (person: Person) => Promise<Found>) => Promise.all(people.map(look))
  const both = <Found>(found: Found) => NAMES.map(() => found)
  const done = async (...args: string[]) => expect(await choirHere(home, args)).toMatchObject({ code: 0 })

  beforeAll(async () => {
    home = temporaryFolder()
    log = lookAt(home)
    running = await startAll(home)
    for (const name of NAMES) {
      const browser = await launchBrowser(name)
      browsers.push(browser)
      people.push(await signIn(browser, await log.link()))
    }
    await done('prompt', 'give me somewhere to keep a shopping list', '--wait')
    await people[0]!.command('window.open', { window: 'list', app: 'shopping-list', title: 'Shopping list' })
    for (const person of people) await (await person.desktop()).waitForSelector('.shopping-list-app')
  }, 180_000)
  afterAll(async () => {
    for (const browser of browsers) await browser.close()
    await running?.stop()
    removeFolders()
  })

  const styles = (folder: string) =>
    everywhere(async (person) =>
      (await person.desktop()).$$eval(
        'style[data-vite-dev-id]',
        (all, part) => all.filter((one) => one.getAttribute('data-vite-dev-id')?.includes(part)).length,
        `/apps/${folder}/`,
      ),
    )

  test('its styles leave the page with it, and are back once when it is back', async () => {
    expect(await styles('shopping-list')).toEqual(both(1))
    for (let round = 0; round < 2; round++) {
      await done('undo')
      await expect.poll(() => styles('shopping-list'), SOON).toEqual(both(0))
      await done('redo')
      await expect.poll(() => styles('shopping-list'), SOON).toEqual(both(1))
    }
  })

  test('the styles of a part that an app uses no more go with the part, though its files stay', async () => {
    const app = (used: boolean) =>
      `import { defineApp } from '@choiros/sdk/app.ts'\n${used ? "import { Part } from './part.tsx'\n" : ''}\nexport default defineApp({\n  id: 'whole',\n  title: 'Whole',\n  glyph: '◆',\n  size: { width: 300, height: 200 },\n  Content: () => <div>{${used ? '<Part />' : "'nothing'"}}</div>,\n})\n`
    const put = async (path: string, text: string) =>
      expect(await choirHere(home, ['write', `app/apps/whole/${path}`], text)).toMatchObject({ code: 0 })
    await put('part.css', '.part { color: rgb(1, 2, 3); }\n')
    await put(
      'part.tsx',
      'import \'./part.css\'\n\nexport function Part() {\n  return <p className="part">part</p>\n}\n',
    )
    await put('app.tsx', app(true))
    await expect.poll(() => styles('whole'), SOON).toEqual(both(1))
    await put('app.tsx', app(false))
    await expect.poll(() => styles('whole'), SOON).toEqual(both(0))
    await put('app.tsx', app(true))
    await expect.poll(() => styles('whole'), SOON).toEqual(both(1))
  })

  const entries = () =>
    everywhere(async (person) =>
      (await person.desktop()).$$eval('[aria-label="New item"]', (all) =>
        all.map((one) => {
          const { value, selectionStart } = one as HTMLInputElement
          return `${value}@${selectionStart}${document.activeElement === one ? ' here' : ''}`
        }),
      ),
    )
  const typeEntry = (text: string) =>
    everywhere(async (person) => {
      await clickIn(person.page, await (await person.desktop()).$('[aria-label="New item"]'))
      await person.page.keyboard.type(text)
    })

  test('a half-typed entry stays, caret and all, when the folder of its app is renamed, and can be typed on and sent', async () => {
    await typeEntry('half a cabage')
    await everywhere(async ({ page }) => {
      for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft')
    })
    await done('mv', 'app/apps/shopping-list', 'app/apps/groceries')
    await expect.poll(() => styles('shopping-list'), SOON).toEqual(both(0))
    await expect.poll(() => styles('groceries'), SOON).toEqual(both(1))
    await expect.poll(entries, SOON).toEqual(both(['half a cabage@10 here']))
    await everywhere(({ page }) => page.keyboard.type('b'))
    expect(await entries()).toEqual(both(['half a cabbage@11 here']))
    await everywhere(({ page }) => page.keyboard.press('Enter'))
    await expect.poll(entries, SOON).toEqual(both(['@0 here']))
    await expect
      .poll(async () => (await log.cat('artifacts/shopping-list.json')).match(/half a cabbage/g)?.length, SOON)
      .toBe(NAMES.length)
  })

  test('it stays when its component is rewritten, and what was sent does not come back', async () => {
    const path = 'app/apps/groceries/todo-window.tsx'
    const source = await log.cat(path)
    const rewrite = async (round: number) => {
      const text = source
        .replace(/^(export function [^\n]*\{\n)/m, `$1  useState(${round})\n`)
        .replace('Add something', `Add something ${round}`)
      expect(await choirHere(home, ['write', path], text)).toMatchObject({ code: 0 })
      const look = async (person: Person) =>
        (await person.desktop()).$eval('.shopping-list-add input', (one) => one.getAttribute('placeholder'))
      await expect.poll(() => everywhere(look), SOON).toEqual(both(`Add something ${round}`))
    }
    await typeEntry('two lem')
    await rewrite(1)
    await expect.poll(entries, SOON).toEqual(both(['two lem@7 here']))
    await everywhere(async ({ page }) => {
      await page.keyboard.type('ons')
      await page.keyboard.press('Enter')
    })
    await expect.poll(entries, SOON).toEqual(both(['@0 here']))
    await delay(500) // What goes in the moment of Enter counts as sent, focus and all.
    await rewrite(2)
    await expect.poll(entries, SOON).toEqual(both(['@0 here']))
  })
})
