import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Head } from '@choiros/ports/event-log/event-log.ts'
import type { Reached } from '../crash-points.ts'
import { checksum } from '../state/seal.ts'
import type { State } from '../state/state.ts'

/**
 * Saved tables, only there to make a rebuild fast. The name `seq-cursorHash-checksum.sqlite` says which tables are in
 * it, and lets damage be noticed.
 */
const NAME = /^(\d+)-([0-9a-f]{64})-(\d+ \d+)\.sqlite$/
const KEPT = 2

export const SNAPSHOT_EVERY_EVENTS = 20_000

interface Snapshot {
  readonly file: string
  readonly cursor: Head
  readonly checksum: string
}

function listSnapshots(folder: string): Snapshot[] {
  mkdirSync(folder, { recursive: true })
  const found: Snapshot[] = []
  for (const name of readdirSync(folder)) {
    const match = NAME.exec(name)
    if (match === null) rmSync(join(folder, name), { force: true }) // A copy that a crash cut off.
    else
      found.push({
        file: join(folder, name),
        cursor: { seq: Number(match[1]), hash: match[2] as Hash },
        checksum: match[3] ?? '',
      })
  }
  return found.sort((a, b) => b.cursor.seq - a.cursor.seq)
}

/** How far the log had got when each was taken. */
export function snapshotHeads(folder: string): Head[] {
  return listSnapshots(folder).map(({ cursor }) => cursor)
}

export async function newestSnapshot(
  folder: string,
  fits: (cursor: Head) => Promise<boolean>,
): Promise<Snapshot | null> {
  for (const snapshot of listSnapshots(folder)) {
    if ((await fits(snapshot.cursor)) && (await checksum(snapshot.file)) === snapshot.checksum) return snapshot
  }
  return null
}

/**
 * Moves the snapshot instead of copying it: the tables that are made from it serve the same purpose, and to copy a long
 * history would keep everyone waiting.
 */
export function useSnapshot(snapshot: Snapshot, file: string): void {
  renameSync(snapshot.file, file)
}

export function newestSnapshotSeq(folder: string): number {
  return listSnapshots(folder)[0]?.cursor.seq ?? 0
}

export async function takeSnapshot(state: State, folder: string, reached: Reached): Promise<void> {
  listSnapshots(folder)
  reached('snapshot.copy.before')
  const partial = join(folder, 'partial')
  const cursor = await state.copyTo(partial)
  reached('snapshot.copy.after')
  renameSync(partial, join(folder, `${cursor.seq}-${cursor.hash}-${await checksum(partial)}.sqlite`))
  reached('snapshot.rename.after')
  for (const old of listSnapshots(folder).slice(KEPT)) rmSync(old.file, { force: true })
}
