import type { StoredEvent } from '@choiros/contract/event.ts'
import type { EventLog } from './event-log.ts'
import type { Waiters } from './waiters.ts'

const FOLLOW_PAGE = 500

/**
 * Reads pages until the end, then waits for a wake-up. The wait begins before the page is read: otherwise an append in
 * between would not wake it.
 */
export async function* followLog(
  log: Pick<EventLog, 'read'>,
  waiters: Waiters,
  after: number,
  signal: AbortSignal,
): AsyncIterable<StoredEvent> {
  let cursor = after
  let wait = waiters.wait(signal)
  try {
    while (!signal.aborted) {
      const page = await log.read({ after: cursor, limit: FOLLOW_PAGE })
      for (const stored of page) {
        if (signal.aborted) return
        yield stored
        cursor = stored.seq
      }
      if (page.length === FOLLOW_PAGE) continue
      await wait.grown
      wait = waiters.wait(signal)
    }
  } finally {
    // Otherwise a reader that leaves early would be woken, and kept in memory, for as long as its signal lives.
    wait.cancel()
  }
}
