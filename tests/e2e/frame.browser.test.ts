/// <reference lib="dom" />
import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'

const SEEN = { timeout: 20_000, interval: 50 }

/** What the frame does around the desktop, beside undo and history. */
describe('the frame', { timeout: 90_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page

  const desktop = (): Frame => page.frames().find((frame) => frame.url().includes('.localhost'))!
  const loaded = () => page.frameLocator('iframe[title="Desktop"]').getByRole('toolbar', { name: 'Taskbar' }).waitFor()

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    browser = await launchChromium()
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    page = await context.newPage()
    await page.goto(await lookAt(home).link())
    await loaded()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  const open = (path: string) =>
    desktop().evaluate(async (title) => {
      const input = { window: `w-${title.replaceAll(/\W/g, '-')}`, app: 'writer', title }
      const body = JSON.stringify({ command: 'window.open', input })
      await fetch('/choir/command', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    }, path)

  test('a link out of the desktop is opened by the person’s own hand, with its address in sight', async () => {
    const bar = page.getByRole('alert').filter({ hasText: 'leads outside' })
    const click = (href: string) =>
      desktop().evaluate((address) => {
        const link = Object.assign(document.createElement('a'), { href: address, textContent: 'out' })
        document.body.append(link)
        link.click()
        link.remove()
      }, href)
    await click('javascript:alert(1)')
    await click('https://user:secret@example.org/')
    await click(`${desktop().url()}inside`.replace('/inside', '/#inside'))
    expect(await bar.isVisible()).toBe(false)
    /** Looked at in the page, in the very moment it stands there: from outside, a slow machine would look too late. */
    const shownFirst = async (address: string) => {
      const shown = await page.evaluateHandle((wanted) => {
        const outside = document.getElementById('outside') as HTMLElement
        const seen = new Promise<{ inert: boolean; hit: boolean }>((tell) => {
          new MutationObserver((_, observer) => {
            const one = document.getElementById('outside-open') as HTMLAnchorElement
            if (outside.hidden || one.href !== wanted) return
            observer.disconnect()
            const { x, y, width, height } = one.getBoundingClientRect()
            tell({ inert: one.inert, hit: document.elementFromPoint(x + width / 2, y + height / 2) === one })
          }).observe(outside, { attributes: true, childList: true, subtree: true })
        })
        return { seen }
      }, address)
      await click(address)
      return shown.evaluate(({ seen }) => seen)
    }
    // A bait on the desktop, clicked twice: the second click must not open what the first one has brought.
    expect(await shownFirst('https://example.org/a?b=c')).toEqual({ inert: true, hit: false })
    expect(await bar.textContent()).toContain('https://example.org/a?b=c')
    const link = bar.locator('a')
    await expect.poll(() => link.evaluate((one) => (one as HTMLElement).inert), SEEN).toBe(false)
    const attributes = () => link.evaluate((one) => ['href', 'target', 'rel'].map((name) => one.getAttribute(name)))
    expect(await attributes()).toEqual(['https://example.org/a?b=c', '_blank', 'noopener noreferrer'])

    // The newest wins, but not under a finger that is on its way to the one before.
    await link.hover()
    await page.mouse.down()
    expect(await shownFirst('https://example.com/exchanged')).toEqual({ inert: true, hit: false })
    expect(await bar.textContent()).toContain('https://example.com/exchanged')
    await expect.poll(() => link.evaluate((one) => (one as HTMLElement).inert), SEEN).toBe(false)
    await page.mouse.up()
    expect([await attributes(), page.context().pages().length]).toEqual([
      ['https://example.com/exchanged', '_blank', 'noopener noreferrer'],
      1,
    ])
    await page.evaluate(() => window.postMessage({ open: 'https://example.com/from-elsewhere' }, '*'))
    await bar.getByRole('button', { name: 'Not now' }).click()
    expect(await bar.isVisible()).toBe(false)
  })

  test.runIf(IS_LONG_LANE)(
    'with a second computer there is a choice, and each is looked at under an address of its own',
    async () => {
      const choice = page.getByRole('combobox', { name: 'Computer' })
      expect(await choice.isVisible()).toBe(false)
      await choirHere(home, ['write', 'artifacts/here.txt'], 'x')
      expect((await choirHere(home, ['computer', 'add', 'other'])).code).toBe(0)
      await page.reload()
      await loaded()
      await choice.waitFor()
      await page.setViewportSize({ width: 390, height: 780 })
      for (const control of await page.locator('header :is(select, button)').all()) {
        const box = (await control.boundingBox())!
        expect([await control.textContent(), box.x >= 0 && box.x + box.width <= 390]).toEqual([
          expect.any(String),
          true,
        ])
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      const before = desktop().url()
      const first = (await choice.locator('option:checked').textContent())!
      const tab = await page.context().newPage()
      await tab.goto(page.url())
      const type = async (where: Page, name: string) => {
        const paper = where.frameLocator('iframe[title="Desktop"]').getByRole('textbox', { name })
        await paper.click()
        await where.keyboard.type(`typed into ${name}`)
      }
      for (const name of ['mine.md', 'theirs.md']) {
        await choirHere(home, ['write', `artifacts/${name}`], '')
        await open(`artifacts/${name}`)
      }
      await type(tab, 'theirs.md')
      await page.bringToFront()
      await type(page, 'mine.md')
      // A choice that cannot be made: every tab shows the computer from before again.
      await page.route('**/computer', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.fallback(),
      )
      await choice.selectOption({ label: 'other' })
      for (const one of [page, tab])
        await one.frameLocator('iframe[title="Desktop"]').getByRole('textbox', { name: 'mine.md' }).waitFor()
      expect(await choice.locator('option:checked').textContent()).toBe(first)
      await page.unroute('**/computer')
      await choice.selectOption({ label: 'other' })
      await expect.poll(() => desktop()?.url() ?? before, SEEN).not.toBe(before)
      await loaded()
      // Not a letter is lost on the way, and no tab stays behind.
      for (const name of ['mine.md', 'theirs.md'])
        expect(await lookAt(home).cat(`artifacts/${name}`)).toBe(`typed into ${name}`)
      const elsewhere = tab.getByRole('combobox', { name: 'Computer' }).locator('option:checked')
      await expect.poll(() => elsewhere.textContent(), SEEN).toBe('other')
      await tab.close()
      const has = (path: string) =>
        desktop().evaluate(async (name) => {
          const body = JSON.stringify({ command: 'files.stat', input: { path: name, at: null } })
          const response = await fetch('/choir/command', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
          })
          return (await response.text()).includes('"kind":"file"')
        }, path)
      expect(await has('artifacts/here.txt')).toBe(false)
      await page.reload()
      await loaded()
      expect(await choice.locator('option:checked').textContent()).toBe('other')
      await choice.selectOption({ label: first })
      await loaded()
      await expect.poll(() => has('artifacts/here.txt').catch(() => false), SEEN).toBe(true)
    },
  )
})
