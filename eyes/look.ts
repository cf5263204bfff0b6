import { setTimeout as delay } from 'node:timers/promises'
import type { WindowState } from '@choiros/contract/events/windows.ts'
import { WindowId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import {
  stepsMs,
  type Finding,
  type LookRequest,
  type LookStep,
  type Seen,
  type SentPicture,
} from '@choiros/contract/look.ts'
import { TreePath } from '@choiros/contract/path.ts'
import { NoBrowser, startBrowser, type Browser } from './browser.ts'
import { NoAnswer } from './cdp.ts'
import type { Complaint } from './complaints.ts'
import { openPage, type Page } from './page.ts'
import { lookAtPage, wrongWith, type Shown } from './shown.ts'
import { openSite, type Site } from './site.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'
import { placesOf } from './stack.ts'

/** What was found when an app's window was opened; `app` null: on the desktop without any. */
export interface Visited {
  readonly app: string | null
  readonly findings: readonly Finding[]
  readonly picture: SentPicture | null
}

/** A browser and the desktop of one folder, ready to be looked at as often as is needed. */
export interface Eyes {
  look(request: LookRequest): Promise<Seen>
  /** The desktop by itself, and then each of these apps in its window, one after the other in one page. */
  visit(apps: readonly string[], view: { readonly width: number; readonly height: number }): Promise<Visited[]>
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
const LOOK_EVERY_MS = 20
const HANGS = 'the page does not answer any more: something in it runs without end'

export async function openEyes({ program, folder, scratch }: EyesOptions): Promise<Eyes> {
  let starts = 0
  const start = (): Browser => startBrowser(program, `${scratch}/browser-${++starts}`)
  let browser = start()
  // The page that is needed next is opened before it is: that takes as long as most looks.
  let next: Promise<Page> | null = openPage(browser.cdp).catch((cause: unknown) => {
    throw new NoBrowser(`${program} does not run here`, { cause })
  })
  const [site] = await Promise.all([openSite(folder, `${scratch}/vite`), next]).catch((error: unknown) => {
    browser.close()
    throw error
  })
  const begin = (theme: LookRequest['theme'], app: string | null) => {
    site.refresh()
    const snapshot = readSnapshot(folder)
    if (theme !== undefined) setTheme(snapshot, theme)
    const window = app === null ? null : windowOf(app, snapshot)
    site.computer.reset(snapshot, window === null ? [] : [window])
    return { snapshot, title: window?.title ?? '' }
  }
  /** A page that hangs takes the process with it that others of the same site would get. */
  const withPage = async <Result>(
    view: { readonly width: number; readonly height: number },
    theme: 'dark' | 'light',
    use: (page: Page) => Promise<Result>,
  ): Promise<Result> => {
    const page = await (next ?? openPage(browser.cdp))
    next = null
    try {
      await page.open(site.address, { width: view.width, height: view.height, theme })
      return await use(page)
    } catch (error) {
      if (error instanceof NoAnswer) {
        browser.close()
        browser = start()
      }
      throw error
    } finally {
      void page.close()
    }
  }
  const prepareNext = () => {
    next = openPage(browser.cdp)
    next.catch(() => (next = null)) // It is opened when it is needed, and whoever needs it is told.
  }
  return {
    async look(request) {
      const { app = null, width, height } = request
      const { snapshot, title } = begin(request.theme, app)
      if (app !== null && !snapshot.entries().has(`app/apps/${app}/app.tsx` as TreePath)) return noSuch(app, snapshot)
      let heard: Page | null = null
      try {
        return await withPage(request, themeOf(snapshot), (page) => {
          heard = page
          return seePage(page, request, { title, site, folder })
        }).finally(prepareNext)
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        const said = heard as Page | null
        const findings = [
          { message: `${HANGS}, at ${width} × ${height}`, places: [] },
          ...findingsOf(said, 0, site, folder),
        ]
        return { findings, outline: '', console: [...(said?.console ?? [])], picture: null, notes: [], stopped: null }
      }
    },
    async visit(apps, view) {
      const { snapshot } = begin(undefined, null)
      const visited: Visited[] = []
      await withPage(view, themeOf(snapshot), async (page) => {
        for (const app of [null, ...apps]) visited.push(await visitOne(page, app, { view, site, folder, snapshot }))
      }).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error
        const app = [null, ...apps][visited.length] ?? null
        visited.push({ app, findings: [{ message: HANGS, places: [] }], picture: null })
      })
      return visited
    },
    async close() {
      browser.close()
      await site.close()
    },
  }
}

interface Visiting {
  readonly view: { readonly width: number; readonly height: number }
  readonly site: Site
  readonly folder: string
  readonly snapshot: Snapshot
}

async function visitOne(page: Page, app: string | null, { view, site, folder, snapshot }: Visiting): Promise<Visited> {
  const before = app === null ? 0 : page.complaints.length
  const window = app === null ? null : windowOf(app, snapshot)
  if (window !== null) site.computer.open(window)
  await untilShown(page, window !== null, before)
  await page.settled()
  const shown = await page.evaluate<Shown>(lookAtPage(WINDOW, window?.title ?? ''))
  const picture = await page.picture(shown.window?.box)
  if (window !== null) await closeWindow(page, site)
  const findings = [
    ...findingsOf(page, before, site, folder),
    ...wrongWith(shown, app, `${view.width} × ${view.height}`),
  ]
  return { app, findings, picture }
}

async function closeWindow(page: Page, site: Site): Promise<void> {
  site.computer.close(WINDOW)
  const deadline = performance.now() + AFTER_THROW_MS
  while (performance.now() < deadline && (await page.evaluate<boolean>(HAS_WINDOW))) await delay(LOOK_EVERY_MS)
}

function setTheme(snapshot: Snapshot, theme: 'dark' | 'light'): void {
  const from = snapshot.entries().get(THEME)?.object ?? null
  snapshot.change([{ op: 'write', path: THEME, content: { text: JSON.stringify({ theme }) }, from }])
}

/** As the desktop reads it. */
function themeOf(snapshot: Snapshot): 'dark' | 'light' {
  const text = snapshot.bytes(THEME)?.toString('utf8') ?? ''
  return /"theme"\s*:\s*"light"/.test(text) ? 'light' : 'dark'
}

/** With the title that the shell would give it. */
function windowOf(app: string, snapshot: Snapshot): WindowState {
  const source = snapshot.bytes(`app/apps/${app}/app.tsx`)?.toString('utf8') ?? ''
  const title = /\btitle:\s*['"]([^'"\n]+)['"]/.exec(source)?.[1] ?? app
  return { window: WINDOW, app, title, wide: null, narrow: null }
}

interface Seeing {
  /** Of the window that was opened; empty where none was. */
  readonly title: string
  readonly site: Site
  readonly folder: string
}

async function seePage(page: Page, request: LookRequest, { title, site, folder }: Seeing): Promise<Seen> {
  const { app = null, width, height, steps } = request
  await untilShown(page, app !== null, 0)
  await page.settled()
  const { notes, stopped } = await actAll(page, steps)
  const shown = await page.evaluate<Shown>(lookAtPage(WINDOW, title))
  const [outline, picture] = await Promise.all([page.outline(), page.picture(request.close ? shown.window?.box : null)])
  // What a step did on purpose is not wrong: a window may be closed by one.
  const wrong = steps.length === 0 ? wrongWith(shown, app, `${width} × ${height}`) : []
  return {
    findings: [...findingsOf(page, 0, site, folder), ...wrong].slice(0, LIMITS.lookFindingsMax),
    outline: outline.slice(0, LIMITS.lookOutlineCharsMax).toWellFormed(),
    console: [...page.console],
    picture,
    notes,
    stopped,
  }
}

const HAS_WINDOW = `document.querySelector('[role="dialog"][data-window="${WINDOW}"]') !== null`
const HAS_TASKBAR = `document.querySelector('[role="toolbar"]') !== null`

async function untilShown(page: Page, hasWindow: boolean, before: number): Promise<void> {
  const deadline = performance.now() + READY_MS
  let thrownMs: number | null = null
  while (performance.now() < deadline) {
    if (await page.evaluate<boolean>(hasWindow ? HAS_WINDOW : HAS_TASKBAR)) return
    if (page.complaints.slice(before).some(({ kind }) => kind === 'throw')) thrownMs ??= performance.now()
    if (thrownMs !== null && performance.now() - thrownMs > AFTER_THROW_MS) return
    await delay(LOOK_EVERY_MS)
  }
}

async function actAll(page: Page, steps: readonly LookStep[]): Promise<Pick<Seen, 'notes' | 'stopped'>> {
  const notes: string[] = []
  const say = (index: number, words: string) => `step ${index + 1}: ${words}`.slice(0, 1000).toWellFormed()
  const mayMs = stepsMs(steps)
  const deadlineMs = performance.now() + mayMs
  for (const [index, step] of steps.entries()) {
    if (performance.now() > deadlineMs)
      return { notes, stopped: say(index, `those before took all ${mayMs / 1000} s: the page keeps the browser busy`) }
    try {
      const note = await page.act(step)
      if (note !== null) notes.push(say(index, note))
    } catch (error) {
      if (error instanceof NoAnswer) throw error
      return { notes, stopped: say(index, error instanceof Error ? error.message : String(error)) }
    }
  }
  return { notes, stopped: null }
}

function findingsOf(page: Page | null, from: number, site: Site, folder: string): Finding[] {
  return (page?.complaints ?? []).slice(from).map((one) => toFinding(one, site, folder))
}

function toFinding({ kind, message, frames }: Complaint, site: Site, folder: string): Finding {
  return {
    message: kind === 'throw' ? message : `console: ${message}`,
    places: placesOf(frames, site, folder).slice(0, LIMITS.lookPlacesMax),
  }
}

/** An empty window without an error would pass for an app that works. */
function noSuch(app: string, snapshot: Snapshot): Seen {
  const apps = [...snapshot.entries().keys()].flatMap((path) => /^app\/apps\/([^/]+)\/app\.tsx$/.exec(path)?.[1] ?? [])
  const message = `there is no app ${JSON.stringify(app)} to open; there are ${apps.join(', ')}`.slice(0, 1000)
  return { findings: [{ message, places: [] }], outline: '', console: [], picture: null, notes: [], stopped: null }
}
