import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type EventDefinition } from '@choiros/contract/events/define.ts'
import { ReceiptVerifier, RunStart } from '@choiros/contract/events/runs.ts'
import type { Change } from '@choiros/contract/change.ts'
import type { Hash, RunId } from '@choiros/contract/ids.ts'
import { comparePaths, type TreePath } from '@choiros/contract/path.ts'
import { hashSeen } from '@choiros/core/landing.ts'
import { hashAfterChanges } from '@choiros/core/tree.ts'
import { requiredVerifiers } from '@choiros/core/verifier-plan.ts'
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
  'Ours is `landRun` of a verified run that adds 1,000 files to a tree of 10,000 and more: receipts and bases checked, tree hash compared, objects and event fsynced, tables updated, files in place. Raw opens, writes, fsyncs and closes the same 1,000 files.',
]

export async function run(runFolder: string): Promise<Section> {
  return { rows: [await row(runFolder, FILES_1K), await row(runFolder, FILES_1M)], memory: [], notes: NOTES }
}

async function row(runFolder: string, spec: HistorySpec): Promise<Row> {
  const computer = await openBenchComputer(
    await ownCopy(await computerOf(runFolder, spec), join(runFolder, `landing-${spec.name}`)),
  )
  const plain = join(runFolder, `landing-plain-${spec.name}`)
  const random = createRandom(6)
  let landing: Landing
  let landed = 0
  try {
    const pair = await interleave(
      async () => {
        landing = await verifiedRun(computer, random, ++landed)
        return time(() => landRun(computer, landing))
      },
      () => time(() => writePlainly(plain, landing)),
    )
    return {
      promise: `landing of 1,000 files, at ${spec.events.toLocaleString('en')} events`,
      against: 'writing and fsyncing the same files',
      ...pair,
      timeAtMost: TIME_MAX,
    }
  } finally {
    await computer.close()
  }
}

/**
 * New files every time: deleting the old ones would slow the disk for both sides. The tree grows from 10,000 files to
 * 43,000 meanwhile.
 */
async function verifiedRun(computer: Computer, random: Random, number: number): Promise<Landing> {
  const id = `landing-${number}` as RunId
  const made = Array.from({ length: FILES }, (_, index) => {
    const path = `app/src/landed-${number}/${Math.floor(index / 40)}/part-${index}.ts` as TreePath
    return { path, ...fileEntry(makeText(random, path, number)) }
  })
  const changes = made
    .map(({ path, entry }): Change => ({ path, from: null, to: entry, movedFrom: null }))
    .sort((a, b) => comparePaths(a.path, b.path))
  const tree = hashAfterChanges(computer.queries.allEntries(), changes)
  await say(computer, RunStart, { base: computer.head().seq }, id)
  for (const verifier of requiredVerifiers(changes))
    await say(
      computer,
      ReceiptVerifier,
      { tree, verifier, ok: true, summary: 'good', tookMs: 1, report: null, selfReported: false, means: 'reading' },
      id,
    )
  const attestation = fileEntry(Buffer.from('{}')).object
  const seen = hashSeen(computer.queries.tree, changes)
  return {
    run: id,
    summary: 'a thousand parts',
    changes,
    objects: made.map(({ object }) => object),
    verified: { tree, seen, attestation },
  }
}

async function say(
  computer: Computer,
  { type, version }: EventDefinition,
  data: Record<string, unknown>,
  id: RunId,
): Promise<void> {
  await computer.change(() => ({
    draft: { type, version, data, user: computer.user, source: 'system', via: 'system', run: id, cause: null },
  }))
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
