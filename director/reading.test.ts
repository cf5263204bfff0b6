import { expect, test } from 'vitest'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { WorkOrder } from '@choiros/contract/syscalls.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { createReading } from './reading.ts'

/** A supervisor that gives as much at once as the real one does. */
function readingOf(texts: Readonly<Record<string, string>>) {
  const order = {
    run: 'r',
    context: { files: Object.entries(texts).map(([path, text]) => ({ path, size: text.length, text: null })) },
  } as unknown as WorkOrder
  const answer = async (_: string, { paths }: { paths: string[] }) => {
    let room: number = LIMITS.readBytesMax
    expect(paths.length).toBeLessThanOrEqual(LIMITS.readAtOnceMax)
    const files = paths.map((path) => {
      const text = texts[path] ?? ''
      if (text.length > Math.min(room, LIMITS.readFileBytesMax)) return { path, text: null }
      room -= text.length
      return { path, text }
    })
    return { files }
  }
  return createReading(order, { call: answer } as unknown as Syscalls)
}

test('a search looks into every file that it says it looked into, however large they are together', async () => {
  const large = 'x\n'.repeat(LIMITS.readFileBytesMax / 2 - 10)
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`artifacts/${index}.txt`, `${large}needle`] as const),
  )
  expect(await readingOf(many).search({ text: 'needle' })).toMatch(/^30 lines in 30 files/)
})

test('what was too large to be looked into is named', async () => {
  const reading = readingOf({ 'artifacts/huge.txt': 'x'.repeat(LIMITS.readFileBytesMax + 1), 'artifacts/a.txt': 'a' })
  expect(await reading.search({ text: 'b' })).toBe(
    'no line fits, in 1 file\n(not searched, too large: artifacts/huge.txt)',
  )
  await expect(reading.read({ path: 'artifacts/huge.txt' })).rejects.toThrow('too large to be read')
})
