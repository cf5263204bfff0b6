import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent, type Event } from '@choiros/contract/event.ts'
import type { Computer } from './computer.ts'

/** How an erased version went, in words. */
export const GONE = { content: 'erased for good', room: 'removed for good, to make room' } as const

/** Throws `point.unknown` unless the log has got that far. */
export function checkPoint(computer: Computer, seq: number | null): void {
  const head = computer.head().seq
  if (seq !== null && seq > head)
    throw new ChoirError('point.unknown', `there is no event ${seq} yet; the newest is ${head}`)
}

/** One event of the log, its hash checked. */
export async function eventAt(computer: Computer, seq: number): Promise<Event> {
  const [stored] = await computer.log.read({ after: seq - 1, limit: 1 })
  if (stored === undefined) throw new ChoirError('point.unknown', `there is no event ${seq}`)
  if (sha256(stored.bytes) !== stored.hash)
    throw new ChoirError('log.corrupt', `event ${seq} is damaged: its bytes do not match its hash`)
  return readEvent(stored)
}
