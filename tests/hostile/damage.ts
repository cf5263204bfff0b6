import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Operation } from '@choiros/contract/commands/files.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { TestHome } from '../support/home.ts'
import { importCopy } from '../support/transfer.ts'
import type { Seeded } from './seeded.ts'

export const write = (path: string, text: string): Operation => ({
  op: 'write',
  path: path as TreePath,
  content: { text },
  from: null,
})

/** A computer with something of everything: small and large files, folders, links, an undo, a checkpoint, windows. */
export async function fillHome(own: TestHome, computer: string | null = null): Promise<void> {
  const as = { computer }
  const run = (operations: Operation[]) => own.run('files.change', { operations }, as)
  await run([write('artifacts/a.txt', 'one\ntwo\nthree\n'), write('artifacts/b/c.txt', 'deep\n')])
  await run([
    {
      op: 'write',
      path: 'artifacts/large.bin' as TreePath,
      content: { base64: randomBytes(200_000).toString('base64') },
      from: null,
    },
  ])
  await run([{ op: 'link', path: 'artifacts/link' as TreePath, target: 'a.txt', from: null }])
  await run([{ op: 'folder', path: 'artifacts/empty' as TreePath }])
  await run(
    Array.from({ length: 60 }, (_, index) => write(`artifacts/many/${index}.txt`, `file ${index}\n`.repeat(20))),
  )
  await run(
    Array.from({ length: 510 }, (_, index) => write(`artifacts/more/${index % 7}/${index}.txt`, `more ${index}\n`)),
  )
  await run([{ op: 'move', path: 'artifacts/b' as TreePath, to: 'artifacts/moved' as TreePath }])
  await own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null }, as)
  await own.run('window.open', { window: 'w1', app: 'writer', title: 'Notes' }, as)
  await own.run('checkpoint', { name: 'filled' }, as)
  await run([write('artifacts/last.txt', 'last\n')])
}

/** Imports a file that must be refused: with a code, leaving no computer and no file behind. */
export async function refusedImport(own: TestHome, file: string): Promise<{ code: string; message: string }> {
  const left = () => ['computers', 'tmp'].map((name) => readdirSync(join(own.home.folder, name)))
  const before = left()
  const error: unknown = await importCopy(own, file, `import-${randomBytes(4).toString('hex')}`).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(left()).toEqual(before)
  expect(error).toBeInstanceOf(ChoirError)
  const { code, message } = error as ChoirError
  expect(message).toMatch(/Nothing was changed|newer ChoirOS/)
  expect(message.length).toBeLessThan(600)
  return { code, message }
}

/** Flips one bit somewhere in a file. Says where, for the one who has to repeat it. */
export function flipBit(file: string, random: Seeded): string {
  const bytes = readFileSync(file)
  const position = random.below(bytes.length)
  const bit = random.below(8)
  bytes[position] = (bytes[position] ?? 0) ^ (1 << bit)
  writeFileSync(file, bytes)
  return `bit ${bit} of byte ${position} of ${bytes.length}`
}
