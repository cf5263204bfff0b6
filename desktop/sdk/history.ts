import { useEffect, useState } from 'react'
import { typedIn } from '@choiros/core/everywhere/changes.ts'
import { run } from './choir.ts'
import type { Commands, EventLine, UndoTarget } from './contract.ts'
import { changesOf, useLive, type LiveEvent } from './live.ts'

export { deedWords } from '@choiros/core/everywhere/deed-words.ts'

export type Point = Commands['checkpoint.list']['output'][number]

/** The most that one answer holds. */
const ASKED_MAX = 200
const OLDER_MS = 10_000

/** Asks the person, in the frame, whether this may be taken back: no page of the desktop may do it by itself. */
export function askToTakeBack(target: UndoTarget): void {
  parent.postMessage({ takeBack: target }, '*') // Only the frame can be around this page.
}

/** Asks the person, in the frame, whether everything may go back to a point. */
export function askToGoBack(seq: number): void {
  parent.postMessage({ goBack: seq }, '*')
}

/** The newest event after which a list may differ: more typing in the same document makes no new entry. */
export function newestTurn(events: readonly LiveEvent[]): number {
  return events.findLast((event, index) => !goesOn(event, events[index - 1]))?.seq ?? 0
}

function goesOn(event: LiveEvent, before: LiveEvent | undefined): boolean {
  const path = typedIn(event, changesOf(event))
  return path !== null && before !== undefined && typedIn(before, changesOf(before)) === path
}

export interface Listed<Item> {
  readonly items: readonly Item[]
  /** There are older ones. */
  readonly more: boolean
  readonly failure: string | null
}

/** The newest `shown` of a list that grows at its front; asked for anew whenever something happens. */
export function useListed<Item>(
  shown: number,
  ask: (page: { before?: number; limit: number }) => Promise<readonly Item[]>,
  placeOf: (item: Item) => number,
): Listed<Item> {
  const { events } = useLive()
  const newest = newestTurn(events)
  const [listed, setListed] = useState<Listed<Item>>({ items: [], more: false, failure: null })
  useEffect(() => {
    let current = true
    const load = async () => {
      const items: Item[] = []
      for (let whole = false; !whole && items.length <= shown;) {
        const last = items.at(-1)
        const limit = Math.min(ASKED_MAX, shown + 1 - items.length)
        const page = await ask({ limit, ...(last === undefined ? {} : { before: placeOf(last) }) })
        items.push(...page)
        whole = page.length < limit
      }
      if (current) setListed({ items: items.slice(0, shown), more: items.length > shown, failure: null })
    }
    load().catch(
      (error: unknown) =>
        current &&
        setListed((before) => ({ ...before, failure: error instanceof Error ? error.message : String(error) })),
    )
    return () => void (current = false)
    // The functions that ask never change.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [newest, shown])
  return listed
}

export const askUnits = (page: { before?: number; limit: number }) => run('undo.list', page)

export const askPoints = (kind: 'user' | 'automatic') => async (page: { before?: number; limit: number }) =>
  (await run('checkpoint.list', { ...page, kind })).toReversed()

/** Up to `count` events right before one, oldest first: from before this page was opened. */
export function olderEvents(before: number, count: number): Promise<LiveEvent[]> {
  return new Promise((resolve, reject) => {
    const found: LiveEvent[] = []
    const socket = new WebSocket(
      `${location.origin.replace('http', 'ws')}/choir/events?after=${Math.max(0, before - 1 - count)}`,
    )
    const finish = () => {
      clearTimeout(timer)
      socket.close()
      resolve(found)
    }
    const timer = setTimeout(finish, OLDER_MS)
    socket.addEventListener('message', (message) => {
      const told = JSON.parse(String(message.data)) as EventLine
      if ('live' in told) return
      const seq = 'damaged' in told ? told.damaged : told.seq
      if (!('damaged' in told) && seq < before) found.push(told)
      if (seq >= before - 1) finish()
    })
    socket.addEventListener('error', () => {
      clearTimeout(timer)
      reject(new Error('your computer is not answering'))
    })
  })
}
