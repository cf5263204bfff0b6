import { explain, hasCode, type Version } from './choir.ts'
import { mergeTyped } from '@choiros/core/everywhere/merge-text.ts'

export interface Storage {
  read(path: string): Promise<Version | null>
  /** Refused with `file.conflict` unless `from` is the present version; returns the new version. */
  write(path: string, text: string, from: string | null, last?: boolean): Promise<string | null>
  has(path: string): boolean
  /** Which version a text becomes when it is written. */
  nameOf(text: string): Promise<string>
}

export interface View {
  readonly phase: 'loading' | 'ready' | 'unreadable'
  readonly unsaved: boolean
  readonly failure: string | null
  readonly notice: { readonly kind: 'gone' } | { readonly kind: 'conflict'; readonly copy: string } | null
}

export type WriterDocument = ReturnType<typeof createDocument>

const SAVE_AFTER_MS = 400
/** Even if the person never pauses, the text is saved this long after the first unsaved letter. */
const SAVE_WITHIN_MS = 2000
const RETRY_MS = [1000, 2000, 5000, 15_000]
/** If another write comes before a merge is saved, it is merged again, at most this often. */
const MERGES_MAX = 5
const REST_MS = 500
const RESTS_MAX = 100

/**
 * One text being written. It lives outside React: a hot update that mounts the window again must not lose a typed
 * character. Everything that talks to the computer happens in `sync`, one call at a time; `text` is read only after the
 * last `await` before it is used.
 */
export function createDocument(firstPath: string, storage: Storage) {
  let path = firstPath
  let text = ''
  let base: { text: string; object: string | null } = { text: '', object: null }
  let lineEnd = '\n'
  /** The version that another writer has made, as far as we were told; undefined: nothing new. */
  let told: string | null | undefined
  /** What is being saved; its version, once it is known, is what a last save has to be based on. */
  let sending: { object: string | null } | null = null
  let view: View = { phase: 'loading', unsaved: false, failure: null, notice: null }
  let busy = false
  let paused = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let typedAt = 0
  let unsavedAt = 0
  const watchers = new Set<() => void>()
  const replaced = new Set<(before: string, after: string) => void>()

  const publish = (next: Partial<View>) => {
    const unsaved = text !== base.text
    const changed = { ...view, ...next, unsaved }
    if ((Object.keys(changed) as (keyof View)[]).every((key) => changed[key] === view[key])) return
    view = changed
    for (const watcher of watchers) watcher()
  }
  const later = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void sync(), ms)
  }
  const replace = (next: string) => {
    if (next === text) return
    const before = text
    text = next
    for (const listener of replaced) listener(before, next)
    // Also if only the text changed: a view that counts its words must count again.
    for (const watcher of watchers) watcher()
  }
  const adopt = (version: Version) => {
    lineEnd = /\r\n/.test(version.text) && !/[^\r]\n/.test(version.text) ? '\r\n' : '\n'
    base = { object: version.object, text: fromFile(version.text) }
  }
  const asFile = (what: string) => what.replaceAll('\n', lineEnd)
  const save = (where: string, what: string, from: string | null, last = false) =>
    storage.write(where, asFile(what), from, last)

  async function sync(): Promise<void> {
    clearTimeout(timer)
    if (busy || paused || view.phase === 'unreadable') return
    busy = true
    try {
      if (view.phase === 'loading') await open()
      for (let merges = 0; await stepNeeded(); merges++) {
        if (merges === MERGES_MAX) throw new Error('it is being changed faster than the changes can be merged')
        await pull()
      }
      failures = 0
      publish({ failure: null })
    } catch (error) {
      if (hasCode(error, 'file.not-text')) publish({ phase: 'unreadable', failure: explain(error) })
      else publish({ failure: explain(error) })
      later(RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]!)
    }
    busy = false
    if (view.failure === null && (text !== base.text || told !== undefined)) later(SAVE_AFTER_MS)
  }

  async function open(): Promise<void> {
    const version = await storage.read(path)
    if (version === null) return publish({ phase: 'ready', notice: { kind: 'gone' } })
    adopt(version)
    text = base.text
    if (told === base.object) told = undefined
    publish({ phase: 'ready' })
  }

  /** Saves the text. True if there is another version, known or found now: then a pull has to come first. */
  async function stepNeeded(): Promise<boolean> {
    if (told !== undefined) return true
    if (text === base.text) return false
    const sent = text
    unsavedAt = Date.now()
    const own: { object: string | null } = { object: null }
    sending = own
    void storage.nameOf(asFile(sent)).then((object) => (own.object = object))
    try {
      base = { text: sent, object: await save(path, sent, base.object) }
    } catch (error) {
      if (hasCode(error, 'file.conflict')) return true
      throw error
    } finally {
      sending = null
    }
    if (told === base.object) told = undefined
    publish({ notice: view.notice?.kind === 'gone' ? null : view.notice })
    return told !== undefined
  }

  async function pull(): Promise<void> {
    const asked = told
    const asking = path
    const theirs = await storage.read(asking)
    if (asking !== path) return // Renamed meanwhile: a file that is not at the old path any more is not lost.
    if (told === asked) told = undefined
    if (theirs === null) return lose()
    if (theirs.object === base.object) return
    const merged = mergeTyped(base.text, text, fromFile(theirs.text))
    if (merged === null) return keepBoth(theirs)
    adopt(theirs)
    replace(merged)
    publish({ notice: view.notice?.kind === 'gone' ? null : view.notice })
  }

  /**
   * Deleted elsewhere: text that was saved stays only on the screen; text with unsaved changes is written again,
   * because nobody else has seen them yet.
   */
  function lose(): void {
    base = { object: null, text: text === base.text ? text : '' }
    publish({ notice: { kind: 'gone' } })
  }

  /**
   * A true conflict: my text is saved whole as a copy, and theirs appears in the window only when I pause typing, so
   * that no word is torn in two.
   */
  async function keepBoth(theirs: Version): Promise<void> {
    const copy = freeName(path, storage.has)
    let saved: { text: string | null; object: string | null } = { text: null, object: null }
    for (let attempt = 0; attempt < RESTS_MAX; attempt++) {
      const mine = text
      if (saved.text !== mine) saved = { text: mine, object: await save(copy, mine, saved.object) }
      if (Date.now() - typedAt < REST_MS) await new Promise((resolve) => setTimeout(resolve, REST_MS))
      if (mine !== text) continue
      adopt(theirs)
      replace(base.text)
      return publish({ notice: { kind: 'conflict', copy } })
    }
    throw new Error('you are typing faster than both versions can be saved')
  }

  void sync()
  return {
    path: () => path,
    text: () => text,
    view: () => view,
    watch: (watcher: () => void) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    onReplace: (listener: (before: string, after: string) => void) => {
      replaced.add(listener)
      return () => void replaced.delete(listener)
    },
    type(next: string) {
      typedAt = Date.now()
      if (text === base.text) unsavedAt = typedAt
      text = next
      publish({})
      for (const watcher of watchers) watcher()
      if (view.failure === null) later(Math.min(SAVE_AFTER_MS, Math.max(0, unsavedAt + SAVE_WITHIN_MS - typedAt)))
    },
    save: sync,
    /** While letters are being composed, the text must not be replaced. */
    pause(on: boolean) {
      paused = on
      if (!on) void sync()
    },
    tell(object: string | null) {
      told = object === base.object ? undefined : object
      // Another version may be text again.
      if (told !== undefined && view.phase === 'unreadable') publish({ phase: 'loading', failure: null })
      if (told !== undefined || view.failure !== null) void sync()
    },
    follow(newPath: string) {
      path = newPath
      told = undefined
    },
    dismiss: () => publish({ notice: null }),
    /** The page is closing: nobody will wait for the answer. */
    saveLast() {
      if (view.phase !== 'ready' || text === base.text) return
      void save(path, text, sending?.object ?? base.object, true).catch(() => {})
    },
  }
}

/** A textarea knows only one kind of line end; the file's own is put back when it is saved. */
function fromFile(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

export function freeName(path: string, isTaken: (path: string) => boolean): string {
  const dot = path.lastIndexOf('.')
  const [stem, ending] = dot > path.lastIndexOf('/') + 1 ? [path.slice(0, dot), path.slice(dot)] : [path, '']
  let name = `${stem} (conflict)${ending}`
  for (let number = 2; isTaken(name); number++) name = `${stem} (conflict ${number})${ending}`
  return name
}
