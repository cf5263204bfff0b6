import { rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ComputerName, type Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { createExportFile, openExportFile } from '@choiros/ports/export-file/sqlite.ts'
import { buildExport, importFile } from '@choiros/supervisor/commands/transfer.ts'
import type { Context } from '@choiros/supervisor/commands/context.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { openTestHome, type TestHome } from '../support/open-home.ts'
import { crashAt } from './crash-at.ts'

/**
 * A life of a computer that passes every crash point, told step by step on standard output. The crash table runs it
 * again and again, killed somewhere else each time; a step that was told must have survived.
 */
const [homeFolder = '', point = 'none', times = '1'] = process.argv.slice(2)
const reached = point === 'none' ? () => {} : crashAt(point, Number(times))
const path = (text: string) => text as TreePath
const name = (text: string) => ComputerName.parse(text)

async function tell(test: TestHome, computer: string, step: string): Promise<void> {
  const { hash, seq } = await test.run('tree', { at: null }, { computer })
  writeSync(1, `${JSON.stringify({ step, computer, seq, tree: hash })}\n`)
}

const open = () => openTestHome(homeFolder, { reached, snapshotEveryEvents: 4 })

let test = open()
const write = (file: string, text: string, from: string | null) =>
  test.run(
    'files.change',
    { operations: [{ op: 'write', path: path(file), content: { text }, from: from as never }] },
    { computer: 'one' },
  )
const objectAt = async (file: string) =>
  (await test.run('files.stat', { path: path(file), at: null }, { computer: 'one' })).entry?.object ?? null

await test.run('computer.add', { name: name('one') })
await tell(test, 'one', 'made')
await write('artifacts/a.txt', 'one\ntwo\nthree\n', null)
await tell(test, 'one', 'small file')
await write('artifacts/large.bin', 'x'.repeat(200_000), null)
await tell(test, 'one', 'large file')
await write('artifacts/a.txt', 'ONE\ntwo\nthree\n', await objectAt('artifacts/a.txt'))
await tell(test, 'one', 'change')
await test.run(
  'files.change',
  {
    operations: [
      { op: 'move', path: path('artifacts/a.txt'), to: path('artifacts/b.txt') },
      { op: 'folder', path: path('artifacts/empty') },
      { op: 'link', path: path('artifacts/link'), target: 'b.txt', from: null },
      { op: 'remove', path: path('artifacts/large.bin') },
      { op: 'write', path: path('artifacts/secret.txt'), content: { text: 'to be erased' }, from: null },
    ],
  },
  { computer: 'one' },
)
await tell(test, 'one', 'many operations')
await test.run('undo', { target: { kind: 'event', seq: 4 as Seq }, tree: null }, { computer: 'one' })
await tell(test, 'one', 'undo')
await test.run('redo', {}, { computer: 'one' })
await tell(test, 'one', 'redo')
await test.run('checkpoint', { name: 'good' }, { computer: 'one' })
await tell(test, 'one', 'checkpoint')

const context = (): Context => ({
  home: test.home,
  machine: test.machine,
  user: test.home.owner,
  caller: 'cli',
  progress: () => {},
})
const file = await buildExport({ ...context(), computer: await test.computer(undefined, 'one') }, createExportFile)
await tell(test, 'one', 'export')
await importFile(context(), file, name('two'), openExportFile)
await tell(test, 'two', 'import')
await test.run('fork', { name: name('three'), at: 4 as Seq }, { computer: 'one' })
await tell(test, 'three', 'fork')
const { objects } = await test.run('erase.preview', { path: path('artifacts/secret.txt') }, { computer: 'one' })
await test.run('erase', { objects, reason: 'test' }, { computer: 'one' })
await tell(test, 'one', 'erase')

const folder = (await test.computer(undefined, 'one')).folder
await test.close()
for (const place of [PLACES.state, PLACES.snapshots]) rmSync(join(folder, place), { recursive: true })
test = open()
await tell(test, 'one', 'rebuild')
await write('artifacts/after.txt', 'after', null)
await tell(test, 'one', 'write after rebuild')
await test.run('restore', { to: 5 as Seq }, { computer: 'one' })
await tell(test, 'one', 'restore')
await test.close()
writeSync(1, `${JSON.stringify({ step: 'end' })}\n`)
