/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Browser, Frame } from 'puppeteer-core'
import { clickIn, setSize } from '../tests/support/browsers.ts'
import { signIn, type Person } from '../tests/support/person.ts'
import { AppWindow } from './app-window.ts'
import { must, Problem, soon } from './task.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const WIDE = { width: 1440, height: 900 }
export const NARROW = { width: 390, height: 844 }

/** What a browser says of itself and not of the page. */
const NOT_THE_PAGE = /Download the React DevTools|favicon|net::ERR_ABORTED/

/** The desktop in a browser. Everything that went wrong in it is in `errors`. */
export class DesktopPage {
  readonly errors: string[] = []
  readonly #person: Person

  private constructor(person: Person) {
    this.#person = person
    person.page.on('console', (message) => {
      if (message.type() === 'error' && !NOT_THE_PAGE.test(message.text()))
        this.errors.push(message.text().slice(0, 200))
    })
    person.page.on('pageerror', (error) => this.errors.push(String(error).slice(0, 200)))
  }

  static async open(browser: Browser, link: string): Promise<DesktopPage> {
    const opened = new DesktopPage(await signIn(browser, link, WIDE))
    // What the first load complained about was before anybody listened.
    await opened.reload()
    return opened
  }

  async frame(): Promise<Frame> {
    return this.#person.desktop()
  }

  async reload(): Promise<void> {
    await this.#person.page.reload()
    await this.frame()
  }

  async size(size: { readonly width: number; readonly height: number }): Promise<void> {
    await setSize(this.#person.page, size)
  }

  async picture(path: string): Promise<void> {
    await this.#person.page.screenshot({ path })
  }

  async close(): Promise<void> {
    await this.#person.context.close()
  }

  /** What is set on the desktop as a whole, as it is drawn. */
  async look() {
    return (await this.frame()).evaluate(() => {
      const root = document.documentElement
      const bar = document.querySelector('[role=toolbar][aria-label=Taskbar]')!.getBoundingClientRect()
      const wallpaper = document.querySelector<HTMLElement>('.wallpaper')
      const accent = document.createElement('i')
      accent.style.color = 'var(--accent)'
      document.body.append(accent)
      const colour = getComputedStyle(accent).color
      accent.remove()
      return {
        theme: root.dataset['theme'] ?? '',
        accent: colour,
        fontPx: Number.parseFloat(getComputedStyle(root).fontSize),
        family: getComputedStyle(document.querySelector('[role=toolbar] button') ?? document.body).fontFamily,
        barTop: bar.top,
        barHeight: bar.height,
        barBottom: innerHeight - bar.bottom,
        wallpaper: wallpaper?.dataset['name'] ?? wallpaper?.style.background ?? '',
        text: document.querySelector<HTMLElement>('.desktop')?.innerText ?? '',
      }
    })
  }

  /** The words in the taskbar's widgets. */
  async widgets(): Promise<string[]> {
    return (await this.frame()).$$eval('.widgets .widget', (all) => all.map((one) => (one as HTMLElement).innerText))
  }

  async apps(): Promise<string[]> {
    return (await this.frame()).$$eval('.launchers .measure > span', (all) =>
      all.map((one) => one.textContent?.replace(/^\P{L}+/u, '').trim() ?? ''),
    )
  }

  /** Opens an app from the taskbar, or from the menu of those that found no room there. */
  async openApp(title: RegExp): Promise<AppWindow> {
    const frame = await this.frame()
    const before = new Set(await this.#windows(frame))
    await soon(async () => (await this.apps()).some((app) => title.test(app)), `no app like ${String(title)} is there`)
    await this.#launch(frame, title)
    let id: string | undefined
    await soon(
      async () => {
        const now = await this.#windows(frame)
        id = now.find((one) => !before.has(one)) ?? (await this.#topWindow(frame, title))
        return id !== undefined
      },
      `no window of ${String(title)} opened`,
    )
    const opened = new AppWindow(this.#person.page, frame, id!)
    await soon(async () => (await opened.text()).trim() !== '' || (await opened.count('*')) > 0, 'the window is empty')
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    await opened.worked()
    return opened
  }

  /** Opens a document with Writer's list of documents. */
  async openDocument(name: RegExp): Promise<AppWindow> {
    const writer = await this.openApp(/writer|typewriter/i)
    const frame = await this.frame()
    const before = new Set(await this.#windows(frame))
    await writer.press(name)
    let id: string | undefined
    await soon(
      async () => {
        id = (await this.#windows(frame)).find((one) => !before.has(one)) ?? (await this.#topWindow(frame, name))
        return id !== undefined
      },
      `the document ${String(name)} did not open`,
    )
    return new AppWindow(this.#person.page, frame, id!)
  }

  /** A double click in the middle of the empty desktop. */
  async doubleClickGround(): Promise<void> {
    await clickIn(this.#person.page, await (await this.frame()).$('.wallpaper'), 2)
  }

  async windowCount(): Promise<number> {
    return (await this.#windows(await this.frame())).length
  }

  async #windows(frame: Frame): Promise<string[]> {
    return frame.$$eval('[data-window]:not([hidden])', (all) => all.map((one) => one.getAttribute('data-window')!))
  }

  async #topWindow(frame: Frame, title: RegExp): Promise<string | undefined> {
    const found = await frame.evaluate(
      ({ source, flags }) => {
        const top = document.querySelector('.window.top')
        const isIt = new RegExp(source, flags).test(top?.getAttribute('aria-label') ?? '')
        return isIt ? top!.getAttribute('data-window') : null
      },
      { source: title.source, flags: title.flags },
    )
    return found ?? undefined
  }

  async #launch(frame: Frame, title: RegExp): Promise<void> {
    const press = async (selector: string) => {
      for (const button of await frame.$$(selector)) {
        const name = await button.evaluate((one) => one.getAttribute('aria-label') ?? one.textContent ?? '')
        if (!title.test(name)) continue
        await clickIn(this.#person.page, button)
        return true
      }
      return false
    }
    if (await press('.launchers > button')) return
    await clickIn(this.#person.page, await frame.$('[aria-label="More apps"]'))
    must(await press('.launchers [role=menuitem]'), `${String(title)} cannot be opened`)
  }

  /** What is not well about the page as it is now: errors, what keeps somebody out, what does not fit on a phone. */
  async notWell(): Promise<string | null> {
    if (this.errors.length > 0) return `an error in the console: ${this.errors[0]!}`
    const barred = await this.#barred()
    if (barred !== undefined) return `axe: ${barred}`
    await this.size(NARROW)
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    const wide = await (
      await this.frame()
    ).evaluate(() => {
      const content = document.querySelector<HTMLElement>('.window.top:not([hidden]) .content')
      if (document.documentElement.scrollWidth > innerWidth + 1) return 'the desktop'
      return content !== null && content.scrollWidth > content.clientWidth + 1 ? 'the window' : null
    })
    return wide === null ? null : `at ${NARROW.width} pixels ${wide} is too wide`
  }

  async #barred(): Promise<string | undefined> {
    const frame = await this.frame()
    await frame.evaluate(AXE)
    const [first] = await frame.evaluate(async () => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        iframes: false,
        resultTypes: ['violations'],
      })
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120) ?? ''}`)
    })
    return first
  }
}

/** A new window reads its data, and a page that was made narrow finds its places. */
const SETTLE_MS = 700

/** A colour as hue, saturation and lightness. */
export function hslOf(css: string): { hue: number; saturation: number; lightness: number } {
  const [red, green, blue] = (/rgba?\((\d+)[, ]+(\d+)[, ]+(\d+)/.exec(css) ?? [])
    .slice(1)
    .map((one) => Number(one) / 255)
  if (red === undefined || green === undefined || blue === undefined) throw new Problem(`${css} is no colour`)
  const most = Math.max(red, green, blue)
  const least = Math.min(red, green, blue)
  const spread = most - least
  const lightness = (most + least) / 2
  const sixth =
    spread === 0
      ? 0
      : most === red
        ? ((green - blue) / spread + 6) % 6
        : most === green
          ? (blue - red) / spread + 2
          : (red - green) / spread + 4
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * lightness - 1))
  return { hue: sixth * 60, saturation, lightness }
}
