import { useEffect, useState, useSyncExternalStore } from 'react'
import { explain, hasCode, readVersion, writeText } from './choir.ts'
import type { Storage } from './document.ts'
import { onReturn, useLive } from './live.ts'
import { mergeSeen, type Json } from '@choiros/core/everywhere/merge-values.ts'
import { holdReload } from './unsaved.ts'

export interface StoredView<Value> {
  readonly phase: 'loading' | 'ready' | 'unreadable'
  readonly value: Value
  readonly failure: string | null
}

export type Stored<Value> = ReturnType<typeof createStored<Value>>

const RETRY_MS = [500, 1000, 2000, 5000, 15_000]
/** If another write comes before a merge is saved, it is merged again, at most this often before a pause. */
const MERGES_MAX = 8

/**
 * One value in one JSON file. A change shows at once and is written over the version it is based on; a version from
 * elsewhere is merged in by key, so that two pages which each add something both keep it. A file that is no JSON is
 * left alone: it is a person's, and saving over it would lose it.
 */
export function createStored<Value>(path: string, fallback: Value, storage: Pick<Storage, 'read' | 'write'>) {
  let base: { object: string | null; value: Value } = { object: null, value: fallback }
  let view: StoredView<Value> = { phase: 'loading', value: fallback, failure: null }
  let told: string | null | undefined
  let busy = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const watchers = new Set<() => void>()

  const publish = (next: Partial<StoredView<Value>>) => {
    view = { ...view, ...next }
    for (const watcher of watchers) watcher()
  }
  const isDirty = () => view.value !== base.value

  async function pull(): Promise<void> {
    const asked = told
    const found = await storage.read(path)
    if (told === asked) told = undefined
    const theirs = found === null ? fallback : (parse(path, found.text) as Value)
    const merged = isDirty() ? (mergeSeen(base.value as Json, view.value as Json, theirs as Json) as Value) : theirs
    base = { object: found?.object ?? null, value: theirs }
    publish({ phase: 'ready', value: merged, failure: null })
  }

  /** True: another version stands there, and a pull has to come first. */
  async function push(): Promise<boolean> {
    const sent = view.value
    try {
      base = { object: await storage.write(path, `${JSON.stringify(sent, null, 2)}\n`, base.object), value: sent }
      if (told === base.object) told = undefined
      return false
    } catch (error) {
      if (hasCode(error, 'file.conflict')) return true
      throw error
    }
  }

  async function sync(): Promise<void> {
    clearTimeout(timer)
    if (busy) return
    busy = true
    try {
      for (let turn = 0; turn < MERGES_MAX && (view.phase !== 'ready' || told !== undefined || isDirty()); turn++) {
        if (view.phase !== 'ready' || told !== undefined || (await push())) await pull()
      }
      failures = 0
      if (view.failure !== null) publish({ failure: null })
    } catch (error) {
      const unreadable = hasCode(error, 'file.not-json')
      publish({ failure: explain(error), ...(unreadable ? { phase: 'unreadable' } : {}) })
      // An unreadable file stays so until another version is announced.
      if (!unreadable) timer = setTimeout(() => void sync(), RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)])
    }
    busy = false
    if (view.failure === null && (told !== undefined || isDirty())) timer = setTimeout(() => void sync(), RETRY_MS[0])
  }

  void sync()
  return {
    view: () => view,
    watch: (watcher: () => void) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** Ignored while the file is not loaded or not readable: a change must start from what is there. */
    update(change: (value: Value) => Value) {
      if (view.phase !== 'ready') return
      publish({ value: change(view.value) })
      void sync()
    },
    hasUnsaved: isDirty,
    /** What failed before may work now. */
    retry() {
      if (view.failure !== null && view.phase !== 'unreadable') void sync()
    },
    /** Called when another version is announced. */
    tell(object: string | null) {
      if (object === base.object && view.phase !== 'unreadable') return
      told = object
      void sync()
    },
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw Object.assign(
      new Error(`${path} is not JSON, so it is left as it is. Mend or delete it in Files.`, { cause }),
      { code: 'file.not-json' },
    )
  }
}

/**
 * Kept across hot updates: a value that is changed and not written yet must not be lost with a component. Created at
 * the first use, because only then there is surely a page.
 */
const keptStored = () => ((globalThis as { choirStored?: Map<string, Stored<unknown>> }).choirStored ??= createKept())

function createKept(): Map<string, Stored<unknown>> {
  const made = new Map<string, Stored<unknown>>()
  onReturn(() => made.forEach((stored) => stored.retry()))
  holdReload(() => [...made.values()].some((stored) => stored.hasUnsaved()))
  return made
}

/**
 * A value of this computer's, in a file of its own; `fallback` is a constant. Shared by all pages, undone like any
 * file.
 */
export function useStored<Value>(path: string, fallback: Value): StoredView<Value> & Pick<Stored<Value>, 'update'> {
  const { files, connected } = useLive()
  const [stored] = useState(() => {
    const kept = keptStored()
    const made = kept.get(path) ?? createStored<unknown>(path, fallback, { read: readVersion, write: writeText })
    kept.set(path, made)
    return made as Stored<Value>
  })
  const object = files.get(path)?.object ?? null
  useEffect(() => stored.tell(object), [stored, object, connected])
  return { ...useSyncExternalStore(stored.watch, stored.view), update: stored.update }
}
