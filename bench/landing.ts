import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FileChange, ReceiptVerifier, RunStart } from '@choiros/contract/catalog.ts'
import type { Change } from '@choiros/contract/change.ts'
import type { Hash, RunId } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { hashAfterChanges } from '@choiros/core/tree.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { landRun, type Landing } from '@choiros/supervisor/computer/landing.ts'
import { openBenchComputer } from './bench-computer.ts'
import { fileEntry, makeText } from './content.ts'
import { computerOf, FILES_1K, FILES_1M, ownCopy, type HistorySpec } from './histories.ts'
import { interleave, time } from './measure.ts'
import { createRandom, type Random } from './random.ts'
import type { Row, Section } from './report.ts'

const TIME_MAX = 1.5
const FILES = 1000

const NOTES = [
  'Ours is `landRun` of a verified run that adds 1,000 files to a tree of 10,000: receipts and bases checked, tree hash compared, objects and event fsynced, tables updated, files in place. Raw opens, writes, fsyncs and closes the same 1,000 files.',
]

export async function run(runFolder: string): Promise<Section> {
  return { rows: [await row(runFolder, FILES_1K), await row(runFolder, FILES_1M)], memory: [], notes: NOTES }
}

async function row(runFolder: string, spec: HistorySpec): Promise<Row> {
  const folder = await ownCopy(await computerOf(runFolder, spec), join(runFolder, 'landing'))
  const plain = join(runFolder, 'landing-plain')
  const computer = await openBenchComputer(folder)
  const random = createRandom(6)
  let landing: Landing
  let landed = 0
  try {
    const pair = await interleave(
      async () => {
        landing = await verifiedRun(computer, random, ++landed)
        const ms = await time(() => landRun(computer, landing))
        await takeBack(computer, landing)
        return ms
      },
      async () => {
        rmSync(plain, { recursive: true, force: true })
        return time(() => writePlainly(plain, landing))
      },
    )
    return {
      promise: `landing of 1,000 files, at ${spec.events.toLocaleString('en')} events`,
      against: 'writing and fsyncing the same files',
      ...pair,
      timeAtMost: TIME_MAX,
    }
  } finally {
    await computer.close()
    for (const place of [folder, plain]) rmSync(place, { recursive: true, force: true })
  }
}

async function verifiedRun(computer: Computer, random: Random, number: number): Promise<Landing> {
  const run = `landing-${number}` as RunId
  const made = Array.from({ length: FILES }, (_, index) => {
    const path = `app/src/landed/${Math.floor(index / 40)}/part-${index}.ts` as TreePath
    return { path, ...fileEntry(makeText(random, path, number)) }
  })
  const changes = made.map(({ path, entry }): Change => ({ path, from: null, to: entry, movedFrom: null })).sort((a, b) => (a.path < b.path ? -1 : 1))
  const tree = hashAfterChanges(computer.state.queries.allEntries(), changes)
  await say(computer, RunStart, { work: 'work', base: computer.writer.head().seq }, run)
  await say(computer, ReceiptVerifier, { tree, verifier: 'types', ok: true, report: null }, run)
  return { run, summary: 'a thousand parts', changes, objects: made.map(({ object }) => object), tree }
}

async function takeBack(computer: Computer, { changes }: Landing): Promise<void> {
  const back = changes.map(({ path, to }): Change => ({ path, from: to, to: null, movedFrom: null }))
  await say(computer, FileChange, {}, null, back)
}

async function say(
  computer: Computer,
  { type, version }: { type: string; version: number },
  data: Record<string, unknown>,
  run: RunId | null,
  changes?: readonly Change[],
): Promise<void> {
  const draft = { type, version, data, user: computer.user, source: 'system', via: 'system', run, cause: null } as const
  await computer.change(() => ({ draft, ...(changes && { changes }) }))
}

function writePlainly(folder: string, { changes, objects }: Landing): void {
  const bytesOf = new Map<Hash, Uint8Array>(objects.map(({ hash, bytes }) => [hash, bytes]))
  const known = new Set<string>()
  for (const { path, to } of changes) {
    const file = join(folder, path)
    if (!known.has(dirname(file))) mkdirSync(dirname(file), { recursive: true })
    known.add(dirname(file))
    const handle = openSync(file, 'wx', 0o644)
    writeSync(handle, bytesOf.get(to?.object as Hash) as Uint8Array)
    fsyncSync(handle)
    closeSync(handle)
  }
}
