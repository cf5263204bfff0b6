import { expect, test } from 'vitest'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { WorkOrder } from '@choiros/contract/syscalls.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { createReading } from './reading.ts'

/** A supervisor that gives as much at once as the real one does. */
function readingOf(
  texts: Readonly<Record<string, string>>,
  unlisted: WorkOrder['context']['unlisted'] = [],
  hidden: readonly string[] = [],
) {
  const listed = Object.entries(texts).filter(([path]) => !hidden.includes(path))
  const order = {
    run: 'r',
    context: { files: listed.map(([path, text]) => ({ path, size: text.length, text: null })), unlisted },
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

test('where the Director does not know every file, neither a list nor a search passes for the whole answer', async () => {
  const unlisted = [{ folder: 'artifacts/photos', files: 700 }]
  const reading = readingOf({ 'app/a.ts': 'a', 'artifacts/photos/z.md': 'z' }, unlisted, ['artifacts/photos/z.md'])
  const words =
    '(not known here: 700 more files in "artifacts/photos/"; read can read them by their paths, and an Associate can look for them)'
  for (const folder of ['artifacts/photos', 'artifacts/photos/june/', 'artifacts']) {
    expect(reading.list(folder)).toBe(words)
    expect(await reading.search({ text: 'z', folder })).toBe(`no line fits, in 0 files\n${words}`)
  }
  expect(reading.list('')).toBe(`app/a.ts (1)\n${words}`)
  expect(reading.list('app')).toBe('app/a.ts (1)')
  expect(await reading.search({ text: 'z', folder: 'app' })).toBe('no line fits, in 1 file')
  expect(await reading.read({ path: 'artifacts/photos/z.md' })).toContain('1\tz')
})
