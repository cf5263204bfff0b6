import { expect, test } from 'vitest'
import { LIMITS } from './limits.ts'
import { problemWords, readVerdict, takePictures, touchedArgument } from './verdict.ts'

test('a verdict is the last line, whatever was said before it', () => {
  const verdict = { ok: false, problems: [{ path: 'app/a.ts', line: 3, message: 'no' }] }
  expect(readVerdict(`warming up\n{"ok":true,"problems":[]}\n${JSON.stringify(verdict)}\n\n`)).toEqual({
    ...verdict,
    means: 'reading',
  })
})

test('[L11] pictures stand on lines of their own; what is none, too large or too many is dropped', () => {
  const line = (app: unknown, base64 = '/9j/', width: unknown = 10) =>
    JSON.stringify({ app, picture: { base64, width, height: 10 } })
  const good = Array.from({ length: LIMITS.picturesPerVerdictMax + 3 }, (_, index) => line(`app${index}`))
  const bad = [
    line(7),
    line('a', 'no base64'),
    line('a', '/9j/', 100_000),
    line('a', 'A'.repeat(LIMITS.pictureBase64Max + 4)),
  ]
  const { pictures, rest } = takePictures(
    ['first', line(null), ...bad, ...good, '{"ok":true,"problems":[]}'].join('\n'),
  )
  expect(pictures.map(({ app }) => app)).toEqual([null, 'app0', 'app1', 'app2', 'app3', 'app4'])
  expect(rest).toBe('first\n{"ok":true,"problems":[]}')
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
