import { useEffect, useState } from 'react'
import { change, explain, fileAddress, storeBytes } from '@choiros/sdk/choir.ts'
import type { Operation } from '@choiros/sdk/contract.ts'
import { changesOf, onEvent, useLive } from '@choiros/sdk/live.ts'
import { openWindow } from '@choiros/sdk/windows.ts'
import { folderExists, freeName, isText, joinPath, listFolder, nameProblem, type Item } from './listing.ts'

export type Files = ReturnType<typeof useFiles>

/**
 * One folder at a time, and what can be done in it. Everything shown comes from the live tree; nothing is shown before
 * it is in the log.
 */
export function useFiles() {
  const { files } = useLive()
  const [wished, setFolder] = useState('artifacts')
  const [selected, setSelected] = useState<string | null>(null)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [status, setStatus] = useState<Status | null>(null)
  useStaleStatus(status, () => setStatus(null))
  const folder = nearestFolder(wished, (path) => folderExists(files, path))
  const items = listFolder(files, folder)
  const names = new Set(items.map(({ name }) => name))
  const item = items.find(({ path }) => path === selected) ?? null
  const say = (text: string, bad = false) => setStatus({ text, bad, change: null })

  const attempt = async (work: () => Promise<{ seq: number | null } | string>, done: string | null) => {
    try {
      const result = await work()
      if (done === null) setStatus(null)
      else setStatus({ text: done, bad: false, change: typeof result === 'string' ? null : result.seq })
      return true
    } catch (error) {
      say(explain(error), true)
      return false
    }
  }
  const go = (to: string, select: string | null = null) => {
    setFolder(to)
    setSelected(select)
    setRenaming(null)
    setStatus(null)
  }
  const make = async (name: string, toOperation: (path: string) => Operation) => {
    const path = joinPath(folder, freeName(names, name))
    if (!(await attempt(() => change(toOperation(path)), null))) return
    setSelected(path)
    setRenaming(path)
  }
  return {
    folder,
    items,
    item,
    /** Its path; its row may be still to come. */
    selected,
    renaming,
    status,
    say,
    go,
    select: setSelected,
    startRenaming: () => item !== null && folder !== '' && setRenaming(item.path),
    stopRenaming: () => setRenaming(null),
    up: () => folder !== '' && go(parentOf(folder), folder),
    newFolder: () => make('New folder', (path) => ({ op: 'folder', path })),
    newDocument: () => make('Untitled.md', (path) => ({ op: 'write', path, content: { text: '' }, from: null })),
    open: (what: Item) => {
      if (what.kind === 'folder') go(what.path)
      else if (isText(what)) void attempt(() => openWindow('writer', what.path), null)
      else say(`${what.name} is not text, so Writer cannot open it. Download it instead.`)
    },
    rename: async (what: Item, name: string) => {
      setRenaming(null)
      const trimmed = name.trim()
      if (trimmed === what.name) return
      const problem =
        nameProblem(trimmed) ?? (names.has(trimmed) ? `There is already something called ${trimmed} here.` : null)
      if (problem !== null) return say(problem, true)
      const to = joinPath(folder, trimmed)
      // Before its row has the new name: else the focus would go to another row, and keys would act on this one.
      setSelected(to)
      const done = `Renamed ${what.name} to ${trimmed}.`
      if (!(await attempt(() => change({ op: 'move', path: what.path, to }), done))) setSelected(what.path)
    },
    remove: async (what: Item) => {
      const next = items[items.indexOf(what) + 1] ?? items[items.indexOf(what) - 1] ?? null
      // Selected before the row goes: the focus follows the selection instead of jumping to the top of the list.
      setSelected(next?.path ?? null)
      const done = `Deleted ${what.name}. Undo brings it back.`
      if (!(await attempt(() => change({ op: 'remove', path: what.path }), done))) setSelected(what.path)
    },
    download: (what: Item) => {
      const link = Object.assign(document.createElement('a'), { href: fileAddress(what.path), download: what.name })
      link.click()
      say(`Downloading ${what.name}.`)
    },
    /** All uploads are one change, so that one undo takes all of them back. */
    upload: async (list: readonly File[]) => {
      if (list.length === 0) return
      const taken = new Set(names)
      const writes: Operation[] = []
      const store = async () => {
        for (const [index, file] of list.entries()) {
          say(`Uploading ${index + 1} of ${list.length}: ${file.name}…`)
          const name = freeName(taken, file.name)
          taken.add(name)
          writes.push({ op: 'write', path: joinPath(folder, name), content: await storeBytes(file), from: null })
        }
        return change(...writes)
      }
      if (await attempt(store, list.length === 1 ? `Uploaded ${list[0]!.name}.` : `Uploaded ${list.length} files.`))
        setSelected(writes.at(-1)!.path)
    },
  }
}

interface Status {
  readonly text: string
  readonly bad: boolean
  /** The event that the status is about. */
  readonly change: number | null
}

/** "Undo brings it back" is true only until something else changes: then Undo takes that back. */
function useStaleStatus(status: Status | null, clear: () => void): void {
  const told = status?.change ?? null
  useEffect(() =>
    told === null ? undefined : onEvent((event) => event.seq > told && changesOf(event).length > 0 && clear()),
  )
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** A folder that was deleted or renamed elsewhere gives way to the nearest one above it. */
function nearestFolder(folder: string, exists: (path: string) => boolean): string {
  let nearest = folder
  while (!exists(nearest)) nearest = parentOf(nearest)
  return nearest
}
