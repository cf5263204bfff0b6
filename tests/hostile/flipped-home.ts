import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ChoirError } from '@choiros/contract/error.ts'
import { ComputerName, type Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { findFileAt } from '@choiros/supervisor/commands/files.ts'
import { openTestHome, temporaryFolder, type TestHome } from '../support/home.ts'
import { exportOf } from '../support/transfer.ts'
import { fillHome, flipBit, write } from './damage.ts'
import type { Seeded } from './seeded.ts'

/** A stopped home with two full computers, to be copied and damaged. */
export interface Template {
  readonly folder: string
  readonly tree: Hash
  /** The first computer's folder, below the home. */
  readonly place: string
}

export async function makeTemplate(): Promise<Template> {
  const folder = temporaryFolder()
  const own = openTestHome(folder)
  for (const name of ['one', 'two']) {
    await own.run('computer.add', { name: ComputerName.parse(name) })
    await fillHome(own, name)
  }
  const { hash } = await own.run('tree', { at: null }, { computer: 'one' })
  const place = join('computers', (await own.computer(undefined, 'one')).id)
  await own.close()
  return { folder, tree: hash, place }
}

export interface Verdict {
  readonly where: string
  /** What came of each command: 'ok', or the code it was refused with, or the bug it is. */
  readonly outcomes: Readonly<Record<string, string>>
  readonly verify: { readonly ok: boolean; readonly problems: readonly { readonly code: string }[] } | null
  readonly tree: string | null
  /** The tree after verify has had its look. */
  readonly treeAfter: string | null
  readonly other: { readonly ok: boolean; readonly tree: string }
}

/** Flips a bit in one of the files of a copy, opens it, and uses it in every way. */
export async function liveWithFlip(
  template: Template,
  files: (folder: string) => string[],
  random: Seeded,
  before: (place: string) => void = () => {},
): Promise<Verdict> {
  const folder = temporaryFolder()
  cpSync(template.folder, folder, { recursive: true, verbatimSymlinks: true })
  const place = join(folder, template.place)
  before(place)
  const file = random.pick(files(place))
  const where = `${flipBit(file, random)} (${file.slice(folder.length + 1)})`
  const outcomes: Record<string, string> = {}
  const attempt = async <Result>(name: string, work: () => Promise<Result>): Promise<Result | null> => {
    try {
      const result = await work()
      outcomes[name] = 'ok'
      return result
    } catch (error) {
      outcomes[name] =
        error instanceof ChoirError ? error.code : `BUG ${where}: ${(error as Error).stack ?? String(error)}`
      return null
    }
  }
  const own = await attempt('open', async () => openTestHome(folder, { warn: () => {} }))
  if (own === null) return { where, outcomes, verify: null, tree: null, treeAfter: null, other: { ok: true, tree: '' } }
  const as = { computer: 'one' }
  await attempt('status', () => own.run('status', {}))
  const tree = await attempt('tree', () => own.run('tree', { at: null }, as))
  for (const path of Object.keys(tree?.files ?? {})) await attempt(`cat ${path}`, () => catFile(own, path))
  await attempt('events', () => readAllEvents(own))
  await attempt('preview', () => own.run('undo.preview', { target: { kind: 'newest', scope: 'any' } }, as))
  const verify = await attempt('verify', () => own.run('verify', {}, as))
  const treeAfter = await attempt('tree again', () => own.run('tree', { at: null }, as))
  await attempt('write', () => own.run('files.change', { operations: [write('artifacts/new.txt', 'new\n')] }, as))
  await attempt('undo', () => own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null }, as))
  await attempt('checkpoint', () => own.run('checkpoint', { name: 'after' }, as))
  await attempt('export', () => exportOf(own, 'one'))
  const other = await own.run('verify', {}, { computer: 'two' })
  const otherTree = await own.run('tree', { at: null }, { computer: 'two' })
  await attempt('close', () => own.close())
  return {
    where,
    outcomes,
    verify,
    tree: tree?.hash ?? null,
    treeAfter: treeAfter?.hash ?? null,
    other: { ok: other.ok, tree: otherTree.hash },
  }
}

async function catFile(own: TestHome, path: string): Promise<void> {
  const computer = await own.computer(undefined, 'one')
  if (computer.queries.tree.entry(path)?.kind !== 'folder')
    await computer.objects.get(findFileAt(computer, path as TreePath, null).object)
}

async function readAllEvents(own: TestHome): Promise<void> {
  const { log } = await own.computer(undefined, 'one')
  for (let after = 0; ;) {
    const page = await log.read({ after, limit: 1000 })
    after = page.at(-1)?.seq ?? after
    if (page.length < 1000) return
  }
}

/** Every file below a folder, links and folders left out. */
export function filesBelow(folder: string): string[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      // A snapshot that is being taken comes and goes.
      .filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0)
  )
}

export const bugsOf = ({ outcomes }: Verdict): string[] =>
  Object.entries(outcomes).flatMap(([name, what]) => (what.startsWith('BUG') ? [`${name}: ${what}`] : []))
