import type { CdpEvent } from './cdp.ts'
import type { Frame } from './stack.ts'

/** Something that the page complained about. */
export interface Complaint {
  readonly kind: 'throw' | 'console'
  readonly message: string
  readonly frames: readonly Frame[]
}

const MESSAGE_CHARS_MAX = 900
/** In every page, and never of use to who looks at it. */
const REACT_ADVERTISES = 'Download the React DevTools'

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

export function complaintIn({ method, params }: CdpEvent): Complaint | null {
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

/** One line of the console, of whatever kind; null where the event is none. */
export function lineIn({ method, params }: CdpEvent): string | null {
  if (method !== 'Runtime.consoleAPICalled') return null
  const { type, args } = params as unknown as Said
  const words = args.map(({ value, description }) => (value === undefined ? (description ?? '') : wordOf(value)))
  if (words[0]?.includes(REACT_ADVERTISES)) return null
  return clip(`${type}: ${withoutForm(words)}`)
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function clip(words: string): string {
  return words.slice(0, MESSAGE_CHARS_MAX).toWellFormed()
}
