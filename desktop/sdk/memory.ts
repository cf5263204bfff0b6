import { useEffect, useState } from 'react'
import { run } from './choir.ts'
import type { MemoryEntry } from './contract.ts'
import { useLive, type LiveEvent } from './live.ts'

export type { MemoryEntry } from './contract.ts'

interface Memory {
  /** Null: not loaded yet. */
  readonly entries: readonly MemoryEntry[] | null
  readonly failure: string | null
}

/** What is remembered, newest first; asked for anew whenever something happens on which it rests. */
export function useMemory(): Memory {
  const { events, connected } = useLive()
  const newest = events.findLast(mattersToMemory)?.seq ?? 0
  const [memory, setMemory] = useState<Memory>({ entries: null, failure: null })
  useEffect(() => {
    let current = true
    run('memory.list', {}).then(
      (entries) => current && setMemory({ entries, failure: null }),
      (error: unknown) =>
        current &&
        setMemory((before) => ({ ...before, failure: error instanceof Error ? error.message : String(error) })),
    )
    return () => void (current = false)
  }, [newest, connected])
  return memory
}

/** A window that moves or a model that is asked changes nothing here. */
function mattersToMemory({ type }: LiveEvent): boolean {
  return !/^(window|budget|tool|task|receipt|render|checkpoint)\b/.test(type)
}

type Edit =
  | { readonly does: 'add'; readonly text: string }
  | { readonly does: 'correct'; readonly note: string; readonly text: string }
  | { readonly does: 'forget' | 'back'; readonly note: string }

/** Asks the person, in the frame, whether this may be done: no page of the desktop may do it by itself. */
export function askToEditMemory(memory: Edit): void {
  parent.postMessage({ memory }, '*') // Only the frame can be around this page.
}
