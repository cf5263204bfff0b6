import { describe, expect, test } from 'vitest'
import { CATALOG } from './catalog.ts'
import { sha256 } from './canonical.ts'
import { readEvent, sealEvent, type Event } from './event.ts'
import { eventIdFrom, NO_HASH, type ComputerId, type Seq, type UserId } from './ids.ts'
import { isFromNewerRelease, UPCASTS, upcast, type Upcast } from './upcast.ts'

function sealed(type: string, version: number, data: Record<string, unknown>) {
  return sealEvent(
    { type, version, data, user: 'u1' as UserId, source: 'user', via: 'cli', run: null, cause: null },
    { id: eventIdFrom(1, new Uint8Array(10)), computer: 'c1' as ComputerId, seq: 1 as Seq, time: 1, prev: NO_HASH },
  )
}

/** A type of three versions that is in no catalog, so that this test does not age with ours. */
const CHAIN: Record<string, Upcast> = {
  'lamp.switch@1': (data) => ({ state: data.on === true ? 'on' : 'off' }),
  'lamp.switch@2': (data) => ({ ...data, room: null }),
}
const newest = (type: string) => (type === 'lamp.switch' ? 3 : undefined)

describe('[CT8] reading older events', () => {
  test('an old event is lifted through every version in between', () => {
    const { event } = sealed('lamp.switch', 1, { on: true })
    expect(upcast(event, CHAIN, newest)).toEqual({ ...event, version: 3, data: { state: 'on', room: null } })
    const { event: second } = sealed('lamp.switch', 2, { state: 'off' })
    expect(upcast(second, CHAIN, newest)).toEqual({ ...second, version: 3, data: { state: 'off', room: null } })
  })

  test('lifting leaves the event, its stored bytes and its hash as they were written', () => {
    const { event, stored } = sealed('lamp.switch', 1, { on: true })
    const before = { bytes: Buffer.from(stored.bytes), event: structuredClone(event) }
    const lifted = upcast(event, CHAIN, newest)
    expect(lifted.hash).toBe(sha256(before.bytes))
    expect([event, stored.bytes]).toEqual([before.event, before.bytes])
    expect(readEvent(stored)).toEqual(before.event)
  })

  test('the newest version, a version from a later release and an unknown type come back as they are', () => {
    const events: Event[] = [
      sealed('lamp.switch', 3, { state: 'on', room: 'hall' }).event,
      sealed('lamp.switch', 4, { wattage: 9 }).event,
      sealed('radio.play', 1, { station: 'FIP' }).event,
    ]
    for (const event of events) expect(upcast(event, CHAIN, newest)).toBe(event)
  })

  test('a chain with a missing link gives the event as it was, not half lifted', () => {
    const { event } = sealed('lamp.switch', 1, { on: true })
    expect(upcast(event, { 'lamp.switch@1': CHAIN['lamp.switch@1'] as Upcast }, newest)).toBe(event)
  })

  test('every published version but the newest has its lift', () => {
    const newestVersions = new Map<string, number>()
    for (const { type, version } of CATALOG) newestVersions.set(type, Math.max(version, newestVersions.get(type) ?? 0))
    const needed = CATALOG.filter(({ type, version }) => version < (newestVersions.get(type) ?? 0)).map(
      ({ type, version }) => `${type}@${version}`,
    )
    expect(Object.keys(UPCASTS).sort()).toEqual(needed.sort())
  })

  test('only a known type with a version we have never heard of is from a newer release', () => {
    expect(isFromNewerRelease({ type: 'file.change', version: 99 })).toBe(true)
    expect(isFromNewerRelease({ type: 'file.change', version: 1 })).toBe(false)
    expect(isFromNewerRelease({ type: 'radio.play', version: 99 })).toBe(false)
  })
})
