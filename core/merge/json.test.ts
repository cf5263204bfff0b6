import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeJson } from './json.ts'

type Members = Record<string, unknown>
const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const BASE = { name: 'clock', size: { width: 1, height: 2 }, colours: ['red'], on: true }

describe('[MG4] merging JSON by key', () => {
  test('takes both sides where they changed different keys, also neighbours and nested ones', () => {
    const mine = { ...BASE, name: 'watch', size: { ...BASE.size, width: 10 } }
    const theirs = { ...BASE, size: { ...BASE.size, height: 20 }, colours: ['blue'] }
    expect(mergeJson(pretty(BASE), pretty(mine), pretty(theirs))).toBe(
      pretty({ name: 'watch', size: { width: 10, height: 20 }, colours: ['blue'], on: true }),
    )
  })

  test('adds and removes keys of either side', () => {
    const { on: _on, ...withoutOn } = BASE
    const { name: _name, ...withoutName } = BASE
    expect(mergeJson(pretty(BASE), pretty(withoutOn), pretty({ ...BASE, theme: 'dark' }))).toBe(
      pretty({ ...withoutOn, theme: 'dark' }),
    )
    expect(mergeJson(pretty(BASE), pretty(withoutName), pretty(withoutOn))).toBe(
      pretty({ size: BASE.size, colours: BASE.colours }),
    )
  })

  test('refuses two values for one key, and never writes the key twice', () => {
    expect(mergeJson(pretty(BASE), pretty({ ...BASE, name: 'a' }), pretty({ ...BASE, name: 'b' }))).toBeNull()
    expect(mergeJson(pretty(BASE), pretty({ x: 1, ...BASE }), pretty({ ...BASE, x: 2 }))).toBeNull()
    const { on: _on, ...withoutOn } = BASE
    expect(mergeJson(pretty(BASE), pretty(withoutOn), pretty({ ...BASE, on: false }))).toBeNull()
    expect(
      mergeJson(pretty(BASE), pretty({ ...BASE, colours: ['red', 'a'] }), pretty({ ...BASE, colours: ['b', 'red'] })),
    ).toBeNull()
    expect(
      mergeJson(pretty(BASE), pretty({ ...BASE, size: 1 }), pretty({ ...BASE, size: { ...BASE.size, width: 9 } })),
    ).toBeNull()
  })

  test('keeps my order of keys, and puts a key of theirs behind the one it followed there', () => {
    const keys = (text: string | null) => Object.keys(JSON.parse(text ?? 'null') as Members).join('')
    const of = (order: string) => pretty(Object.fromEntries(Array.from(order, (key) => [key, key])))
    expect(keys(mergeJson(of('abc'), of('abcx'), of('aybc')))).toBe('aybcx')
    expect(keys(mergeJson(of('abd'), of('ad'), of('abcd')))).toBe('acd')
    expect(keys(mergeJson(of('bc'), of('bcx'), of('abc')))).toBe('abcx')
    expect(keys(mergeJson(of('a'), of('ax'), of('abcd')))).toBe('abcdx')
  })

  test('keeps indentation, compactness and the end of the file', () => {
    const styles = [
      (value: unknown) => JSON.stringify(value),
      (value: unknown) => `${JSON.stringify(value, null, '\t')}\n`,
      (value: unknown) => JSON.stringify(value, null, 4),
      (value: unknown) => `${JSON.stringify(value, null, 2)}\r\n`,
    ]
    for (const style of styles) {
      expect(mergeJson(style({ a: 1, b: 2 }), style({ a: 9, b: 2 }), style({ a: 1, b: 2, c: 3 }))).toBe(
        style({ a: 9, b: 2, c: 3 }),
      )
    }
  })

  test('an empty object has every style', () => {
    expect(mergeJson('{}\n', pretty({ a: 1 }), pretty({ b: 2 }))).toBe(pretty({ b: 2, a: 1 }))
    expect(mergeJson(pretty({ a: 1, b: 2 }), pretty({ a: 1 }), '{}\n')).toBe('{}\n')
  })

  test('equals the merge of the sets of edits, in any order of the sides', () => {
    const edit = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '__proto__', '7'),
      value: fc.option(fc.integer(), { nil: undefined }),
    })
    const edits = fc.uniqueArray(edit, { selector: (item) => item.key, maxLength: 8 })
    fc.assert(
      fc.property(edits, edits, fc.nat(), (first, all, split) => {
        const base = apply({}, first)
        const [mine, theirs] = [all.slice(0, split % (all.length + 1)), all.slice(split % (all.length + 1))]
        const merged = mergeJson(pretty(base), pretty(apply(base, mine)), pretty(apply(base, theirs)))
        expect(sorted(JSON.parse(merged ?? 'null'))).toEqual(sorted(apply(base, all)))
      }),
      { numRuns: 1000 },
    )
  })
})

type Edit = { key: string; value: number | undefined }

function apply(base: object, edits: readonly Edit[]): object {
  const members = new Map(Object.entries(base))
  for (const { key, value } of edits) {
    if (value === undefined) members.delete(key)
    else members.set(key, value)
  }
  return Object.fromEntries(members)
}

function sorted(value: unknown): unknown[] {
  return Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1))
}

describe('[MG5] JSON that is not written just so is merged by lines, but never against its keys', () => {
  const hand = '{\n  "a": 1, "b": 2,\n\n  "c":   3,\n\n  "d": 4\n}\n'

  test('hand-formatted files keep their form', () => {
    expect(mergeJson(hand, hand.replace('1', '10'), hand.replace('4', '40'))).toBe(
      hand.replace('1', '10').replace('4', '40'),
    )
    expect(mergeJson(hand, hand.replace('1', '10'), hand.replace('2', '20'))).toBeNull()
  })

  test('a change of form only is not lost: it is a change of lines', () => {
    const before = { a: 1, b: 2, c: 3 }
    const compact = JSON.stringify(before)
    expect(mergeJson(pretty(before), pretty({ ...before, c: 4 }), compact)).toBeNull()
    expect(mergeJson(pretty(before), pretty(before), compact)).toBe(compact)
    expect(mergeJson(pretty(before), pretty({ ...before, b: 9 }), JSON.stringify(before, null, 2))).toBe(
      JSON.stringify({ ...before, b: 9 }, null, 2),
    )
  })

  test('a change of order only is not lost', () => {
    const order = (keys: string, c = 3) =>
      pretty(Object.fromEntries(Array.from(keys, (key) => [key, key === 'c' ? c : 0])))
    const merged = mergeJson(order('abdefcgh'), order('abdefcgh', 9), order('badefcgh'))
    expect(merged === null || merged === order('badefcgh', 9)).toBe(true)
    const list = (item: object, last: number) => pretty({ list: [item], last })
    expect(mergeJson(list({ a: 1, b: 2 }, 1), list({ a: 1, b: 2 }, 9), list({ b: 2, a: 1 }, 1))).toBe(
      list({ b: 2, a: 1 }, 9),
    )
  })

  test('numbers that JavaScript cannot hold come through unrounded', () => {
    const text = (id: string, on: string, name: string) =>
      `{\n  "id": ${id},\n  "x": 0,\n  "on": ${on},\n  "y": 0,\n  "name": "${name}"\n}\n`
    expect(mergeJson(text('1', 'true', 'a'), text('1', 'true', 'b'), text('12345678901234567890', 'true', 'a'))).toBe(
      text('12345678901234567890', 'true', 'b'),
    )
  })

  test('two added keys of one name in far places are a conflict, not a file with the key twice', () => {
    const many = (first: string, last: string) => `{${first}\n  "a": 1,\n  "b":  2,\n  "c": 3,\n  "d": 4${last}\n}\n`
    expect(mergeJson(many('', ''), many('\n  "x": 1,', ''), many('', ',\n  "x": 2'))).toBeNull()
  })

  test('what is no JSON, or no object, is only text; but valid JSON is never merged into invalid', () => {
    expect(mergeJson('{\n"a": 1,\n\n\n\n"b": 2', '{\n"a": 9,\n\n\n\n"b": 2', '{\n"a": 1,\n\n\n\n"b": 8')).toBe(
      '{\n"a": 9,\n\n\n\n"b": 8',
    )
    const list = (...items: string[]) => `[\n${items.join('\n')}\n]\n`
    expect(
      mergeJson(list('1,', '2,', '3,', '4'), list('1,', '2,', '3,', '4,', '5'), list('0,', '1,', '2,', '3,', '4')),
    ).toBe(list('0,', '1,', '2,', '3,', '4,', '5'))
  })

  test('a byte order mark keeps a file from being rewritten', () => {
    const marked = (value: unknown) => `\ufeff${pretty(value)}`
    expect(mergeJson(marked({ a: 1, b: 2, c: 3 }), marked({ a: 9, b: 2, c: 3 }), marked({ a: 1, b: 2, c: 8 }))).toBe(
      marked({ a: 9, b: 2, c: 8 }),
    )
  })
})

describe('[MG3] [L11] merging JSON ends within its time', () => {
  const within = (limitMs: number, work: () => unknown) => {
    const start = performance.now()
    const result = work()
    expect(performance.now() - start).toBeLessThan(limitMs)
    return result
  }

  test('100,000 keys', () => {
    const many = (mark: string) =>
      pretty(
        Object.fromEntries(
          Array.from({ length: 100_000 }, (_, index) => [`${index % 1000 === 0 ? mark : 'k'}${index}`, index]),
        ),
      )
    expect(within(30_000, () => mergeJson(many('a'), many('b'), many('c')))).not.toBeNull()
  })

  test('objects nested 200,000 deep', () => {
    const deep = (value: string) => `${'{"a":'.repeat(200_000)}${value}${'}'.repeat(200_000)}`
    expect(within(30_000, () => mergeJson(deep('1'), deep('2'), deep('3')))).toBeNull()
  })

  test('a large value below many levels', () => {
    const big = (mark: string) => {
      let value: unknown = Array.from({ length: 100_000 }, (_, index) => index)
      for (let level = 0; level < 60; level++) value = { below: value, [mark]: level }
      return JSON.stringify(value)
    }
    expect(within(30_000, () => mergeJson(big('a'), big('b'), big('c')))).not.toBeNull()
  })
})
