import { getEventListeners } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { hasCode } from '@choiros/contract/error.ts'
import { sealEvent, type StoredEvent } from '@choiros/contract/event.ts'
import { eventIdFrom, NO_HASH, type ComputerId, type Seq, type UserId } from '@choiros/contract/ids.ts'
import { testObjects as testAllObjects } from '../objects/objects.suite.ts'
import type { ObjectBytes } from '../objects/objects.ts'
import type { EventLog, Head } from './event-log.ts'

/** The place of one log: every `open` there opens the same log. */
export interface LogPlace {
  open(epoch?: number | null): Promise<EventLog>
}

export const TEST_COMPUTER = 'c1' as ComputerId

/** `count` events that follow on from `head`. `mark` makes two chains from one head differ. */
export function sealChain(head: Head, count: number, mark = 'a'): StoredEvent[] {
  const chain: StoredEvent[] = []
  let before = head
  for (let i = 0; i < count; i++) {
    const seq = (before.seq + 1) as Seq
    const draft = {
      type: 'test.fact',
      version: 1,
      data: { mark, text: 'é\u{1f600}' },
      user: 'u1' as UserId,
      source: 'user',
      via: 'cli',
      run: null,
      cause: null,
    } as const
    const { stored } = sealEvent(draft, {
      id: eventIdFrom(seq, new Uint8Array(10)),
      computer: TEST_COMPUTER,
      seq,
      time: seq,
      prev: before.hash,
    })
    chain.push(stored)
    before = stored
  }
  return chain
}

export function smallObject(text: string): ObjectBytes {
  const bytes = Buffer.from(text)
  return { hash: sha256(bytes), bytes }
}

const START: Head = { seq: 0, hash: NO_HASH }

/** Every rule of SPEC.md that one handle can show. Run for each adapter. */
export function testEventLog(name: string, place: () => LogPlace): void {
  const openOne = async (): Promise<EventLog> => {
    const log = await place().open()
    onTestFinished(() => log.close())
    return log
  }
  describe(`event log: ${name}`, () => {
    testAppend(openOne)
    testRead(openOne)
    testFollow(openOne)
    testBytes(openOne)
    testReopen(place)
    testEpochs(place)
  })
  testAllObjects(`of the event log: ${name}`, async () => (await openOne()).objects)
}

type OpenOne = () => Promise<EventLog>

async function everything(log: EventLog): Promise<{ head: Head; events: StoredEvent[] }> {
  return { head: await log.head(), events: await log.read({ after: 0, limit: 10_000 }) }
}

function testAppend(openOne: OpenOne): void {
  test('[EL1] a new log ends at 0, before any event', async () => {
    expect(await everything(await openOne())).toEqual({ head: START, events: [] })
  })

  test('[EL2] a stale or future `after` is refused with log.conflict and neither events nor objects are written', async () => {
    const log = await openOne()
    await log.append(sealChain(START, 3), [], 0)
    const before = await everything(log)
    for (const after of [0, 2, 4]) {
      const late = log.append(sealChain({ seq: after, hash: NO_HASH }, 1), [smallObject('late')], after)
      await expect(late).rejects.toSatisfy((error) => hasCode(error, 'log.conflict'))
    }
    expect(await everything(log)).toEqual(before)
  })

  test('[EL3] of two writers that expect the same head, exactly one succeeds', async () => {
    const log = await openOne()
    const writers = ['a', 'b', 'c', 'd'].map((mark) => sealChain(START, 2, mark))
    const outcomes = await Promise.allSettled(writers.map(async (batch) => log.append(batch, [], 0)))
    const winners = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [index] : []))
    expect(winners).toHaveLength(1)
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    expect(refusals.filter((error) => hasCode(error, 'log.conflict'))).toHaveLength(3)
    expect(await log.read({ after: 0, limit: 10 })).toEqual(writers[winners[0] as number])
  })

  test('[EL4] a batch that does not continue the log without a gap is refused whole', async () => {
    const log = await openOne()
    const [first, second, third] = sealChain(START, 3) as [StoredEvent, StoredEvent, StoredEvent]
    for (const batch of [[second], [first, third], [first, first], [second, first]]) {
      await expect(log.append(batch, [smallObject('gap')], 0)).rejects.toThrow('cannot follow')
    }
    expect(await everything(log)).toEqual({ head: START, events: [] })
    await log.append([first, second, third], [], 0)
    expect((await log.read({ after: 0, limit: 10 })).map((stored) => stored.seq)).toEqual([1, 2, 3])
  })

  test('[EL4] batches follow each other without gaps', async () => {
    const log = await openOne()
    const chain = sealChain(START, 30)
    for (let at = 0; at < 30; at += 3) await log.append(chain.slice(at, at + 3), [], at)
    expect(await everything(log)).toEqual({ head: { seq: 30, hash: chain[29]?.hash }, events: chain })
  })

  test('[EL4] a batch larger than any argument list is stored whole', async () => {
    const log = await openOne()
    const one = sealChain(START, 1)[0] as StoredEvent
    const many = Array.from({ length: 200_000 }, (_, index) => ({ ...one, seq: (index + 1) as Seq }))
    await log.append(many, [], 0)
    expect((await log.head()).seq).toBe(200_000)
  })
}

function testRead(openOne: OpenOne): void {
  test('[EL5] a page holds at most `limit` events after `after`, oldest first; a shorter page is the end', async () => {
    const log = await openOne()
    const chain = sealChain(START, 7)
    await log.append(chain, [], 0)
    expect(await log.read({ after: 0, limit: 3 })).toEqual(chain.slice(0, 3))
    expect(await log.read({ after: 3, limit: 3 })).toEqual(chain.slice(3, 6))
    expect(await log.read({ after: 6, limit: 3 })).toEqual(chain.slice(6))
    expect(await log.read({ after: 7, limit: 3 })).toEqual([])
    expect(await log.read({ after: 99, limit: 3 })).toEqual([])
    expect(await log.read({ after: 0, limit: 0 })).toEqual([])
  })

  test('[EL5] bytes come back exactly as they were stored, and still match their hash', async () => {
    const log = await openOne()
    const chain = sealChain(START, 2)
    await log.append(chain, [], 0)
    for (const [index, stored] of (await log.read({ after: 0, limit: 2 })).entries()) {
      expect(stored.bytes.equals(chain[index]?.bytes as Buffer)).toBe(true)
      expect(sha256(stored.bytes)).toBe(stored.hash)
    }
  })
}

/** Collects what a follower sees until it has `count` events, then aborts it. */
async function follow(log: EventLog, after: number, count: number): Promise<number[]> {
  const stop = new AbortController()
  const seen: number[] = []
  for await (const stored of log.follow(after, stop.signal)) {
    seen.push(stored.seq)
    if (seen.length === count) stop.abort()
  }
  return seen
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

function testFollow(openOne: OpenOne): void {
  test('[EL6] followers see every event once and in order while others append', async () => {
    const log = await openOne()
    const chain = sealChain(START, 1300)
    await log.append(chain.slice(0, 700), [], 0)
    const followers = Promise.all([follow(log, 0, 1300), follow(log, 650, 650), follow(log, 1250, 50)])
    for (let at = 700; at < 1300; at += 20) {
      await log.append(chain.slice(at, at + 20), [], at)
      if (at % 60 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await followers).toEqual([numbers(1, 1300), numbers(651, 1300), numbers(1251, 1300)])
  })

  test('[EL6] an event appended while the follower handles the one before is not slept through', async () => {
    const log = await openOne()
    const chain = sealChain(START, 20)
    await log.append(chain.slice(0, 1), [], 0)
    const stop = new AbortController()
    const seen: number[] = []
    for await (const stored of log.follow(0, stop.signal)) {
      seen.push(stored.seq)
      if (stored.seq === 20) stop.abort()
      else await log.append(chain.slice(stored.seq, stored.seq + 1), [], stored.seq)
    }
    expect(seen).toEqual(numbers(1, 20))
  })

  test('[EL7] following ends on abort: before it starts, while it waits, and in the middle of a page', async () => {
    const log = await openOne()
    await log.append(sealChain(START, 10), [], 0)
    const aborted = log.follow(0, AbortSignal.abort())[Symbol.asyncIterator]()
    expect(await aborted.next()).toEqual({ done: true, value: undefined })

    const waiting = new AbortController()
    const waiter = log.follow(10, waiting.signal)[Symbol.asyncIterator]()
    const next = waiter.next()
    setTimeout(() => waiting.abort(), 5)
    expect(await next).toEqual({ done: true, value: undefined })

    expect(await follow(log, 0, 4)).toEqual([1, 2, 3, 4])
  })

  test('[EL7] a follower leaves no listener on its signal, however many pages it read', async () => {
    const log = await openOne()
    await log.append(sealChain(START, 5200), [], 0)
    const stop = new AbortController()
    let most = 0
    for await (const stored of log.follow(0, stop.signal)) {
      most = Math.max(most, getEventListeners(stop.signal, 'abort').length)
      if (stored.seq === 5200) break
    }
    expect(most).toBeLessThanOrEqual(1)
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })
}

function testBytes(openOne: OpenOne): void {
  test('[EL8] objects arrive with their batch, byte for byte, the empty one too', async () => {
    const log = await openOne()
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
    const every = { hash: sha256(bytes), bytes }
    await log.append(sealChain(START, 1), [every, smallObject('')], 0)
    expect(await log.objects.get(every.hash)).toEqual(bytes)
    expect(await log.objects.get(smallObject('').hash)).toEqual(Buffer.alloc(0))
    expect(await log.objects.get(smallObject('unknown').hash)).toBeNull()
  })

  test('[EL8] what the caller does to its buffer afterwards does not change the object', async () => {
    const log = await openOne()
    const object = smallObject('as it was')
    await log.append([], [object], 0)
    object.bytes.fill(0)
    expect((await log.objects.get(object.hash))?.toString()).toBe('as it was')
  })

  test('[EL9] the same object twice, in one batch and across batches, is one object', async () => {
    const log = await openOne()
    const object = smallObject('same')
    const chain = sealChain(START, 2)
    await log.append(chain.slice(0, 1), [object, object], 0)
    await log.append(chain.slice(1), [object], 1)
    await log.objects.erase([object.hash])
    expect(await log.objects.get(object.hash)).toBeNull()
  })

  test('[EL10] objects of every size come with their events, the large with the small', async () => {
    const log = await openOne()
    const objects = [10, 70_000, 3_000_000].map((size) => smallObject('x'.repeat(size)))
    await log.append(sealChain(START, 2), objects, 0)
    for (const { hash, bytes } of objects) {
      expect((await log.objects.get(hash))?.equals(bytes)).toBe(true)
      expect(await log.objects.size(hash)).toBe(bytes.length)
    }
    const conflict = log.append(sealChain({ seq: 1, hash: NO_HASH }, 1), [smallObject('y'.repeat(100_000))], 1)
    await expect(conflict).rejects.toSatisfy((error) => hasCode(error, 'log.conflict'))
    expect(await log.objects.get(smallObject('y'.repeat(100_000)).hash)).toBeNull()
  })

  test('[EL11] erasing removes the named objects and no others, and can be repeated', async () => {
    const log = await openOne()
    const [kept, gone] = [smallObject('kept'), smallObject('gone')]
    const chain = sealChain(START, 1)
    await log.append(chain, [kept, gone], 0)
    await log.objects.erase([gone.hash])
    await log.objects.erase([gone.hash, smallObject('never there').hash])
    expect([await log.objects.get(gone.hash), await log.objects.size(gone.hash)]).toEqual([null, null])
    expect((await log.objects.get(kept.hash))?.toString()).toBe('kept')
    expect(await everything(log)).toEqual({ head: { seq: 1, hash: chain[0]?.hash }, events: chain })
  })

  test('[EL11] an erased object can be stored anew', async () => {
    const log = await openOne()
    const object = smallObject('back again')
    await log.append([], [object], 0)
    await log.objects.erase([object.hash])
    await log.append(sealChain(START, 1), [object], 0)
    expect((await log.objects.get(object.hash))?.toString()).toBe('back again')
  })
}

function testReopen(place: () => LogPlace): void {
  test('[EL12] a log that is opened again has the same head, bytes and objects, and goes on from there', async () => {
    const here = place()
    const first = await here.open()
    const chain = sealChain(START, 6)
    await first.append(chain.slice(0, 5), [smallObject('one'), smallObject('two')], 0)
    await first.objects.erase([smallObject('two').hash])
    const before = await everything(first)
    await first.close()

    const second = await here.open()
    onTestFinished(() => second.close())
    expect(await everything(second)).toEqual(before)
    expect((await second.objects.get(smallObject('one').hash))?.toString()).toBe('one')
    await second.append(chain.slice(5), [], 5)
    expect(await second.read({ after: 0, limit: 10 })).toEqual(chain)
  })
}

function testEpochs(place: () => LogPlace): void {
  const openTwo = async (older: number | null, newer: number): Promise<[EventLog, EventLog]> => {
    const here = place()
    const both: [EventLog, EventLog] = [await here.open(older), await here.open(newer)]
    onTestFinished(async () => void (await Promise.all(both.map((log) => log.close()))))
    return both
  }

  test('[EL19] once a newer epoch has written, an older one never does again', async () => {
    const [old, fresh] = await openTwo(3, 4)
    const chain = sealChain(START, 3)
    await old.append(chain.slice(0, 1), [], 0)
    await fresh.append(chain.slice(1, 2), [], 1)
    for (const after of [1, 2]) {
      const late = old.append(sealChain({ seq: after, hash: NO_HASH }, 1, 'late'), [smallObject('late')], after)
      await expect(late).rejects.toSatisfy(
        (error) => hasCode(error, 'log.fenced') || (after === 1 && hasCode(error, 'log.conflict')),
      )
    }
    await fresh.append(chain.slice(2), [], 2)
    expect(await fresh.read({ after: 0, limit: 10 })).toEqual(chain)
    expect(await old.read({ after: 0, limit: 10 })).toEqual(chain)
  })

  test('[EL19] a log that was opened to be read is not written', async () => {
    const [reader, writer] = await openTwo(null, 1)
    await expect(reader.append(sealChain(START, 1), [], 0)).rejects.toSatisfy((error) => hasCode(error, 'log.fenced'))
    await writer.append(sealChain(START, 1), [], 0)
    expect((await reader.head()).seq).toBe(1)
  })

  test('[EL20] a follower hears of what is written through another handle', async () => {
    const [reader, writer] = await openTwo(null, 1)
    const chain = sealChain(START, 40)
    const seen = follow(reader, 0, 40)
    for (let at = 0; at < 40; at += 4) {
      await writer.append(chain.slice(at, at + 4), [], at)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(await seen).toEqual(numbers(1, 40))
  })
}
