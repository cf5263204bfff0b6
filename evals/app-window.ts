/// <reference lib="dom" />
import type { ElementHandle, Frame, Page } from 'puppeteer-core'
import { clickIn } from '../tests/support/browsers.ts'
import { must, soon } from './task.ts'

const CONTROLS =
  'button, a, input, textarea, select, summary, [role=button], [role=checkbox], [role=textbox], [role=switch], [role=gridcell], [role=option], [role=tab], [role=menuitem], [contenteditable=true]'

/** A window of the desktop, used with mouse and keys as a person would. */
export class AppWindow {
  readonly #page: Page
  readonly #frame: Frame
  readonly #id: string

  constructor(page: Page, frame: Frame, id: string) {
    this.#page = page
    this.#frame = frame
    this.#id = id
  }

  /** What is shown in it, without the title bar: text and what stands in fields. */
  async text(): Promise<string> {
    return this.#frame.evaluate((id) => {
      const content = document.querySelector(`[data-window="${id}"] .content`)
      const fields = [...(content?.querySelectorAll<HTMLInputElement>('input, textarea, output') ?? [])]
      const shown = content instanceof HTMLElement ? content.innerText : ''
      return `${shown}\n${fields.map(({ value }) => value).join('\n')}`
    }, this.#id)
  }

  async shows(wanted: RegExp, otherwise = `the window does not show ${String(wanted)}`): Promise<void> {
    await soon(async () => wanted.test(await this.text()), otherwise)
  }

  /** Controls whose name fits, in the order of the page. */
  async controls(name: RegExp, kinds = CONTROLS): Promise<ElementHandle[]> {
    const list = await this.#frame.evaluateHandle(
      ({ id, source, flags, selector }) => {
        const wanted = new RegExp(source, flags)
        const nameOf = (one: Element) => {
          const labels = [...((one as HTMLInputElement).labels ?? [])].map(({ textContent }) => textContent)
          const by = one.getAttribute('aria-labelledby')?.split(' ') ?? []
          const named = by.map((label) => document.getElementById(label)?.textContent ?? '')
          const own = [one.getAttribute('aria-label'), ...named, ...labels, one.textContent]
          return [...own, one.getAttribute('placeholder'), one.getAttribute('title'), (one as HTMLInputElement).value]
            .filter((text) => typeof text === 'string' && text.trim() !== '')
            .map((text) => text!.trim())
        }
        const all = [...document.querySelectorAll(`[data-window="${id}"] .content :is(${selector})`)]
        return all.filter(
          (one) =>
            nameOf(one).some((text) => wanted.test(text)) &&
            (one as HTMLElement).checkVisibility() &&
            !(one as HTMLButtonElement).disabled,
        )
      },
      { id: this.#id, source: name.source, flags: name.flags, selector: kinds },
    )
    const found: ElementHandle[] = []
    for (const property of (await list.getProperties()).values()) {
      const element = property.asElement()
      if (element !== null) found.push(element as ElementHandle)
    }
    return found
  }

  /** Presses the first control with such a name, once it is there. */
  async press(name: RegExp): Promise<void> {
    let found: ElementHandle | undefined
    await soon(
      async () => {
        ;[found] = await this.controls(name)
        return found !== undefined
      },
      `there is nothing to press called ${String(name)}`,
    )
    await clickIn(this.#page, found!)
  }

  /** Types into a field, in place of what was in it. Without a name, the first field that there is. */
  async fill(text: string, name = /(?:)/): Promise<void> {
    const fields = 'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, [contenteditable=true]'
    let found: ElementHandle | undefined
    await soon(
      async () => {
        // A field without any name has no text that could fit.
        const all = name.source === '(?:)' ? await this.#all(fields) : await this.controls(name, fields)
        found = all[0]
        return found !== undefined
      },
      `there is no field${name.source === '(?:)' ? '' : ` called ${String(name)}`} to type into`,
    )
    await clickIn(this.#page, found!, 3)
    await this.#page.keyboard.type(text)
  }

  /** Types at the end of the text that is written in this window. */
  async typeAtEnd(text: string): Promise<void> {
    const [paper] = await this.#all('textarea, [contenteditable=true]')
    await clickIn(this.#page, paper ?? null)
    await this.#page.keyboard.down('Control')
    await this.#page.keyboard.press('End')
    await this.#page.keyboard.up('Control')
    await this.#page.keyboard.type(text)
  }

  async key(...keys: Parameters<Page['keyboard']['press']>[0][]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key)
  }

  /** Where a button is, presses it; otherwise the Enter key. */
  async submit(name = /^(add|\+|save|new|create|ok|done|enter|put|go)\b/i): Promise<void> {
    const [button] = await this.controls(name, 'button, [role=button]')
    if (button === undefined) await this.key('Enter')
    else await clickIn(this.#page, button)
  }

  async count(selector: string): Promise<number> {
    return (await this.#all(selector)).length
  }

  async style(property: string): Promise<string> {
    return this.#frame.evaluate(
      (id, name) => getComputedStyle(document.querySelector(`[data-window="${id}"]`)!).getPropertyValue(name),
      this.#id,
      property,
    )
  }

  /** The window's title as it is drawn. */
  async title(): Promise<{ text: string; transform: string }> {
    return this.#frame.evaluate((id) => {
      const title = document.querySelector<HTMLElement>(`[data-window="${id}"] header .title`)
      return { text: title?.innerText ?? '', transform: title === null ? '' : getComputedStyle(title).textTransform }
    }, this.#id)
  }

  async #all(selector: string): Promise<ElementHandle[]> {
    return this.#frame.$$(`[data-window="${this.#id}"] .content :is(${selector})`)
  }

  /** What the desktop says of an app that threw. */
  async failure(): Promise<string | null> {
    return this.#frame.evaluate((id) => {
      const alert = document.querySelector(`[data-window="${id}"] [role=alert]`)
      return alert?.textContent?.slice(0, 200) ?? null
    }, this.#id)
  }

  async worked(): Promise<void> {
    const failure = await this.failure()
    must(failure === null, `the app failed: ${failure ?? ''}`)
    must((await this.text()).trim() !== '' || (await this.count('button, input, svg, canvas')) > 0, 'it is empty')
  }
}
