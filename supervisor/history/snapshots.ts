import { copyFileSync, createReadStream, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Stream } from '@choiros/contract/canonical.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Head } from '@choiros/ports/event-log/event-log.ts'
import type { Reached } from '../crash-points.ts'
import type { State } from '../state/state.ts'

/** Saved tables, only there to make a rebuild fast. `seq-cursorHash-fileHash.sqlite`: a name says what is in it, and whether it still is. */
const NAME = /^(\d+)-([0-9a-f]{64})-([0-9a-f]{64})\.sqlite$/
const KEPT = 2

export const SNAPSHOT_EVERY_EVENTS = 20_000

interface Snapshot {
  readonly file: string
  readonly cursor: Head
  readonly fileHash: Hash
}

function listSnapshots(folder: string): Snapshot[] {
  mkdirSync(folder, { recursive: true })
  const found: Snapshot[] = []
  for (const name of readdirSync(folder)) {
    const match = NAME.exec(name)
    if (match === null) rmSync(join(folder, name), { force: true }) // Half copied when the power went.
    else found.push({ file: join(folder, name), cursor: { seq: Number(match[1]), hash: match[2] as Hash }, fileHash: match[3] as Hash })
  }
  return found.sort((a, b) => b.cursor.seq - a.cursor.seq)
}

export async function newestSnapshot(folder: string, fits: (cursor: Head) => Promise<boolean>): Promise<Snapshot | null> {
  for (const snapshot of listSnapshots(folder)) {
    if ((await fits(snapshot.cursor)) && (await hashFile(snapshot.file)) === snapshot.fileHash) return snapshot
  }
  return null
}

export function useSnapshot(snapshot: Snapshot, file: string): void {
  copyFileSync(snapshot.file, file)
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
  renameSync(partial, join(folder, `${cursor.seq}-${cursor.hash}-${await hashFile(partial)}.sqlite`))
  reached('snapshot.rename.after')
  for (const old of listSnapshots(folder).slice(KEPT)) rmSync(old.file, { force: true })
}

async function hashFile(file: string): Promise<Hash> {
  const digest = sha256Stream()
  for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 })) digest.update(piece as Buffer)
  return digest.digest()
}
