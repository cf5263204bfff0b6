import type { BigIntStats } from 'node:fs'
import { expect, test } from 'vitest'
import { createHashMemory } from './hash-memory.ts'

const facts = (more: Partial<BigIntStats> = {}) =>
  ({ ino: 7n, size: 3n, mtimeNs: 5n, ctimeNs: 1_000_000_000n, ctimeMs: 1000n, ...more }) as BigIntStats

test('a file that has not changed since it was read need not be read again', () => {
  const memory = createHashMemory()
  expect(memory.recall('a', facts())).toBeNull()
  memory.keep('a', facts(), 'hash', 2000)
  expect(memory.recall('a', facts())).toBe('hash')
  expect(memory.recall('b', facts())).toBeNull()
})

test('another size, file, time of change or time of what it holds means another look', () => {
  const memory = createHashMemory()
  memory.keep('a', facts(), 'hash', 2000)
  for (const changed of [{ ino: 8n }, { size: 4n }, { mtimeNs: 6n }, { ctimeNs: 1_000_000_001n }])
    expect(memory.recall('a', facts(changed))).toBeNull()
})

test('a file that changed just before it was read is read again: it may change once more within the same tick of the clock', () => {
  const memory = createHashMemory()
  memory.keep('a', facts(), 'hash', 1050)
  expect(memory.recall('a', facts())).toBeNull()
  memory.keep('a', facts(), 'hash', 1200)
  memory.keep('a', facts({ ctimeMs: 1190n }), 'newer', 1200)
  expect(memory.recall('a', facts())).toBeNull()
})
