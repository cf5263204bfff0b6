import { setTimeout as delay } from 'node:timers/promises'
import type { WindowState } from '@choiros/contract/events/windows.ts'
import { WindowId } from '@choiros/contract/ids.ts'
import { TreePath } from '@choiros/contract/path.ts'
import { startBrowser, type Browser } from './browser.ts'
import { openPage, type Action, type Complaint, type Page } from './page.ts'
import { openSite, type Site } from './site.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'
import { placesOf, type Place } from './stack.ts'

/** What to look at, and how. */
export interface Look {
  /** An app whose window is opened; null: the desktop as it is without windows. */
  readonly app: string | null
  readonly width: number
  readonly height: number
  readonly theme: 'dark' | 'light'
  readonly actions: readonly Action[]
  readonly picture: boolean
}

/** What is wrong with it, and where in the source. */
export interface Finding {
  readonly message: string
  readonly places: readonly (Place & { readonly name: string })[]
}

export interface Seen {
  readonly findings: readonly Finding[]
  readonly outline: string
  /** A JPEG in base64. */
  readonly picture: string | null
  /** An action that could not be done, and why. */
  readonly stopped: string | null
}

/** A browser and the desktop of one folder, ready to be looked at as often as is needed. */
export interface Eyes {
  look(look: Look): Promise<Seen>
  close(): Promise<void>
}

export interface EyesOptions {
  readonly program: string
  /** The tree: `app/` is the desktop, `artifacts/` what it shows. */
  readonly folder: string
  /** For caches and a profile. */
  readonly scratch: string
}

const WINDOW = WindowId.parse('w-look')
const THEME = TreePath.parse('artifacts/system/theme.json')
const READY_MS = 8000
/** After a throw nothing may come any more: it is not waited for as long. */
const AFTER_THROW_MS = 700

export async function openEyes({ program, folder, scratch }: EyesOptions): Promise<Eyes> {
  const browser: Browser = startBrowser(program, `${scratch}/browser`)
  const site = await openSite(folder, `${scratch}/vite`).catch((error: unknown) => {
    browser.close()
    throw error
  })
  return {
    async look(look) {
      site.refresh()
      const snapshot = readSnapshot(folder)
      snapshot.change([
        {
          op: 'write',
          path: THEME,
          content: { text: JSON.stringify({ theme: look.theme }) },
          from: snapshot.entries().get(THEME)?.object ?? null,
        },
      ])
      site.computer.reset(snapshot, look.app === null ? [] : [windowOf(look.app, snapshot)])
      const page = await openPage(browser.cdp, look)
      try {
        return await seePage(page, look, site, folder)
      } finally {
        await page.close()
      }
    },
    async close() {
      browser.close()
      await site.close()
    },
  }
}

/** With the title that the shell would give it. */
function windowOf(app: string, snapshot: Snapshot): WindowState {
  const source = snapshot.bytes(`app/apps/${app}/app.tsx`)?.toString('utf8') ?? ''
  const title = /\btitle:\s*['"]([^'"\n]+)['"]/.exec(source)?.[1] ?? app
  return { window: WINDOW, app, title, wide: null, narrow: null }
}

async function seePage(page: Page, look: Look, site: Site, folder: string): Promise<Seen> {
  await page.open(site.address)
  await untilShown(page, look.app !== null)
  await page.settled()
  const stopped = await actAll(page, look.actions)
  const state = await page.evaluate<Shown>(STATE)
  return {
    findings: [...page.complaints.map((one) => toFinding(one, site, folder)), ...wrongWith(state, look)],
    outline: await page.outline(),
    picture: look.picture ? await page.picture() : null,
    stopped,
  }
}

async function untilShown(page: Page, hasWindow: boolean): Promise<void> {
  const sought = hasWindow ? '[role="dialog"]' : '[role="toolbar"]'
  const deadline = performance.now() + READY_MS
  let thrownMs: number | null = null
  while (performance.now() < deadline) {
    if (await page.evaluate<boolean>(`document.querySelector('${sought}') !== null`)) return
    if (page.complaints.some(({ kind }) => kind === 'throw')) thrownMs ??= performance.now()
    if (thrownMs !== null && performance.now() - thrownMs > AFTER_THROW_MS) return
    await delay(25)
  }
}

async function actAll(page: Page, actions: readonly Action[]): Promise<string | null> {
  for (const [index, action] of actions.entries()) {
    try {
      await page.act(action)
    } catch (error) {
      return `step ${index + 1}: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return null
}

/** What the page shows, as far as it tells whether something is wrong. */
interface Shown {
  readonly taskbar: boolean
  readonly window: null | {
    readonly failed: string | null
    readonly empty: boolean
    readonly reachable: boolean
  }
}

const STATE = `(() => {
  const taskbar = document.querySelector('[role="toolbar"]') !== null
  const dialog = document.querySelector('[role="dialog"][data-window="${WINDOW}"]')
  if (dialog === null) return { taskbar, window: null }
  const content = dialog.querySelector('.content') ?? dialog
  const failure = content.querySelector('.failure[role="alert"] pre')
  const isSeen = (one) => { const { width, height } = one.getBoundingClientRect(); return width > 0 && height > 0 }
  const things = [...content.querySelectorAll('img,svg,canvas,video,input,textarea,select,button,[contenteditable="true"],[role]')]
  const { left, top, right, bottom } = dialog.querySelector('header')?.getBoundingClientRect() ?? dialog.getBoundingClientRect()
  return {
    taskbar,
    window: {
      failed: failure === null ? null : failure.textContent,
      empty: content.textContent.trim() === '' && !things.some(isSeen),
      reachable: right > 20 && left < innerWidth - 20 && top >= -4 && bottom < innerHeight + 4 && right > left && bottom > top,
    },
  }
})()`

function wrongWith({ taskbar, window }: Shown, { app, width, height }: Look): Finding[] {
  const say = (message: string): Finding[] => [{ message, places: [] }]
  const size = `at ${width} × ${height}`
  if (!taskbar) return say(`the desktop does not come up ${size}: there is no taskbar`)
  if (app === null) return []
  if (window === null) return say(`the app ${app} has no window ${size}`)
  if (window.failed !== null) return say(`the app ${app} stopped working ${size}: ${window.failed.slice(0, 500)}`)
  if (window.empty) return say(`the window of ${app} is empty ${size}`)
  return window.reachable ? [] : say(`the window of ${app} cannot be reached ${size}: it lies outside of the screen`)
}

function toFinding({ kind, message, frames }: Complaint, site: Site, folder: string): Finding {
  return { message: kind === 'throw' ? message : `console: ${message}`, places: placesOf(frames, site, folder) }
}
