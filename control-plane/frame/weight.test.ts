import { describe, expect, test } from 'vitest'
import { createScales, STRANGE, weigh } from './weight.ts'

const MEBIBYTE = 1024 * 1024
/** The number of messages, sent so many milliseconds apart, after which it is too much; null: a thousand are not. */
const endedAfter = (data: unknown, everyMs: number) => {
  const scales = createScales()
  for (let count = 1; count <= 1000; count++) if (scales.add(weigh(data), count * everyMs)) return count
  return null
}

describe('[L8] how much the desktop may say', () => {
  test('what an honest page says weighs next to nothing, however often', () => {
    for (const said of [
      { draft: null },
      { draft: 'add a clock' },
      { takeBack: { kind: 'event', seq: 12 } },
      { goBack: 3 },
      undefined,
      null,
      7,
    ])
      expect(endedAfter(said, 1)).toBeNull()
  })

  test('a whole book in the prompt box passes with every letter typed into it', () => {
    expect(endedAfter({ draft: 'x'.repeat(150_000) }, 200)).toBeNull()
  })

  test('long texts, long lists and many small things weigh what they are', () => {
    expect(weigh('x'.repeat(MEBIBYTE))).toBeGreaterThan(2 * MEBIBYTE)
    expect(weigh(Array.from({ length: 1000 }, (_, index) => ({ a: index })))).toBeGreaterThan(32_000)
    expect(
      endedAfter(
        Array.from({ length: 400_000 }, (_, index) => ({ a: index, b: { c: [index] } })),
        200,
      ),
    ).toBe(1)
    expect(endedAfter('x'.repeat(4 * MEBIBYTE), 1000)).toBeLessThan(6)
  })

  test('what the frame has no use for is too much after a few, whatever its size', () => {
    for (const strange of [new ArrayBuffer(8), new Uint8Array(8), new Map(), new Set(), new Date(), new Blob([]), /x/])
      expect([weigh(strange) >= STRANGE, (endedAfter(strange, 1000) ?? 99) < 5]).toEqual([true, true])
  })

  test('one buffer of a hundred megabytes is too much at once, also seen through a small window', () => {
    expect([
      endedAfter(new ArrayBuffer(1e8), 5000),
      endedAfter(new Uint8Array(new ArrayBuffer(1e8), 0, 8), 5000),
    ]).toEqual([1, 1])
  })

  test('a thing inside itself ends the weighing, not the page', () => {
    const round: unknown[] = []
    round.push(round, round)
    expect(weigh(round)).toBeGreaterThan(16 * MEBIBYTE)
  })
})
