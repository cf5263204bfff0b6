import { readVersion, writeText } from '@choiros/sdk/choir.ts'
import { hasFile } from '@choiros/sdk/live.ts'
import { createDocument, type WriterDocument } from '@choiros/sdk/document.ts'

interface Open {
  readonly document: WriterDocument
  /** The window's title, which lags behind when the document is renamed. */
  title: string
  users: number
  /** Where the caret was when the window was last taken down, and whether it had the keys. */
  caret: { start: number; end: number; scroll: number; focused: boolean } | null
}

/** By window, kept across hot updates: what is typed and not saved yet lives here. */
const open = ((globalThis as { choirDocuments?: Map<string, Open> }).choirDocuments ??= createOpen())

const FORGET_AFTER_MS = 5000

function createOpen(): Map<string, Open> {
  const documents = new Map<string, Open>()
  addEventListener('pagehide', () => {
    for (const { document } of documents.values()) document.saveLast()
  })
  addEventListener('beforeunload', (event) => {
    // Only where saving has failed: then leaving loses words, and the person must be asked.
    if ([...documents.values()].some(({ document }) => document.view().unsaved && document.view().failure !== null)) event.preventDefault()
  })
  return documents
}

export function documentOf(window: string, path: string): Open {
  const known = open.get(window)
  if (known !== undefined && (known.title === path || known.document.path() === path)) {
    known.title = path
    return known
  }
  void known?.document.save()
  const made: Open = { document: createDocument(path, { read: readVersion, write: writeText, has: hasFile }), title: path, users: 0, caret: null }
  open.set(window, made)
  return made
}

/** Counts the mounted windows of a document. One that is closed is saved, and forgotten only when that has worked. */
export function holdDocument(window: string, used: Open): () => void {
  used.users++
  return () => {
    used.users--
    void used.document.save()
    setTimeout(() => {
      if (used.users === 0 && !used.document.view().unsaved && open.get(window) === used) open.delete(window)
    }, FORGET_AFTER_MS)
  }
}
