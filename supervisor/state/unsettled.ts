import type { Entry } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { noteHeld, type Held } from '@choiros/core/reducers/room.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'

/**
 * Changes of events whose rows are not in the tables yet. Every decision asks what stands at a path, and this answers
 * without writing the rows first: so a hundred commands in one batch write their rows once, not after each command.
 */
export interface Unsettled {
  /** Undefined: ask the tables. */
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
  /** Called when the rows are in the tables, or were taken back. */
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
