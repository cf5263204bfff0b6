import { expect, test } from 'vitest'
import { fileDiff } from './diff-text.ts'

const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`)
const diffOf = (change: (lines: string[]) => void) => {
  const lines = [...TEN]
  change(lines)
  return fileDiff('a.txt', TEN.join(''), lines.join(''))
}

test('what lies near together is one piece, in which no line stands twice', () => {
  const { text, changed } = diffOf((lines) => {
    lines.splice(7, 1, 'eight\n')
    lines.splice(4, 0, 'more\n')
  })
  expect(changed).toBe(3)
  expect(text).toBe(
    'a.txt (changed)\n@@ line 2 @@\n  line 2\n  line 3\n  line 4\n+ more\n  line 5\n  line 6\n  line 7\n- line 8\n+ eight\n  line 9\n  line 10',
  )
})

test('what lies far apart is two, each with the number of its first line', () => {
  const { text } = diffOf((lines) => {
    lines[0] = 'one\n'
    lines[9] = 'ten\n'
  })
  expect(text.match(/@@.*@@/g)).toEqual(['@@ line 1 @@', '@@ line 7 @@'])
  expect(text).toContain('- line 1\n+ one\n  line 2')
  expect(fileDiff('a.txt', null, 'x\n').text).toBe('a.txt (new file)\n@@ line 1 @@\n+ x')
  expect(fileDiff('a.txt', 'x\n', null)).toEqual({ text: 'a.txt (deleted)', changed: 1 })
})
