import { describe, expect, test } from 'vitest'
import { readCollected } from './collected.ts'
import type { CollectSpec } from './sandbox.ts'

const KNOWN = 'a'.repeat(64)
const SPEC: CollectSpec = { root: '/stage', known: new Set([KNOWN]), filesMax: 3, bytesMax: 100, wallClockMs: 1000 }
const frame = (kind: string, body: unknown) => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const head = Buffer.alloc(5)
  head.write(kind, 0, 'latin1')
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}
const file = (more: Record<string, unknown> = {}) =>
  frame('n', { path: 'a', kind: 'file', mode: '644', hash: null, size: 1, ...more })
const END = frame('e', { ok: true })
async function* stream(...pieces: readonly Buffer[]) {
  // In pieces that end in the middle of frames, as bytes do arrive.
  const all = Buffer.concat(pieces)
  for (let at = 0; at < all.length; at += 7) yield all.subarray(at, at + 7)
}
const collect = (...pieces: readonly Buffer[]) => readCollected(stream(...pieces), SPEC)

describe('[SB11] a guest that lies', () => {
  test('is believed what the host can see for itself: bytes, and sizes counted here', async () => {
    const [only] = await collect(file({ size: 999_999 }), frame('b', 'he'), frame('b', 'llo'), END)
    expect([only?.bytes?.toString(), only?.size]).toEqual(['hello', 5])
    expect(await collect(file({ hash: KNOWN }), END)).toMatchObject([{ hash: KNOWN, bytes: null }])
    expect(await collect(END)).toEqual([])
  })

  const NONSENSE: Readonly<Record<string, readonly Buffer[]>> = {
    'a hash that the host did not name': [file({ hash: 'b'.repeat(64) }), END],
    'bytes of a known object': [file({ hash: KNOWN }), frame('b', 'other'), END],
    'bytes of a folder': [
      frame('n', { path: 'a', kind: 'folder', mode: '755', hash: null, size: 0 }),
      frame('b', 'x'),
      END,
    ],
    'bytes of nothing': [frame('b', 'x'), END],
    'facts that are no JSON': [frame('n', 'nonsense'), END],
    'another kind': [file({ kind: 'device' }), END],
    'another mode': [file({ mode: '4755' }), END],
    'a link that may be run': [frame('n', { path: 'a', kind: 'symlink', mode: '755', hash: null, size: 1 }), END],
    'more than was asked': [file({ owner: 'root' }), END],
    'a frame of no kind': [frame('z', 'x'), END],
    'an end that is none': [frame('e', '"fine"')],
    'two ends': [END, END],
    'more after the end': [END, file()],
    'a frame longer than any': [Buffer.from([0x62, 0xff, 0xff, 0xff, 0xff])],
    'no end': [file(), frame('b', 'x')],
    'an end that says no': [frame('e', { ok: false, why: 'no' })],
    'half a frame': [file().subarray(0, 10)],
    'a name that fills the memory': [file({ path: 'x'.repeat(1_000_000) }), END],
  }
  for (const [what, pieces] of Object.entries(NONSENSE)) {
    test(`is refused: ${what}`, async () => {
      await expect(collect(...pieces)).rejects.toMatchObject({ code: 'sandbox.unavailable' })
    })
  }

  test('is cut off at the limits', async () => {
    await expect(collect(file(), file(), file(), file(), END)).rejects.toMatchObject({ code: 'quota.exceeded' })
    await expect(
      collect(file(), frame('b', 'x'.repeat(60)), file(), frame('b', 'x'.repeat(60)), END),
    ).rejects.toMatchObject({
      code: 'quota.exceeded',
    })
  })
})
