import type { Entry } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { noteHeld, type Held } from '@choiros/core/reducers/room.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'

/**
 * What events have done whose rows are not in the tables yet. A hundred callers in one batch cost their rows once, not
 * after each of them: every decision asks what stands at a path, and of that this knows.
 */
export interface Unsettled {
  /** Undefined: what the tables say. */
  entry(path: TreePath | string): Entry | null | undefined
  held(object: number): { readonly size: number; readonly live: number } | undefined
  /** Brings all rows into the tables. */
  settle(): void
}

/** Of tables that nobody writes while they are asked. */
export const NOTHING_UNSETTLED: Unsettled = { entry: () => undefined, held: () => undefined, settle() {} }

export interface OwnUnsettled extends Unsettled {
  isEmpty(): boolean
  note(fact: Fact): void
  /** The rows are there, or were taken back. */
  clear(): void
}

export function createUnsettled(settle: () => void): OwnUnsettled {
  const entries = new Map<string, Entry | null>()
  const held: Held = new Map()
  let isEmpty = true
  return {
    entry: (path) => entries.get(path),
    held: (object) => held.get(object),
    settle,
    isEmpty: () => isEmpty,
    note({ changes }) {
      isEmpty = false
      for (const { path, to } of changes) entries.set(path, to)
      noteHeld(held, changes)
    },
    clear() {
      if (isEmpty) return
      isEmpty = true
      entries.clear()
      held.clear()
    },
  }
}
