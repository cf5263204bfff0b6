import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { landRun, type Landing } from '@choiros/supervisor/computer/landing.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { plant, plantAgents } from '../support/plant.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'

const OTHER = Buffer.from('export const planted = "not what was verified"\n')
const OTHER_OBJECT = { hash: sha256(OTHER), bytes: OTHER }
const added = (path: string, mode: '644' | '755' = '644'): Change => ({
  path: path as TreePath,
  from: null,
  to: { kind: 'file', mode, object: OTHER_OBJECT.hash, size: OTHER.length },
  movedFrom: null,
})
const byPath = (a: Change, b: Change) => (a.path < b.path ? -1 : 1)
const withChanges = (landing: Landing, changes: readonly Change[]): Landing => ({
  ...landing,
  changes: [...changes].sort(byPath),
  objects: [...landing.objects, OTHER_OBJECT],
})

/** Each makes another landing out of the one that was verified. */
const TAMPERED: Readonly<Record<string, (landing: Landing) => Landing>> = {
  'the content of a file': (landing) =>
    withChanges(
      landing,
      landing.changes.map((change) => (change.path === 'app/planted.ts' ? added('app/planted.ts') : change)),
    ),
  'the bytes behind a name': (landing) => ({
    ...landing,
    objects: landing.objects.map(({ hash }) => ({ hash, bytes: OTHER })),
  }),
  'bytes that are missing': (landing) => ({ ...landing, objects: [] }),
  'a file more in the desktop': (landing) => withChanges(landing, [...landing.changes, added('app/more.ts')]),
  'a file more among the documents': (landing) =>
    withChanges(landing, [...landing.changes, added('artifacts/more.txt')]),
  'a file less in the desktop': (landing) =>
    withChanges(
      landing,
      landing.changes.filter(({ path }) => path !== 'app/planted.ts'),
    ),
  'a file less among the documents': (landing) =>
    withChanges(
      landing,
      landing.changes.filter(({ path }) => path !== 'artifacts/planted.txt'),
    ),
  'a deletion more': (landing) => withChanges(landing, [...landing.changes, removed]),
  'the mode of a file': (landing) =>
    withChanges(
      landing,
      landing.changes.map((change) =>
        change.to?.kind === 'file' && change.path === 'app/planted.ts'
          ? { ...change, to: { ...change.to, mode: '755' } }
          : change,
      ),
    ),
  'another path': (landing) =>
    withChanges(
      landing,
      landing.changes.map((change) =>
        change.path === 'app/planted.ts' ? { ...change, path: 'app/elsewhere.ts' as TreePath } : change,
      ),
    ),
  'no changes at all': (landing) => ({ ...landing, changes: [] }),
}
let removed: Change

/** A run that writes into the desktop and beside it. */
const PLANTED = { 'app/planted.ts': 'export const planted = 1\n', 'artifacts/planted.txt': 'planted\n' }
const writes = (files: Readonly<Record<string, string>>, waitMs = 0) =>
  plant({ writes: Object.entries(files).map(([path, text]) => ({ path, text })), waitMs })
const LINES = Array.from({ length: 12 }, (_, index) => `export const line${index} = ${index}`)
const text = (lines: Readonly<Record<number, string>> = {}) =>
  `${LINES.map((line, index) => lines[index] ?? line).join('\n')}\n`
const FILE = 'app/both.ts'

describe('[L12] what was verified is byte for byte what lands', { timeout: 60_000 }, () => {
  const folder = temporaryFolder()
  let home: RunHome
  let computer: Computer
  let before: (landing: Landing, attempt: number) => Promise<Landing> | Landing
  let attempts = 0
  let count = 0

  const tree = async () => (await home.run('tree', { at: null }, { computer: computer.id })).hash
  const receipts = async (run: string) =>
    (await home.events(computer))
      .filter((event) => event.type === 'receipt.verifier' && event.run === run)
      .map(({ data }) => data as { tree: string })
  const verifiedTrees = async (run: string) => [...new Set((await receipts(run)).map((receipt) => receipt.tree))]

  beforeAll(async () => {
    await plantAgents(folder)
    home = openRunHome(folder, { beforeLanding: async (landing) => before(landing, ++attempts) })
  })
  beforeEach(async () => {
    before = (landing) => landing
    attempts = 0
    computer = await home.addComputer(`c${++count}`)
    await home.write(computer, FILE, text())
    const entry = computer.queries.tree.entry(FILE)
    removed = { path: FILE as TreePath, from: entry, to: null, movedFrom: null }
  })
  afterAll(async () => {
    await home.close()
    removeFolders()
  })

  test('the plain landing lands, with the attestation of its tree', async () => {
    const { status, run } = await home.prompt(computer, writes(PLANTED))
    expect(status).toBe('landed')
    const landed = (await home.events(computer)).find(({ type }) => type === 'run.land')?.data as {
      verified: string
      tree: string
      attestation: never
    }
    expect([landed.verified, landed.tree]).toEqual([await tree(), await tree()])
    const statement = JSON.parse((await computer.objects.get(landed.attestation)).toString('utf8')) as Record<
      string,
      unknown
    >
    expect(statement).toMatchObject({ run, tree: landed.tree, computer: computer.id })
    for (const [path, content] of Object.entries(PLANTED)) expect(await home.read(computer, path)).toBe(content)
  })

  test('what is changed between verification and landing does not land', async () => {
    const untouched = await tree()
    const outcomes: string[] = []
    before = async (landing) => {
      for (const [what, tamper] of Object.entries(TAMPERED)) {
        const outcome = await landRun(computer, tamper(landing)).then(
          () => 'landed',
          (error: unknown) => (error instanceof ChoirError ? 'refused' : String(error)),
        )
        outcomes.push(`${what}: ${outcome}`)
      }
      return landing
    }
    // Whatever was tried before it.
    expect(await home.prompt(computer, writes(PLANTED))).toMatchObject({ status: 'landed' })
    expect(outcomes).toEqual(Object.keys(TAMPERED).map((what) => `${what}: refused`))
    await home.run('undo', { target: { kind: 'newest', scope: 'runs' }, tree: null }, { computer: computer.id })
    expect(await tree()).toBe(untouched)

    // And as the whole run goes: it is discarded, and not tried again, for nobody moved anything.
    for (const what of ['the content of a file', 'a file more among the documents']) {
      before = TAMPERED[what] ?? before
      const { status, run } = await home.prompt(computer, writes(PLANTED))
      expect([what, status, await tree()]).toEqual([what, 'discarded', untouched])
      expect((await home.events(computer)).filter((event) => event.run === run).map(({ type }) => type)).not.toContain(
        'run.land',
      )
      expect(await verifiedTrees(run)).toHaveLength(1)
    }
    expect(await home.run('verify', {}, { computer: computer.id })).toMatchObject({
      ok: true,
      problems: [],
      mended: [],
    })
  })

  test('a change of the folder that the verifiers saw does not reach the computer', async () => {
    before = (landing) => {
      const trees = join(computer.folder, 'trees')
      for (const name of readdirSync(trees)) {
        const file = join(trees, name, 'app/planted.ts')
        if (!readdirSync(join(trees, name, 'app')).includes('planted.ts')) continue
        chmodSync(file, 0o755)
        writeFileSync(file, OTHER)
      }
      return landing
    }
    expect(await home.prompt(computer, writes(PLANTED))).toMatchObject({ status: 'landed' })
    expect(await home.read(computer, 'app/planted.ts')).toBe(PLANTED['app/planted.ts'])
    expect(computer.queries.tree.entry('app/planted.ts')).toMatchObject({ mode: '644' })
    expect(await home.run('verify', {}, { computer: computer.id })).toMatchObject({ ok: true, mended: [] })
  })

  test('the person edits other lines of the same file: the merged tree is verified, and that lands', async () => {
    before = async (landing, attempt) => {
      if (attempt === 1) await home.write(computer, FILE, text({ 0: 'export const mine = 0' }))
      return landing
    }
    const { status, run } = await home.prompt(computer, writes({ [FILE]: text({ 11: 'export const theirs = 11' }) }))
    expect(status).toBe('landed')
    expect(await home.read(computer, FILE)).toBe(text({ 0: 'export const mine = 0', 11: 'export const theirs = 11' }))
    const trees = await verifiedTrees(run)
    expect(trees).toHaveLength(2)
    const landed = (await home.events(computer)).find(({ type }) => type === 'run.land')?.data
    expect([trees.at(-1), landed]).toEqual([await tree(), expect.objectContaining({ verified: await tree() })])
    expect(await receipts(run)).toHaveLength(8)
  })

  test.runIf(IS_LONG_LANE)('the person edits while the Associate works: the same', async () => {
    const asked = await home.ask(computer, writes({ [FILE]: text({ 11: 'export const theirs = 11' }) }, 700))
    await expect
      .poll(async () => (await home.events(computer)).some(({ type }) => type === 'tool.result'), {
        interval: 20,
        timeout: 10_000,
      })
      .toBe(true)
    await home.write(computer, FILE, text({ 0: 'export const mine = 0' }))
    const { status, run } = await home.ended(computer, asked)
    expect(status).toBe('landed')
    expect(await home.read(computer, FILE)).toBe(text({ 0: 'export const mine = 0', 11: 'export const theirs = 11' }))
    expect((await verifiedTrees(run)).at(-1)).toBe(await tree())
  })

  test('the person edits the same lines: refused in clear words, theirs stands, the run’s is in its record', async () => {
    const mine = text({ 5: 'export const mine = 5' })
    before = async (landing, attempt) => {
      if (attempt === 1) await home.write(computer, FILE, mine)
      return landing
    }
    const theirs = text({ 5: 'export const theirs = 5' })
    const ended = await home.prompt(computer, writes({ [FILE]: theirs }))
    expect(ended).toMatchObject({
      status: 'discarded',
      reason: expect.stringMatching(/app\/both\.ts.*same lines.*Your version stands/s) as string,
    })
    expect(await home.read(computer, FILE)).toBe(mine)
    const stage = (await home.events(computer)).find((event) => event.type === 'tool.result' && event.run === ended.run)
      ?.data as { stage: never }
    const recorded = JSON.parse((await computer.objects.get(stage.stage)).toString('utf8')) as Change[]
    const [object] = recorded.filter(({ path }) => path === FILE).map(({ to }) => to?.object)
    expect((await computer.objects.find(object as never))?.toString('utf8')).toBe(theirs)
  })

  test('the person edits only documents: it lands without a second look', async () => {
    before = async (landing, attempt) => {
      if (attempt === 1) await home.write(computer, 'artifacts/mine.txt', 'mine')
      return landing
    }
    const { status, run } = await home.prompt(computer, writes(PLANTED))
    expect(status).toBe('landed')
    expect(await receipts(run)).toHaveLength(4)
    expect(await home.read(computer, 'artifacts/mine.txt')).toBe('mine')
  })

  test('each is good and both together are not: refused, theirs stands', async () => {
    before = async (landing, attempt) => {
      if (attempt === 1) await home.write(computer, FILE, text({ 0: 'export const renamed = 0' }))
      return landing
    }
    const user = "import { line0 } from './both'\nexport const twice: number = line0 * 2\n"
    const ended = await home.prompt(computer, writes({ 'app/user.ts': user }))
    expect(ended).toMatchObject({
      status: 'discarded',
      reason: expect.stringMatching(/together with what you changed in the meantime.*types/s) as string,
    })
    expect(await home.read(computer, FILE)).toBe(text({ 0: 'export const renamed = 0' }))
    expect(computer.queries.tree.entry('app/user.ts')).toBeNull()
  })

  test('under a person who never stops editing it lands all the same, and what they wrote before is in it', async () => {
    const late: Promise<unknown>[] = []
    const code = (written: Promise<unknown>) =>
      written.then(
        () => 'written',
        (error: unknown) => (error instanceof ChoirError ? error.code : error),
      )
    before = async (landing, attempt) => {
      const written = home.write(computer, FILE, text({ 0: `export const mine = ${attempt}` }))
      if (attempt < 3) await written
      // Their changes wait now: this one comes after the landing, and is told what it has to be merged with.
      else late.push(code(written))
      return landing
    }
    const ended = await home.prompt(computer, writes({ [FILE]: text({ 11: 'export const theirs = 11' }) }))
    expect([ended.status, attempts]).toEqual(['landed', 3])
    expect(await Promise.all(late)).toEqual(['file.conflict'])
    expect(await home.read(computer, FILE)).toBe(text({ 0: 'export const mine = 2', 11: 'export const theirs = 11' }))
  })

  test.runIf(IS_LONG_LANE)(
    'whoever waits for it longer than a moment is let through, and it gives up in clear words',
    async () => {
      before = async (landing, attempt) => {
        await home.write(computer, FILE, text({ 0: `export const mine = ${attempt}` }))
        return landing
      }
      const ended = await home.prompt(computer, writes({ [FILE]: text({ 11: 'export const theirs = 11' }) }))
      expect(ended).toMatchObject({ status: 'discarded', reason: expect.stringContaining('kept changing') as string })
      expect(await home.read(computer, FILE)).toBe(text({ 0: 'export const mine = 3' }))
    },
  )
})
