import { expect, test } from 'vitest'
import type { Entry } from '@choiros/contract/change.ts'
import { RunId } from '@choiros/contract/ids.ts'
import { ContextPack } from '@choiros/contract/syscalls.ts'
import type { Computer } from '../computer/computer.ts'
import { packContext } from './context-pack.ts'

/** A computer with these files and nothing else. */
function computerWith(paths: readonly string[]): Computer {
  const entry = { kind: 'file', object: 'o', size: 2 } as unknown as Entry
  const none = () => []
  return {
    queries: {
      allEntries: () => paths.map((path) => [path, entry]),
      runs: none,
      talkBefore: none,
      faults: none,
      windows: none,
      notes: none,
    },
    objects: { find: async () => Buffer.from('{}') },
  } as unknown as Computer
}

test('a Director of a large computer knows its settings and apps, some of every folder, and what it does not know', async () => {
  const many = Array.from({ length: 5000 }, (_, index) => `app/apps/a/${index}.ts`)
  const wanted = ['app/apps/z/app.tsx', 'artifacts/letters/one.md', 'artifacts/system/theme.json']
  const context = await packContext(computerWith([...many, ...wanted]), RunId.parse('run-1'), true)
  const { files, unlisted } = ContextPack.parse(context)
  expect(files).toHaveLength(2000)
  expect(files.slice(-3)).toEqual([
    { path: 'app/apps/z/app.tsx', size: 2, text: null },
    { path: 'artifacts/letters/one.md', size: 2, text: null },
    { path: 'artifacts/system/theme.json', size: 2, text: '{}' },
  ])
  expect(unlisted).toEqual([{ folder: 'app/apps', files: 3003 }])
})
