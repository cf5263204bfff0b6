import { expect, test } from 'vitest'
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
