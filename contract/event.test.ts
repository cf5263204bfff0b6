import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalText, sha256 } from './canonical.ts'
import { hasCode } from './error.ts'
import { checkChain, Envelope, readEvent, sealEvent, type Draft, type StoredEvent } from './event.ts'
import {
  EventId,
  eventIdFrom,
  type Hash,
  labelFrom,
  LABEL_PATTERN,
  NO_HASH,
  type ComputerId,
  type Seq,
  type UserId,
} from './ids.ts'
import { LIMITS } from './limits.ts'

const DRAFT: Draft = {
  type: 'file.change',
  version: 1,
  data: { changes: [], manifest: null },
  user: 'u1' as UserId,
  source: 'user',
  via: 'cli',
  run: null,
  cause: null,
}

function seal(seq: number, prev: Hash, draft: Draft = DRAFT) {
  return sealEvent(draft, {
    id: eventIdFrom(1_700_000_000_000 + seq, new Uint8Array(10).fill(seq)),
    computer: 'c1' as ComputerId,
    seq: seq as Seq,
    time: 1_700_000_000_000 + seq,
    prev,
  })
}

function damaged(stored: StoredEvent, before: { seq: number; hash: Hash }): boolean {
  try {
    checkChain(stored, readEvent(stored), before)
    return false
  } catch (error) {
    return hasCode(error, 'log.corrupt')
  }
}

describe('[CT5] an event', () => {
  test('is sealed as the canonical bytes of its envelope, and its hash is taken over exactly these', () => {
    const { event, stored } = seal(1, NO_HASH)
    const { hash, ...envelope } = event
    expect(stored).toEqual({ seq: 1, hash: sha256(stored.bytes), bytes: Buffer.from(canonicalText(envelope)) })
    expect(hash).toBe(stored.hash)
    expect(Envelope.parse(JSON.parse(stored.bytes.toString()))).toEqual(envelope)
    expect(readEvent(stored)).toEqual(event)
  })

  test('that is sealed twice has the same bytes, whatever the order of its members was', () => {
    const reversed = Object.fromEntries(Object.entries(DRAFT).reverse()) as unknown as Draft
    expect(seal(1, NO_HASH, reversed).stored).toEqual(seal(1, NO_HASH).stored)
  })

  test('over the limit is refused with event.too-large', () => {
    const large = { ...DRAFT, data: { text: 'x'.repeat(LIMITS.eventBytesMax) } }
    expect(() => seal(1, NO_HASH, large)).toThrow(expect.toSatisfy((error) => hasCode(error, 'event.too-large')))
  })
})

describe('[CT6] the chain', () => {
  const one = seal(1, NO_HASH)
  const two = seal(2, one.stored.hash)
  const before = { seq: 1, hash: one.stored.hash }

  test('holds where each event names its predecessor', () => {
    expect(damaged(one.stored, { seq: 0, hash: NO_HASH })).toBe(false)
    expect(damaged(two.stored, before)).toBe(false)
  })

  test('breaks on another predecessor, a gap, a repeated event, and a row number that is not the event’s own', () => {
    expect(damaged(two.stored, { seq: 1, hash: NO_HASH })).toBe(true)
    expect(damaged(seal(3, one.stored.hash).stored, before)).toBe(true)
    expect(damaged(one.stored, before)).toBe(true)
    expect(damaged({ ...seal(3, one.stored.hash).stored, seq: 2 as Seq }, before)).toBe(true)
  })

  test('breaks on any flipped bit of the bytes, and on another hash', () => {
    fc.assert(
      fc.property(fc.nat({ max: two.stored.bytes.length * 8 - 1 }), (bit) => {
        const bytes = Buffer.from(two.stored.bytes)
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7))
        expect(() => checkChain({ ...two.stored, bytes }, two.event, before)).toThrow(
          expect.toSatisfy((error) => hasCode(error, 'log.corrupt')),
        )
      }),
    )
    expect(damaged({ ...two.stored, hash: one.stored.hash }, before)).toBe(true)
  })
})

describe('[CT7] ids', () => {
  const random = fc.uint8Array({ minLength: 10, maxLength: 16 })

  test('an event’s id is a valid UUIDv7 that carries its time and sorts by it', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 48 - 2 }), random, random, (time, a, b) => {
        const id = eventIdFrom(time, a)
        expect(EventId.parse(id)).toBe(id)
        expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(time)
        expect(id < eventIdFrom(time + 1, b)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('an event’s id keeps 74 of its random bits: version and variant take the other six', () => {
    const free = (mask: number[]) => BigInt(`0x${eventIdFrom(0, new Uint8Array(mask)).replaceAll('-', '')}`)
    const zeros = free(Array(10).fill(0))
    const ones = free(Array(10).fill(255))
    expect((zeros ^ ones).toString(2).replaceAll('0', '').length).toBe(74)
  })

  test('a fresh label is a DNS label of 80 bits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => LABEL_PATTERN.test(labelFrom(bytes))),
    )
    expect(labelFrom(new Uint8Array(16).fill(31))).toBe('7777777777777777')
  })

  test('what is no label is refused: subjects and host names must not need escaping', () => {
    const hostile = ['', '-', 'a-', '-a', 'A', 'a.b', 'a*', '>', 'a b', 'ü', 'a\n', `a${'b'.repeat(40)}`, 'a/b', '..']
    expect(hostile.filter((text) => LABEL_PATTERN.test(text))).toEqual([])
  })
})
