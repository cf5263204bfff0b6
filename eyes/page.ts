import { setTimeout as delay } from 'node:timers/promises'
import type { Cdp, CdpEvent } from './cdp.ts'
import { findNamed, outlineOf, type AxNode } from './outline.ts'
import type { Frame } from './stack.ts'

/** What somebody does in a page, by the names that a screen reader would say. */
export type Action =
  | { readonly click: string; readonly role?: string | undefined }
  | { readonly type: string }
  | { readonly press: string }

/** Something that the page complained about. */
export interface Complaint {
  readonly kind: 'throw' | 'console'
  readonly message: string
  readonly frames: readonly Frame[]
}

/** One tab of the browser. */
export interface Page {
  readonly complaints: readonly Complaint[]
  open(address: string): Promise<void>
  evaluate<Result>(expression: string): Promise<Result>
  /** Resolves when the page has shown nothing new for a moment, or has no end of it. */
  settled(): Promise<void>
  act(action: Action): Promise<void>
  outline(): Promise<string>
  picture(): Promise<string>
  close(): Promise<void>
}

export interface PageOptions {
  readonly width: number
  readonly height: number
  readonly theme: 'dark' | 'light'
}

const QUIET_MS = 150
const SETTLE_MS_MAX = 1500
const COMPLAINTS_MAX = 50
const MESSAGE_CHARS_MAX = 1000

export async function openPage(cdp: Cdp, { width, height, theme }: PageOptions): Promise<Page> {
  const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
  })
  const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
  const send = <Result = Record<string, unknown>>(method: string, params: object = {}) =>
    cdp.send<Result>(method, params, sessionId)
  const complaints: Complaint[] = []
  const off = cdp.on((event) => {
    if (event.session !== sessionId || complaints.length >= COMPLAINTS_MAX) return
    const complaint = complaintIn(event)
    if (complaint !== null) complaints.push(complaint)
  })
  await Promise.all([
    send('Page.enable'),
    send('Runtime.enable'),
    send('Log.enable'),
    send('DOM.enable'),
    send('Network.enable').then(() => send('Network.setCacheDisabled', { cacheDisabled: true })),
    send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 700 }),
    send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: theme },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ],
    }),
    send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH }),
  ])
  const evaluate = async <Result>(expression: string): Promise<Result> => {
    const { result } = await send<{ result: { value?: Result } }>('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })
    return result.value as Result
  }
  const nodes = async () => (await send<{ nodes: AxNode[] }>('Accessibility.getFullAXTree')).nodes
  const settled = async () => {
    const deadline = performance.now() + SETTLE_MS_MAX
    while (performance.now() < deadline) {
      if ((await evaluate<number>(`performance.now() - (globalThis.choirMoved ?? 0)`)) > QUIET_MS) return
      await delay(30)
    }
  }

  return {
    complaints,
    async open(address) {
      await send('Page.navigate', { url: address })
    },
    evaluate,
    settled,
    async act(action) {
      await perform(action, send, nodes)
      await settled()
    },
    outline: async () => outlineOf(await nodes()),
    picture: async () => (await send<{ data: string }>('Page.captureScreenshot', { format: 'jpeg', quality: 80 })).data,
    async close() {
      off()
      await cdp.send('Target.closeTarget', { targetId }).catch(() => {})
    },
  }
}

/** Remembers when the page last changed. */
const WATCH = `
addEventListener('DOMContentLoaded', () =>
  new MutationObserver(() => (globalThis.choirMoved = performance.now())).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true,
  }),
)`

type Send = <Result = Record<string, unknown>>(method: string, params?: object) => Promise<Result>

async function perform(action: Action, send: Send, nodes: () => Promise<AxNode[]>): Promise<void> {
  if ('type' in action) return void (await send('Input.insertText', { text: action.type }))
  if ('press' in action) return press(action.press, send)
  const found = findNamed(await nodes(), action.click, action.role ?? null)
  if (found?.backendDOMNodeId === undefined)
    throw new Error(`there is nothing called ${JSON.stringify(action.click)} to click`)
  const { backendDOMNodeId } = found
  await send('DOM.scrollIntoViewIfNeeded', { backendNodeId: backendDOMNodeId }).catch(() => {})
  const { model } = await send<{ model: { border: number[] } }>('DOM.getBoxModel', { backendNodeId: backendDOMNodeId })
  const [left = 0, top = 0, , , right = 0, bottom = 0] = model.border
  const at = { x: (left + right) / 2, y: (top + bottom) / 2, button: 'left', clickCount: 1 }
  await send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at, button: 'none' })
  await send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at })
  await send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at })
}

const SHIFT = 8
const MODIFIERS: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: SHIFT }
const KEYS: Readonly<Record<string, number>> = {
  Enter: 13,
  Escape: 27,
  Tab: 9,
  Backspace: 8,
  Delete: 46,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Home: 36,
  End: 35,
  PageUp: 33,
  PageDown: 34,
  Space: 32,
}

/** One key, such as "Enter" or "Control+a". */
async function press(keys: string, send: Send): Promise<void> {
  const parts = keys.split('+').filter((part) => part !== '')
  const named = parts.pop() ?? '+'
  const key = named === 'Space' ? ' ' : named
  const modifiers = parts.reduce((sum, part) => sum + (MODIFIERS[part] ?? 0), 0)
  const code = KEYS[named] ?? key.toUpperCase().charCodeAt(0)
  const words = key === 'Enter' ? '\r' : key.length === 1 && (modifiers & ~SHIFT) === 0 ? key : undefined
  const event = {
    key,
    code: key.length === 1 && /[a-z]/i.test(key) ? `Key${key.toUpperCase()}` : named,
    windowsVirtualKeyCode: code,
    modifiers,
  }
  await send('Input.dispatchKeyEvent', {
    type: words === undefined ? 'rawKeyDown' : 'keyDown',
    ...event,
    ...(words === undefined ? {} : { text: words }),
  })
  await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
}

interface Thrown {
  readonly exceptionDetails: {
    readonly text: string
    readonly url?: string
    readonly lineNumber: number
    readonly columnNumber: number
    readonly exception?: { readonly description?: string; readonly value?: unknown }
    readonly stackTrace?: { readonly callFrames: readonly Frame[] }
  }
}
interface Said {
  readonly type: string
  readonly args: readonly { readonly value?: unknown; readonly description?: string }[]
  readonly stackTrace?: { readonly callFrames: readonly Frame[] }
}
interface Logged {
  readonly entry: { readonly level: string; readonly text: string; readonly url?: string; readonly source: string }
}

function complaintIn({ method, params }: CdpEvent): Complaint | null {
  if (method === 'Runtime.exceptionThrown') return thrownIn(params as unknown as Thrown)
  if (method === 'Runtime.consoleAPICalled') return writtenIn(params as unknown as Said)
  if (method !== 'Log.entryAdded') return null
  const { level, text, url = '' } = (params as unknown as Logged).entry
  if (level !== 'error' || url.endsWith('/favicon.ico')) return null
  return { kind: 'console', message: clip(`${text} ${url}`), frames: [] }
}

function thrownIn({ exceptionDetails }: Thrown): Complaint {
  const { text, exception, stackTrace, url = '', lineNumber, columnNumber } = exceptionDetails
  const words = exception?.description ?? (exception?.value === undefined ? text : wordOf(exception.value))
  const frames = stackTrace?.callFrames ?? [{ url, lineNumber, columnNumber, functionName: '' }]
  // What is reported again has the stack of where it was reported; the error itself knows where it was thrown.
  const thrown = framesIn(words)
  return { kind: 'throw', message: clip(headOf(words)), frames: thrown.length > 0 ? thrown : frames }
}

function writtenIn({ type, args, stackTrace }: Said): Complaint | null {
  if (type !== 'error' && type !== 'assert') return null
  // React writes an error that was caught as one of several things.
  const caught = args.find(({ value, description = '' }) => value === undefined && description.includes('\n    at '))
  if (caught?.description !== undefined)
    return { kind: 'throw', message: clip(headOf(caught.description)), frames: framesIn(caught.description) }
  const words = args.map(({ value, description }) => (value === undefined ? (description ?? '') : wordOf(value)))
  return { kind: 'console', message: clip(withoutForm(words)), frames: stackTrace?.callFrames ?? [] }
}

/** An error's own words, without its stack. */
function headOf(description: string): string {
  return description.split('\n    at ')[0] ?? description
}

const FRAME = /^\s+at (?:(?:async )?([^\s(]+)[^(\n]*\()?(https?:[^\s()]+?):(\d+):(\d+)\)?$/gm

function framesIn(description: string): Frame[] {
  return [...description.matchAll(FRAME)].map(([, functionName = '', url = '', line, column]) => ({
    functionName,
    url,
    lineNumber: Number(line) - 1,
    columnNumber: Number(column) - 1,
  }))
}

/** The parts of a message, without the signs that say how to write them. */
function withoutForm([first = '', ...rest]: readonly string[]): string {
  const parts = first.split(/%[a-zA-Z]/)
  const used = parts.length - 1
  const filled = parts.map((part, index) => part + (index < used ? (rest[index] ?? '') : '')).join('')
  return [filled, ...rest.slice(used)].join(' ').trim()
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function clip(words: string): string {
  return words.slice(0, MESSAGE_CHARS_MAX).toWellFormed()
}
