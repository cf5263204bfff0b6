import { ChoirError } from '@choiros/contract/error.ts'
import type { StoredEvent } from '@choiros/contract/event.ts'
import { NO_HASH, type Hash } from '@choiros/contract/ids.ts'
import { gapProblem, type EventLog } from './event-log.ts'
import { followLog } from './follow.ts'
import { createWaiters } from './waiters.ts'

/** A log that lives as long as its process. For tests. */
export function openMemoryEventLog(): EventLog {
  const events: StoredEvent[] = []
  const objects = new Map<Hash, Buffer>()
  const waiters = createWaiters()
  const log: EventLog = {
    append(batch, added, after) {
      if (after !== events.length) return Promise.reject(new ChoirError('log.conflict', `the log ends at ${events.length}, not at ${after}`))
      const gap = gapProblem(batch, after)
      if (gap !== null) return Promise.reject(new Error(gap))
      for (const object of added) if (!objects.has(object.hash)) objects.set(object.hash, Buffer.from(object.bytes))
      for (const stored of batch) events.push(stored)
      waiters.wake()
      return undefined
    },
    async read({ after, limit }) {
      return events.slice(after, after + limit)
    },
    follow: (after, signal) => followLog(log, waiters, after, signal),
    async head() {
      return { seq: events.length, hash: events.at(-1)?.hash ?? NO_HASH }
    },
    async object(hash) {
      return objects.get(hash) ?? null
    },
    async objectHashes({ after, limit }) {
      const sorted = [...objects.keys()].sort()
      return sorted.filter((hash) => after === null || hash > after).slice(0, limit)
    },
    async eraseObjects(hashes) {
      for (const hash of hashes) objects.delete(hash)
    },
    damage: async () => null,
    leftover: async () => null,
    settle() {},
    async close() {},
  }
  return log
}
