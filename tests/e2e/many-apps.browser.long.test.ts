/// <reference lib="dom" />
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clickIn, launchBrowser, setSize } from '../support/browsers.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { signIn, type Person } from '../support/person.ts'

const SOON = { timeout: 20_000, interval: 100 }
const BASE = ['Files', 'History', 'Runs', 'Writer', 'Memory']
const appText = (id: string) =>
  `import { defineApp } from '@choiros/sdk/app.ts'\n\nexport default defineApp({\n  id: '${id}',\n  title: '${id}',\n  glyph: '◆',\n  size: { width: 300, height: 200 },\n  Content: () => <p>{'I am ${id}'}</p>,\n})\n`
const WIDGET = `import { defineWidget } from '@choiros/sdk/widget.ts'\n\nexport default defineWidget({ id: 'countdown', title: 'Countdown', Content: () => <span>Christmas in 39 days</span> })\n`

describe('room for apps', { timeout: 90_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let person: Person
  const add = (id: string) => choirHere(home, ['write', `app/apps/${id}/app.tsx`], appText(id))
  const desktop = () => person.desktop()
  const inBar = async () =>
    (await desktop()).$$eval('.launchers > button', (all) => all.map((one) => one.ariaLabel ?? ''))
  const named = async () =>
    (await desktop()).$$eval(
      '.launchers > button',
      (all) => all.filter((one) => one.textContent.includes(one.ariaLabel ?? '?')).length,
    )
  const inMenu = async () => {
    const opener = await (await desktop()).$('[aria-label="More apps"][aria-expanded]')
    if (opener === null) return []
    await clickIn(person.page, opener)
    const items = await (
      await desktop()
    ).$$eval('.launchers .more-menu [role=menuitem]', (all) => all.map((one) => one.lastChild?.textContent ?? ''))
    const isWhole = await (
      await desktop()
    ).$eval('.launchers .more-menu [role=menu]', (menu) => {
      const { left, right, top, bottom } = menu.getBoundingClientRect()
      const hits = [top + 4, bottom - 4].map((y) => document.elementFromPoint((left + right) / 2, y))
      return left >= 0 && top >= 0 && right <= innerWidth && hits.every((hit) => menu.contains(hit))
    })
    expect(isWhole).toBe(true)
    await person.page.keyboard.press('Escape')
    expect(await (await desktop()).$('.launchers .more-menu [role=menu]')).toBeNull()
    return items
  }
  /** Buttons that something else lies on, or that lie outside of the page. */
  const covered = async () =>
    (await desktop()).$$eval('.tasks button, .widget, .prompt-box textarea, .prompt-help', (all) =>
      all.flatMap((one) => {
        const { left, right, top, height } = one.getBoundingClientRect()
        const hits = [left + 3, right - 3].map((x) => document.elementFromPoint(x, top + height / 2))
        return hits.every((hit) => hit !== null && one.contains(hit)) ? [] : [one.ariaLabel ?? one.className]
      }),
    )

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    browser = await launchBrowser('chromium')
    person = await signIn(browser, running.link)
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await running.stop()
    removeFolders()
  })

  test('a new app goes to the end and moves nobody, now and after a reload; names stay while there is room', async () => {
    for (const id of ['zebra', 'mole', 'ant']) {
      await add(id)
      await expect.poll(inBar, SOON).toContain(id)
    }
    const order = [...BASE, 'zebra', 'mole', 'ant']
    expect(await inBar()).toEqual(order)
    await setSize(person.page, { width: 1900, height: 900 })
    await expect.poll(named, SOON).toBe(order.length)
    await setSize(person.page, { width: 1440, height: 900 })
    expect(await named()).toBeGreaterThan(2) // Not none, where there is no room for all.
    await person.page.reload()
    await expect.poll(inBar, SOON).toEqual(order)
  })

  test('with many apps and windows the rest is in a menu, and nothing is cut or covered, at both sizes', async () => {
    const more = Array.from({ length: 14 }, (_, index) => `app${String(index).padStart(2, '0')}`)
    for (const id of more) await add(id)
    const all = [...BASE, 'zebra', 'mole', 'ant', ...more]
    const listed = async () => [...(await inBar()), ...(await inMenu())]
    await expect.poll(listed, SOON).toEqual(all)
    await person.command('window.open', { window: 'w1', app: 'files', title: 'Files' })
    await (await desktop()).waitForSelector('.task')
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await setSize(person.page, size)
      await expect.poll(covered, SOON).toEqual([])
      expect(await listed()).toEqual(all)
      expect((await inBar()).length).toBeGreaterThan(2)
    }
    await clickIn(person.page, await (await desktop()).$('[aria-label="More apps"][aria-expanded]'))
    await person.page.keyboard.press('ArrowUp')
    await person.page.keyboard.press('Enter')
    await expect
      .poll(
        async () => (await desktop()).$$eval('[role=dialog]', (windows) => windows.map((one) => one.ariaLabel)),
        SOON,
      )
      .toContain(more.at(-1))
  })

  test('with seven windows and a wide widget the one in front can be pressed, and the others are in a menu, at both sizes', async () => {
    await choirHere(home, ['write', 'app/widgets/countdown/widget.tsx'], WIDGET)
    await (await desktop()).waitForSelector('.widget', { timeout: 20_000 })
    for (let number = 2; number <= 7; number++)
      await person.command('window.open', { window: `w${number}`, app: 'files', title: `Holiday plans ${number}` })
    const current = async () =>
      (await desktop()).$$eval('.task.current', (all) => all.map((one) => [one.ariaLabel, one.clientWidth > 60]))
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await setSize(person.page, size)
      await expect.poll(covered, SOON).toEqual([])
      // While windows still arrive, the button moves: a click may meet the place where it was.
      const opened = async () => {
        const isOpen = (await (await desktop()).$('.open [role=menuitem]')) !== null
        if (!isOpen) await clickIn(person.page, await (await desktop()).$('[aria-label="More windows"][aria-expanded]'))
        return isOpen
      }
      await expect.poll(opened, { ...SOON, interval: 500 }).toBe(true)
      const last = await (await desktop()).waitForSelector('.open [role=menuitem]:last-child')
      const name = await last?.evaluate((one) => one.textContent)
      await clickIn(person.page, last)
      await expect.poll(current, SOON).toEqual([[`Window ${name}`, true]])
      expect(await covered()).toEqual([])
    }
  })
})
