import type { TreePath } from '@choiros/contract/path.ts'
import { expect, test } from 'vitest'
import { pathsOutside, requiredVerifiers } from './verifier-plan.ts'

const changes = (...paths: string[]) => paths.map((path) => ({ path: path as TreePath }))

test('code is checked in every way, documents only by the rules', () => {
  expect(requiredVerifiers(changes('artifacts/a.txt', 'app/x.ts'))).toEqual(['transform', 'types', 'policy'])
  expect(requiredVerifiers(changes('app/x.css'))).toEqual(['transform', 'types', 'policy'])
  expect(requiredVerifiers(changes('artifacts/system/theme.json', 'application/x.ts'))).toEqual(['policy'])
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
