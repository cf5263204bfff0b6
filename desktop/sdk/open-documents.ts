import { useEffect, useSyncExternalStore } from 'react'
import { nameOf, readVersion, writeText } from './choir.ts'
import { changesOf, hasFile, onEvent, onReturn, useLive } from './live.ts'
import { createDocument, type View, type WriterDocument } from './document.ts'
import { holdReload } from './unsaved.ts'

export interface OpenDocument {
  readonly document: WriterDocument
  /** The window's title, which lags behind when the document is renamed. */
  title: string
  users: number
  /** Where the caret was when the window was last unmounted, and whether it had the focus. */
  caret: { start: number; end: number; scroll: number; focused: boolean } | null
}

/** By window (or by another holder's id), kept across hot updates: what is typed and not saved yet is here. */
const open = ((globalThis as { choirDocuments?: Map<string, OpenDocument> }).choirDocuments ??= createOpen())

const FORGET_AFTER_MS = 5000
/** Browsers send at most 64 KiB for a page that is gone. */
const LAST_BYTES_MAX = 60 * 1024

function createOpen(): Map<string, OpenDocument> {
  const documents = new Map<string, OpenDocument>()
  onReturn(() => documents.forEach(({ document }) => document.view().failure !== null && void document.save()))
  holdReload(() => [...documents.values()].some(({ document }) => document.view().unsaved))
  addEventListener('pagehide', () => {
    for (const { document } of documents.values()) document.saveLast()
  })
  addEventListener('beforeunload', (event) => {
    // Only where leaving would lose words: if saving has failed, or the text is too long for a page that is closing.
    const isAtRisk = ({ document }: OpenDocument) =>
      document.view().unsaved && (document.view().failure !== null || new Blob([document.text()]).size > LAST_BYTES_MAX)
    if ([...documents.values()].some(isAtRisk)) event.preventDefault()
  })
  return documents
}

function documentOf(window: string, path: string): OpenDocument {
  const known = open.get(window)
  if (known !== undefined && (known.title === path || known.document.path() === path)) {
    known.title = path
    return known
  }
  void known?.document.save()
  const made: OpenDocument = {
    document: createDocument(path, { read: readVersion, write: writeText, has: hasFile, nameOf }),
    title: path,
    users: 0,
    caret: null,
  }
  open.set(window, made)
  return made
}

/** Resolves with a document that is about to be shown in a window, once it can be written in. */
export function openDocument(window: string, path: string): Promise<OpenDocument> {
  const made = documentOf(window, path)
  const { document } = made
  return new Promise((resolve) => {
    const check = () => {
      if (document.view().phase === 'loading') return
      stop()
      resolve(made)
    }
    const stop = document.watch(check)
    check()
  })
}

/** Counts the mounted windows of a document. One that is closed is saved, and forgotten only when that has worked. */
function holdDocument(window: string, used: OpenDocument): () => void {
  used.users++
  return () => {
    used.users--
    void used.document.save()
    setTimeout(() => {
      if (used.users === 0 && !used.document.view().unsaved && open.get(window) === used) open.delete(window)
    }, FORGET_AFTER_MS)
  }
}

/**
 * The document at a path, as it is being written in one window: saved as it is typed, merged with what others write,
 * followed when it is renamed.
 */
export function useDocument(
  window: string,
  path: string,
  onMove: (path: string) => void,
): { readonly open: OpenDocument; readonly view: View } {
  const { files, connected } = useLive()
  const used = documentOf(window, path)
  const { document } = used
  const view = useSyncExternalStore(document.watch, document.view)
  const object = files.get(document.path())?.object ?? null
  useEffect(() => holdDocument(window, used), [window, used])
  useEffect(() => document.tell(object), [document, object, connected])
  useEffect(() =>
    onEvent((event) => {
      const changes = changesOf(event)
      const { notice } = document.view()
      // If the copy was deleted, by anyone, the notice has nothing to point to any more.
      if (notice?.kind === 'conflict' && changes.some(({ path: of, to }) => of === notice.copy && to === null))
        document.dismiss()
      const moved = changes.find((change) => change.movedFrom === document.path())
      if (moved === undefined) return
      document.follow(moved.path)
      onMove(moved.path)
    }),
  )
  return { open: used, view }
}
