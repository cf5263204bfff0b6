import { expect, test } from 'vitest'
import { fairShare, SHARES_MAX } from './fair-share.ts'

const filesIn = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}/${String(index).padStart(4, '0')}.md`)
const countIn = (paths: readonly string[], folder: string) => paths.filter((path) => path.startsWith(folder)).length

test('where there is room for all, all are chosen, as they came', () => {
  const paths = [...filesIn('b', 2), ...filesIn('a', 2)]
  expect(fairShare(paths, 4)).toEqual({ chosen: paths, unlisted: [] })
})

test('a large folder hides no other: each has its share, and what is left out is counted where it lies', () => {
  const paths = [
    ...filesIn('app/apps/big', 500),
    ...filesIn('artifacts/letters', 30),
    ...filesIn('artifacts/photos', 400),
  ]
  const { chosen, unlisted } = fairShare(paths, 130)
  expect(chosen).toHaveLength(130)
  expect(['app/apps', 'artifacts/letters', 'artifacts/photos'].map((folder) => countIn(chosen, folder))).toEqual([
    50, 30, 50,
  ])
  expect(unlisted).toEqual([
    { folder: 'artifacts/photos', files: 350 },
    { folder: 'app/apps', files: 450 },
  ])
  expect(chosen).toEqual(paths.filter((path) => chosen.includes(path)))
})

test('what comes first is chosen, wherever it stands', () => {
  const paths = [...filesIn('a', 50), 'z/last.json']
  expect(fairShare(paths, 3, (path) => path === 'z/last.json').chosen).toEqual([
    'a/0000.md',
    'a/0001.md',
    'z/last.json',
  ])
  expect(fairShare(paths, 3, () => true).chosen).toHaveLength(3)
})

test('however many folders there are, all that is left out is counted, in few lines', () => {
  for (const names of [filesIn('deep', 600), filesIn('', 600)]) {
    const paths = names.map((name) => `${name.replace(/^\//, '')}/one.md`)
    const { chosen, unlisted } = fairShare(paths, 100)
    expect(unlisted.length).toBeLessThanOrEqual(SHARES_MAX)
    expect(chosen.length + unlisted.reduce((sum, { files }) => sum + files, 0)).toBe(600)
  }
})
