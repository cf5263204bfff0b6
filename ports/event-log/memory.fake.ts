import { ChoirError } from '@choiros/contract/error.ts'
import type { StoredEvent } from '@choiros/contract/event.ts'
import { NO_HASH } from '@choiros/contract/ids.ts'
import { openMemoryObjects } from '../objects/memory.fake.ts'
import { gapProblem, type EventLog, type LogOptions } from './event-log.ts'
import { followLog } from './follow.ts'
import { createWaiters } from './waiters.ts'

/**
 * Logs that live as long as their process: every `open` for the same computer opens the same log, whatever its name.
 * For tests.
 */
export function createMemoryLogs() {
  const places = new Map<string, ReturnType<typeof createPlace>>()
  return async ({ computer, epoch }: Pick<LogOptions, 'computer' | 'epoch'>): Promise<EventLog> => {
    const place = places.get(computer) ?? createPlace()
    places.set(computer, place)
    return openPlace(place, epoch)
  }
}

function createPlace() {
  return { events: [] as StoredEvent[], objects: openMemoryObjects(), waiters: createWaiters(), epoch: 0 }
}

function openPlace(place: ReturnType<typeof createPlace>, epoch: number | null): EventLog {
  const { events, objects, waiters } = place
  const problem = (batch: readonly StoredEvent[], after: number): Error | null => {
    if (epoch === null || place.epoch > epoch)
      return new ChoirError('log.fenced', 'this log is written by somebody else')
    if (after !== events.length)
      return new ChoirError('log.conflict', `the log ends at ${events.length}, not at ${after}`)
    const gap = gapProblem(batch, after)
    return gap === null ? null : new Error(gap)
  }
  const log: EventLog = {
    objects,
    isRemote: false,
    append(batch, added, after) {
      const refused = problem(batch, after)
      if (refused !== null || epoch === null) return Promise.reject(refused ?? new Error('refused'))
      place.epoch = epoch
      for (const { hash, bytes } of added) objects.keep(hash, bytes)
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
    damage: async () => null,
    leftover: async () => null,
    settle() {},
    async close() {},
  }
  return log
}
