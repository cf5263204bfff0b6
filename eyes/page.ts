import { LIMITS } from '@choiros/contract/limits.ts'
import type { LookStep, SentPicture } from '@choiros/contract/look.ts'
import { perform } from './act.ts'
import { complaintIn, lineIn, type Complaint } from './complaints.ts'
import type { Cdp, CdpEvent } from './cdp.ts'
import { outlineOf, type AxNode } from './outline.ts'
import type { Box } from './shown.ts'
import { createSettler, createWaiter } from './wait.ts'

/** One tab of the browser. */
export interface Page {
  readonly complaints: readonly Complaint[]
  readonly console: readonly string[]
  open(address: string, view: PageView): Promise<void>
  /**
   * Evaluates in a world of its own: it has the page's elements, but the page's scripts cannot reach it, so none of
   * them can make `querySelector` lie.
   */
  evaluate<Result>(expression: string): Promise<Result>
  /** Resolves when the page has shown nothing new for a moment, or has no end of it. */
  settled(): Promise<void>
  /** Resolves with what whoever asked for the step may not expect of it. */
  act(step: LookStep): Promise<string | null>
  outline(): Promise<string>
  /** A JPEG of all that is seen, or of a part of it. */
  picture(part?: Box | null): Promise<SentPicture>
  close(): Promise<void>
}

interface PageView {
  readonly width: number
  readonly height: number
  readonly theme: 'dark' | 'light'
}

const COMPLAINTS_MAX = 40
/** Who writes more than this is not read on: it would keep this process from everything else. */
const HEARD_MAX = 1000
const WORLD = 'choir'
const QUALITY = 72

/** An empty one, ready to be shown something. */
export async function openPage(cdp: Cdp): Promise<Page> {
  const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
  const send = <Result = Record<string, unknown>>(method: string, params: object = {}) =>
    cdp.send<Result>(method, params, sessionId)
  const ear = createEar(() => void Promise.all([send('Runtime.disable'), send('Log.disable')]).catch(() => {}))
  const off = cdp.on((event) => event.session === sessionId && ear.hear(event))
  let frameId = ''
  let size = { width: 0, height: 0 }
  await Promise.all([
    send('Page.enable'),
    send('Runtime.enable'),
    send('Log.enable'),
    send('DOM.enable'),
    send('Network.enable').then(() => send('Network.setCacheDisabled', { cacheDisabled: true })),
    send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH, worldName: WORLD }),
  ])
  const world = async () => {
    // Asked for each time: a page that loads itself again has another one.
    const { executionContextId } = await send<{ executionContextId: number }>('Page.createIsolatedWorld', {
      frameId,
      worldName: WORLD,
    })
    return executionContextId
  }
  const evaluate = async <Result>(expression: string): Promise<Result> => {
    const { result } = await send<{ result: { value?: Result } }>('Runtime.evaluate', {
      expression,
      contextId: await world(),
      returnByValue: true,
    })
    return result.value as Result
  }
  const nodes = async () => (await send<{ nodes: AxNode[] }>('Accessibility.getFullAXTree')).nodes
  const wait = createWaiter({ nodes, text: async () => (await evaluate<string | undefined>(TEXT)) ?? '' })
  const quietMs = () => evaluate<number>('performance.now() - (globalThis.choirMoved ?? 0)')
  const settledAfterStep = createSettler(quietMs, LIMITS.lookStillMsMax)

  return {
    complaints: ear.complaints,
    console: ear.lines,
    async open(address, { width, height, theme }) {
      size = { width, height }
      await Promise.all([
        send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: width < 700 }),
        send('Emulation.setEmulatedMedia', {
          features: [
            { name: 'prefers-color-scheme', value: theme },
            { name: 'prefers-reduced-motion', value: 'reduce' },
          ],
        }),
      ])
      ;({ frameId } = await send<{ frameId: string }>('Page.navigate', { url: address }))
    },
    evaluate,
    settled: createSettler(quietMs, Number.POSITIVE_INFINITY),
    async act(step) {
      let note: string | null = null
      if ('wait' in step) await wait(step)
      else note = await perform(step, { send, nodes, evaluate, world })
      // Before anything has come of it the page is as quiet as it was.
      await evaluate('globalThis.choirMoved = performance.now()')
      await settledAfterStep()
      return note
    },
    outline: async () => outlineOf(await nodes()),
    async picture(part = null) {
      // What has no size, or lies outside, is shown with all around it.
      const box = part !== null && part.width > 0 && part.height > 0 ? part : { x: 0, y: 0, ...size }
      const clip = { ...box, scale: 1 }
      const { data } = await send<{ data: string }>('Page.captureScreenshot', {
        format: 'jpeg',
        quality: QUALITY,
        clip,
      })
      return { base64: data, width: box.width, height: box.height }
    },
    async close() {
      off()
      await cdp.send('Target.closeTarget', { targetId }).catch(() => {})
    },
  }
}

/** What the page says, as much of it as is worth hearing. */
function createEar(stop: () => void) {
  const complaints: Complaint[] = []
  const lines: string[] = []
  let heard = 0
  return {
    complaints,
    lines,
    hear(event: CdpEvent): void {
      if (heard > HEARD_MAX) return
      const complaint = complaintIn(event)
      const line = lineIn(event)
      if (complaint === null && line === null) return
      if (complaint !== null && complaints.length < COMPLAINTS_MAX) complaints.push(complaint)
      if (line !== null && lines.length < LIMITS.lookConsoleMax) lines.push(line)
      if (++heard <= HEARD_MAX) return
      complaints.push({ kind: 'console', message: 'it writes to the console without end', frames: [] })
      stop()
    },
  }
}

const TEXT = `(document.body?.innerText ?? '').slice(0, ${LIMITS.lookOutlineCharsMax})`

/** Remembers when the page last changed. */
const WATCH = `
addEventListener('DOMContentLoaded', () =>
  new MutationObserver(() => (globalThis.choirMoved = performance.now())).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true,
  }),
)`
