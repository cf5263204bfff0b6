import { describe, expect, test } from 'vitest'
import { LIMITS } from '@choiros/contract/limits.ts'
import { mergeContent } from './merge.ts'

const bytes = (text: string) => Buffer.from(text)
const five = 'a\nb\nc\nd\ne\n'

describe('[MG6] merging files', () => {
  test('text is merged by lines', () => {
    const merged = mergeContent('app/a.ts', bytes(five), bytes(five.replace('a', 'A')), bytes(five.replace('e', 'E')))
    expect(merged?.toString()).toBe(five.replace('a', 'A').replace('e', 'E'))
  })

  test('only .json files are merged by key', () => {
    const [base, mine, theirs] = ['{"a":1,"b":2}', '{"a":9,"b":2}', '{"a":1,"b":8}'].map(bytes) as [
      Buffer,
      Buffer,
      Buffer,
    ]
    expect(mergeContent('a.json', base, mine, theirs)?.toString()).toBe('{"a":9,"b":8}')
    expect(mergeContent('a.txt', base, mine, theirs)).toBeNull()
  })

  test('binary content, content that is not UTF-8 and content over the limit is left to a person', () => {
    const binary = Buffer.concat([bytes(five), Buffer.from([0])])
    const latin = Buffer.from([0x61, 0xe9, 0x0a])
    const huge = Buffer.alloc(LIMITS.mergeBytesMax + 1, 'a\n')
    for (const odd of [binary, latin, huge]) {
      expect(mergeContent('f', odd, bytes(five), bytes('x'))).toBeNull()
      expect(mergeContent('f', bytes(five), odd, bytes('x'))).toBeNull()
      expect(mergeContent('f', bytes(five), bytes('x'), odd)).toBeNull()
    }
  })

  test('a byte order mark, CRLF and a missing last newline survive byte for byte', () => {
    const odd = '\ufeffa\r\nb\r\nc\r\nd\r\ne'
    const merged = mergeContent('f.txt', bytes(odd), bytes(odd.replace('a', 'A')), bytes(odd.replace('e', 'E')))
    expect(merged?.equals(bytes(odd.replace('a', 'A').replace('e', 'E')))).toBe(true)
  })

  test('an empty file is text', () => {
    expect(mergeContent('f', bytes(''), bytes(''), bytes('a\n'))?.toString()).toBe('a\n')
    expect(mergeContent('f', bytes('a\n'), bytes(''), bytes(''))?.toString()).toBe('')
  })
})
