import { expect, test } from 'vitest'
import type { SearchInput } from '@choiros/contract/search.ts'
import { filesFitting, searchLines } from './search-lines.ts'

const LINE = `${'a'.repeat(60)}!`

test('[L11] a pattern or a glob that never ends is ended, and said so in words', { timeout: 60_000 }, () => {
  expect(() => searchLines(['a.txt'], () => LINE, { pattern: '^(a|a)*$' })).toThrow('took too long')
  expect(() => filesFitting(['abcd'], { text: 'x', glob: `${'{a,b}'.repeat(24)}x` })).toThrow('took too long')
})

test('a search finds lines by pattern and files by glob', () => {
  const files = filesFitting(['app/a.ts', 'app/b.css'], { glob: '**/*.ts' })
  expect(files).toEqual(['app/a.ts'])
  expect(searchLines(files, () => 'one\ntwo', { pattern: '^t' })).toBe('1 line in 1 file:\napp/a.ts:2: two')
  expect(() => searchLines(files, () => '', { pattern: '(' })).toThrow('no regular expression')
})

test('what was not searched is said, and not counted as searched', () => {
  const texts: Record<string, string | null> = { 'a.ts': 'one', 'b.png': null, 'c.ts': `two${'x'.repeat(5000)}` }
  const search = (input: SearchInput) => searchLines(Object.keys(texts), (file) => texts[file] ?? null, input)
  expect(search({ text: 'nowhere' })).toBe(
    'no line fits, in 2 files\n(not searched: 1 file, no text or too large to be read)',
  )
  expect(search({ pattern: 'one|two' })).toBe(
    '1 line in 1 file:\na.ts:1: one\n(not searched: 1 file, no text or too large to be read)\n(not searched by the pattern: 1 line of over 4000 characters; give text)',
  )
  expect(search({ text: 'two' })).toMatch(/^1 line in 1 file:\nc.ts:1: two/)
})
