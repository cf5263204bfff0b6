import { FOLDER, type Change } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { expect, test } from 'vitest'
import {
  isSelfReported,
  pathsOutside,
  plannedVerifiers,
  requiredVerifiers,
  testsBeside,
  VERIFIERS,
} from './verifier-plan.ts'

const changes = (...paths: string[]) => paths.map((path) => ({ path: path as TreePath }))

test('code is checked in every way, documents only by the rules', () => {
  expect(requiredVerifiers(changes('artifacts/a.txt', 'app/x.ts'))).toEqual(['transform', 'types', 'policy'])
  expect(requiredVerifiers(changes('app/x.css'))).toEqual(['transform', 'types', 'policy'])
  expect(requiredVerifiers(changes('artifacts/system/theme.json', 'application/x.ts'))).toEqual(['policy'])
})

test('the folder that a scope names may be left empty, and nothing else may be put there', () => {
  const file = { kind: 'file', mode: '644', object: 'a'.repeat(64), size: 1 } as Change['to']
  const left = (path: string, to: Change['to']) => [{ path: path as TreePath, from: null, to }]
  expect(pathsOutside(['artifacts/'], left('artifacts', FOLDER))).toEqual([])
  expect(pathsOutside(['artifacts/letters/'], left('artifacts', FOLDER))).toEqual([])
  expect(pathsOutside(['artifacts/'], left('artifacts', file))).toEqual(['artifacts'])
  expect(pathsOutside(['artifacts/'], left('app', FOLDER))).toEqual(['app'])
})

test('a scope is a folder with its slash, or one file, and nothing that only begins like it', () => {
  const paths = changes('app/a.ts', 'app', 'application/a', 'artifacts/one.txt', 'artifacts/one.txt.bak', 'other')
  expect(pathsOutside(['app/', 'artifacts/one.txt'], paths)).toEqual([
    'app',
    'application/a',
    'artifacts/one.txt.bak',
    'other',
  ])
  expect(pathsOutside(['app'], changes('app/a.ts'))).toEqual(['app/a.ts'])
  expect(pathsOutside([], changes('app/a.ts'))).toEqual(['app/a.ts'])
})

test('tests are those in the folders where something changed, of the desktop alone, and never without end', () => {
  const paths = [
    'app/a/x.ts',
    'app/a/x.test.ts',
    'app/a/y.test.tsx',
    'app/a/in/z.test.ts',
    'app/b/b.test.ts',
    'artifacts/n.test.ts',
  ]
  const beside = (...changed: string[]) =>
    testsBeside(
      changed.map((path) => ({ path })),
      paths,
    )
  expect(beside('app/a/x.ts')).toEqual(['app/a/x.test.ts', 'app/a/y.test.tsx'])
  expect(beside('app/a/gone.ts', 'app/b/b.test.ts')).toEqual(['app/a/x.test.ts', 'app/a/y.test.tsx', 'app/b/b.test.ts'])
  expect(beside('app/c/c.ts', 'artifacts/n.md')).toEqual([])
  const many = Array.from({ length: 100 }, (_, index) => `app/a/${index}.test.ts`)
  expect(testsBeside([{ path: 'app/a/x.ts' }], many)).toHaveLength(40)
})

test('[L12] what lets the tree’s code run is asked beside what is required, never instead of it', () => {
  const code = [{ path: 'app/a.ts' }]
  expect(plannedVerifiers(code, { render: false, tests: [] })).toEqual(['transform', 'types', 'policy'])
  expect(plannedVerifiers(code, { render: true, tests: ['app/a.test.ts'] })).toEqual([...VERIFIERS])
  expect(plannedVerifiers([{ path: 'artifacts/a.md' }], { render: true, tests: [] })).toEqual(['policy'])
  expect(VERIFIERS.filter(isSelfReported)).toEqual(['render', 'test'])
  expect(requiredVerifiers(code).some(isSelfReported)).toBe(false)
})
