import { expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { findThinnable, type ThinRules } from './thinning.ts'

const version = (path: string, seq: number, until: number, content = `${path} ${seq}`) => ({
  path,
  seq,
  until,
  object: sha256(content),
  size: 10,
})
const rules = (more: Partial<ThinRules> = {}): ThinRules => ({
  until: 100,
  points: [],
  isHeld: () => false,
  max: 1000,
  ...more,
})
const HISTORY = [version('a', 2, 5), version('a', 5, 9), version('b', 3, 50)]
const objects = (found: { objects: readonly Hash[] }) => [...found.objects].sort()

test('what ended long enough ago goes, with its bytes counted once', () => {
  expect(findThinnable([HISTORY], rules())).toMatchObject({ files: 2, bytes: 30, more: false })
  expect(objects(findThinnable([HISTORY], rules({ until: 9 })))).toEqual([sha256('a 2'), sha256('a 5')].sort())
})

test('what stood at a point stays: from the event it began with, up to before the one it ended with', () => {
  for (const [point, kept] of [
    [1, []],
    [2, ['a 2']],
    [4, ['a 2', 'b 3']],
    [5, ['a 5', 'b 3']],
    [9, ['b 3']],
    [50, []],
  ] as const) {
    const gone = objects(findThinnable([HISTORY], rules({ points: [60, point] })))
    expect([point, gone]).toEqual([
      point,
      ['a 2', 'a 5', 'b 3']
        .filter((name) => !(kept as readonly string[]).includes(name))
        .map(sha256)
        .sort(),
    ])
  }
})

test('bytes that one version needs stay for all, whichever is seen first, on whatever page', () => {
  const young = version('a', 90, 200, 'same')
  const old = version('b', 2, 3, 'same')
  for (const pages of [[[young, old]], [[old, young]], [[old], [young]]])
    expect(findThinnable(pages, rules()).objects).toEqual([])
})

test('what something else holds stays, empty files and folders are not worth a word, and there is an end to it', () => {
  expect(objects(findThinnable([HISTORY], rules({ isHeld: (object) => object !== sha256('a 5') })))).toEqual([
    sha256('a 5'),
  ])
  expect(
    findThinnable(
      [
        [
          { ...version('a', 1, 2), size: 0 },
          { ...version('b', 1, 2), object: null },
        ],
      ],
      rules(),
    ).objects,
  ).toEqual([])
  expect(findThinnable([HISTORY], rules({ max: 2 }))).toMatchObject({
    objects: [sha256('a 2'), sha256('a 5')],
    bytes: 20,
    more: true,
  })
})
