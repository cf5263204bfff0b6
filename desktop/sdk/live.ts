import { useSyncExternalStore } from 'react'
import { run } from './choir.ts'
import { changesOf } from '@choiros/core/everywhere/changes.ts'
import type { Entry, EventLine, LiveEvent, Said, Window } from './contract.ts'

export { changesOf } from '@choiros/core/everywhere/changes.ts'
export type { LiveEvent } from './contract.ts'

interface Live {
  readonly connected: boolean
  /** Files and windows have been loaded, and are not just empty yet. */
  readonly loaded: boolean
  readonly files: ReadonlyMap<string, Entry>
  readonly windows: readonly Window[]
  readonly events: readonly LiveEvent[]
}

const EVENTS_KEPT = 500
const REACHED_MS = 2000
const RETRY_MS = [200, 400, 800]
/** The gateway's word for a log that cannot be read on: asking at once would hear the same. */
const LOG_ENDED = 1011

/** Kept across hot updates of this very file: a rewrite of the desktop must not lose its connection. */
const kept = ((globalThis as { choirLive?: Kept }).choirLive ??= createKept())

interface Kept {
  live: Live
  /** The map behind `live.files`. */
  files?: Map<string, Entry>
  seq: number
  listeners: Set<() => void>
  eventListeners: Set<(event: LiveEvent) => void>
  started: boolean
  /** The shown files are older than the log: the next connection loads them again. */
  behind?: boolean
  spoken?: Said | null
  returnListeners?: Set<() => void>
}

function createKept(): Kept {
  return {
    live: { connected: false, loaded: false, files: new Map(), windows: [], events: [] },
    seq: 0,
    listeners: new Set(),
    eventListeners: new Set(),
    started: false,
  }
}

/**
 * A new object for every change, so that components see that the files differ; the map itself is not copied: a typed
 * letter must not cost a copy of all files.
 */
function viewOf(files: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
  return {
    get size() {
      return files.size
    },
    get: (path) => files.get(path),
    has: (path) => files.has(path),
    keys: () => files.keys(),
    values: () => files.values(),
    entries: () => files.entries(),
    forEach: (call, self) => files.forEach(call, self),
    [Symbol.iterator]: () => files[Symbol.iterator](),
  }
}

function set(next: Partial<Live>): void {
  kept.live = { ...kept.live, ...next }
  for (const listener of kept.listeners) listener()
}

/** A load that is older than the events is made again, at most this often. */
const LOADS_MAX = 5

async function load(attempt = 1): Promise<void> {
  const tree = await run('tree', { at: null })
  // After it: a window that opens in between is in the list, or its event is still to come.
  const windows = await run('window.list', {})
  // Older than what the events have shown meanwhile: to take it would bring deleted files back.
  if (tree.seq < kept.seq) {
    if (attempt < LOADS_MAX) return load(attempt + 1)
    setTimeout(reload, REACHED_MS)
    return
  }
  kept.files = new Map(Object.entries(tree.files))
  set({ loaded: true, files: viewOf(kept.files), windows })
  kept.seq = Math.max(kept.seq, tree.seq)
}

/** Loads what events do not tell. If that fails the connection is gone too, and the next connection loads again. */
function reload(): void {
  load().catch(() => void (kept.behind = true))
}

/**
 * Follows the log, and after a lost connection resumes after the last event seen; nothing of record is kept in the
 * browser.
 */
function follow(after: number, attempt: number): void {
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/choir/events?after=${after}`)
  let opened = false
  socket.addEventListener('open', () => {
    opened = true
    set({ connected: true })
    for (const listener of kept.returnListeners ?? []) listener()
    if (kept.behind === true) {
      kept.behind = false
      reload()
    }
  })
  socket.addEventListener('message', (message) => {
    const told = JSON.parse(String(message.data)) as EventLine
    if ('live' in told) hear(told.live)
    else if ('damaged' in told) passOver(told.damaged)
    else receive(told)
  })
  socket.addEventListener('close', ({ code }) => {
    set({ connected: false })
    const next = opened && code !== LOG_ENDED ? 0 : attempt + 1
    setTimeout(() => follow(kept.seq, next), RETRY_MS[Math.min(next, RETRY_MS.length - 1)])
  })
}

function receive(event: LiveEvent): void {
  const events = [...kept.live.events, event].slice(-EVENTS_KEPT)
  if (event.seq <= kept.seq) return set({ events })
  kept.seq = event.seq
  const changes = changesOf(event)
  if (('manifest' in event.data && event.data.manifest !== null) || event.type === 'restore') reload()
  if (changes.length > 0) {
    const files = (kept.files ??= new Map(kept.live.files))
    for (const { path, to } of changes) {
      if (to === null) files.delete(path)
      else files.set(path, to)
    }
    set({ events, files: viewOf(files) })
  } else set({ events })
  const windows = applyWindow(kept.live.windows, event)
  if (windows !== kept.live.windows) set({ windows })
  for (const listener of kept.eventListeners) listener(event)
}

/** An event that cannot be read any more. What it did is in the tables, and is asked for. */
function passOver(seq: number): void {
  if (seq <= kept.seq) return
  kept.seq = seq
  reload()
}

function hear(spoken: Said): void {
  kept.spoken = spoken
  for (const listener of kept.listeners) listener()
}

function applyWindow(windows: readonly Window[], { type, data }: LiveEvent): readonly Window[] {
  const replace = (id: string, next: Partial<Window>) =>
    windows.map((other) => (other.window === id ? { ...other, ...next } : other))
  switch (type) {
    case 'window.open': {
      const { window, app, title } = data
      const isOpen = windows.some((other) => other.window === window)
      return isOpen ? replace(window, { app, title }) : [...windows, { window, app, title, wide: null, narrow: null }]
    }
    case 'window.close':
      return windows.filter(({ window }) => window !== data.window)
    case 'window.settle':
      return replace(data.window, { [data.device]: data.geometry })
    default:
      return windows
  }
}

function start(): void {
  if (kept.started) return
  kept.started = true
  const begin = (attempt: number) => {
    load().then(
      () => follow(Math.max(0, kept.seq - 200), 0),
      () => setTimeout(() => begin(attempt + 1), RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]),
    )
  }
  begin(0)
}

function subscribe(listener: () => void): () => void {
  start()
  kept.listeners.add(listener)
  return () => void kept.listeners.delete(listener)
}

/** The computer as it is now: files, windows, the newest events. Re-renders when any of them changes. */
export function useLive(): Live {
  return useSyncExternalStore(subscribe, () => kept.live)
}

/** What the model at work is saying right now. */
export function useSpoken(): Said | null {
  return useSyncExternalStore(subscribe, () => kept.spoken ?? null)
}

export function onEvent(listener: (event: LiveEvent) => void): () => void {
  kept.eventListeners.add(listener)
  return () => void kept.eventListeners.delete(listener)
}

/**
 * Called when there is a connection again: what could not be saved is then saved at once, whether or not it is still on
 * the screen.
 */
export function onReturn(listener: () => void): void {
  ;(kept.returnListeners ??= new Set()).add(listener)
}

export function isConnected(): boolean {
  return kept.live.connected
}

/** Whether a file or folder stands at a path, as far as this page has heard. */
export function hasFile(path: string): boolean {
  return kept.live.files.has(path)
}

/** The windows that are open, as far as this page has heard. */
export function openWindows(): readonly Window[] {
  return kept.live.windows
}

/**
 * Resolves when this page has heard of an event, and after a while even without: a lost connection must not block what
 * waits for it.
 */
export function reached(seq: number): Promise<void> {
  if (kept.seq >= seq) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      kept.listeners.delete(check)
      clearTimeout(timer)
      resolve()
    }
    const check = () => kept.seq >= seq && finish()
    const timer = setTimeout(finish, REACHED_MS)
    kept.listeners.add(check)
  })
}
