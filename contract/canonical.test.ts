import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalBytes, canonicalText, sha256, sha256Stream } from './canonical.ts'

/** Appendix B of RFC 8785: IEEE 754 bits and the one text for them. */
const NUMBERS: readonly (readonly [string, string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

describe('[CT2] RFC 8785: one value has one byte form', () => {
  test('numbers are written as the RFC’s own table says', () => {
    const written = NUMBERS.map(([bits]) => [bits, canonicalText(Buffer.from(bits, 'hex').readDoubleBE())])
    expect(written).toEqual(NUMBERS)
  })

  test('keys are sorted by UTF-16 code units, so an emoji comes before U+FB33', () => {
    const value = {
      '€': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\u{1f600}': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      'ö': 'Latin Small Letter O With Diaeresis',
    }
    expect(canonicalText(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","\u{1f600}":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    )
  })

  test('the RFC’s example of all forms comes out byte for byte', () => {
    const value = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    }
    expect(canonicalText(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('control characters are escaped in lower case, everything else is left alone', () => {
    expect(canonicalText('\b\t\n\f\r\0\u001f"\\/\u007f\u2028é')).toBe(
      '"\\b\\t\\n\\f\\r\\u0000\\u001f\\"\\\\/\u007f\u2028é"',
    )
  })

  test('values that JSON cannot hold are refused, not written as something else', () => {
    const hole: unknown[] = []
    hole[1] = 1
    for (const value of [
      NaN,
      Infinity,
      -Infinity,
      undefined,
      1n,
      Symbol('s'),
      () => 1,
      [undefined],
      hole,
      '\ud800',
      { '\udc00': 1 },
      new Date(0),
      new Map(),
      Buffer.from('x'),
    ]) {
      expect(() => canonicalText(value)).toThrow(TypeError)
    }
  })

  test('members without a value are left out', () => {
    expect(canonicalText({ b: undefined, a: 1 })).toBe('{"a":1}')
  })

  test('a key named __proto__ is a key like any other', () => {
    const value: unknown = JSON.parse('{"a":1,"__proto__":{"b":2}}')
    expect(canonicalText(value)).toBe('{"__proto__":{"b":2},"a":1}')
  })

  test('nesting beyond any sense is refused with a TypeError, not with a full stack', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    expect(() => canonicalText(JSON.parse(deep))).toThrow(TypeError)
  })

  test('reading what was written gives the same value, and writing that gives the same bytes', () => {
    const wellFormed = fc.string({ unit: 'grapheme' })
    const json = fc.jsonValue({ stringUnit: 'grapheme', depthSize: 'medium' })
    fc.assert(
      fc.property(fc.oneof(json, fc.dictionary(wellFormed, json)), (value) => {
        const text = canonicalText(value)
        const again: unknown = JSON.parse(text)
        expect(again).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalText(again)).toBe(text)
        expect(canonicalBytes(value).toString('utf8')).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })
})

test('[CT2] a hash taken in pieces equals the hash of the whole', () => {
  const stream = sha256Stream()
  for (const piece of ['a', '', 'bc']) stream.update(Buffer.from(piece))
  expect(stream.digest()).toBe(sha256('abc'))
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
