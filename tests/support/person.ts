/// <reference lib="dom" />
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, Frame, Page } from 'puppeteer-core'
import { clickIn, setSize, until } from './browsers.ts'

const UP_MS = 45_000

/** A person signed in with a browser context of their own: it shares cookies and pages with nobody. */
export interface Person {
  readonly page: Page
  readonly context: BrowserContext
  /** Asked anew each time: a page that loads again has another frame. */
  desktop(): Promise<Frame>
  /** Presses a button of the frame, once it can be pressed. */
  press(button: string): Promise<void>
  ask(text: string): Promise<void>
  /** Sends a command as the frame's own script could: not through the desktop, with the frame's cookie. */
  command(name: string, input: unknown): Promise<unknown>
}

export async function signIn(browser: Browser, link: string, viewport = { width: 1440, height: 900 }): Promise<Person> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await setSize(page, viewport)
  await page.goto(link)
  const person: Person = {
    page,
    context,
    async desktop() {
      const deadline = Date.now() + UP_MS
      while (Date.now() < deadline) {
        const found = page.frames().find((frame) => URL.parse(frame.url())?.hostname.endsWith('.localhost') === true)
        if (found !== undefined && (await found.$('[role=toolbar][aria-label=Taskbar]').catch(() => null)) !== null)
          return found
        await delay(200)
      }
      throw new Error('the desktop did not come up')
    },
    async press(button) {
      await until(
        page,
        (label) => [...document.querySelectorAll('button')].some((one) => one.textContent === label && !one.disabled),
        [button],
      )
      await page.evaluate(
        (label) => [...document.querySelectorAll('button')].find((one) => one.textContent === label)?.click(),
        button,
      )
    },
    async ask(text) {
      const box = await (await person.desktop()).waitForSelector('[aria-label="Ask ChoirOS"]')
      await clickIn(page, box)
      await box?.type(text)
      await box?.press('Enter')
    },
    command: (name, input) =>
      page.evaluate(
        async (command, given) => {
          const response = await fetch('/command', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ command, input: given }),
          })
          const answer = JSON.parse((await response.text()).trim().split('\n').at(-1) ?? '{}') as {
            result?: unknown
            error?: unknown
          }
          return answer.result ?? answer
        },
        name,
        input,
      ),
  }
  await person.desktop()
  return person
}
