import { expect, test } from 'vitest'
import { problemWords, readVerdict, touchedArgument } from './verdict.ts'

test('a verdict is the last line, whatever was said before it', () => {
  const verdict = { ok: false, problems: [{ path: 'app/a.ts', line: 3, message: 'no' }] }
  expect(readVerdict(`warming up\n{"ok":true,"problems":[]}\n${JSON.stringify(verdict)}\n\n`)).toEqual(verdict)
})

test.each(['', 'ok', '{"ok":true}', '{"ok":"yes","problems":[]}', '{"ok":true,"problems":[]}\nand on', 'null'])(
  '%j is no verdict',
  (output) => {
    expect(readVerdict(output)).toBeNull()
  },
)

test('a problem is told with its place', () => {
  expect([
    problemWords({ path: 'app', line: null, message: 'gone' }),
    problemWords({ path: 'a.ts', line: 2, message: 'no' }),
  ]).toEqual(['app: gone', 'a.ts:2: no'])
})

test('more paths than an argument holds are not named at all', () => {
  expect([
    touchedArgument(['a']),
    touchedArgument(Array.from({ length: 20_000 }, (_, index) => `file ${index}`)),
  ]).toEqual([['["a"]'], []])
})
