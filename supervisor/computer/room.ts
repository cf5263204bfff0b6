import { statfsSync } from 'node:fs'
import type { Change } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { foldersAbove } from '@choiros/contract/path.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'

/** Kept free so that tables, the tree and an export still fit when the log may no longer grow. */
export const DISK_RESERVE_BYTES = 16 * 1024 * 1024

/**
 * How much must stay free where a command puts the person back in charge (undo, restore, stop) or gives room back
 * (deletions).
 */
export const PERSON_RESERVE_BYTES = 4 * 1024 * 1024

/** How much must stay free where the command is an erase, which is sure to make room. */
export const ERASE_RESERVE_BYTES = 1024 * 1024

/** Files kept free as well: every file that is replaced needs a second place for a moment. */
const RESERVE_PLACES = 64

/** How much a disk still takes. `files`: how many more files; infinite where the disk sets no limit. */
export interface Room {
  readonly bytes: number
  readonly files: number
}

export function roomAt(folder: string): Room {
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  return { bytes: bavail * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree }
}

export function freeBytesAt(folder: string): number {
  return roomAt(folder).bytes
}

/** With so much left, one look a second is enough: nobody fills it faster. */
const AMPLE_BYTES = 8 * 1024 * 1024 * 1024
const AMPLE_FILES = 1_000_000
const AMPLE_FOR_MS = 1000

/** The same, without asking the disk before every write where there is ample room. */
export function watchRoom(folder: string, now: () => number): () => Room {
  let known: Room = { bytes: 0, files: 0 }
  let askedMs = 0
  return () => {
    const nowMs = now()
    if (known.bytes < AMPLE_BYTES || known.files < AMPLE_FILES || Math.abs(nowMs - askedMs) > AMPLE_FOR_MS) {
      known = roomAt(folder)
      askedMs = nowMs
    }
    return known
  }
}

/**
 * How many bytes an event will take on the disk: its objects in the log, and every file that it changes in the tree.
 */
export function bytesToWrite(changes: readonly Change[], objects: readonly ObjectBytes[]): number {
  let bytes = 0
  for (const { to } of changes) bytes += to?.size ?? 0
  for (const object of objects) bytes += object.bytes.length
  return bytes
}

/**
 * How many files and folders an event adds at most. If they did not fit, the change would be acknowledged and never
 * shown.
 */
export function filesToMake(changes: readonly Change[]): number {
  const folders = new Set<string>()
  let files = 0
  for (const { path, from, to } of changes) {
    if (to === null || from !== null) continue
    files++
    for (const folder of foldersAbove(path)) folders.add(folder)
  }
  return files + folders.size
}

/**
 * A change that only deletes gives room back, and may use the reserve kept for that. A folder that it empties stays, as
 * an entry of its own.
 */
export function reserveFor(changes: readonly Change[], reserveBytes: number): number {
  const isMakingRoom =
    changes.some(({ to }) => to === null) && changes.every(({ to }) => to === null || to.kind === 'folder')
  return isMakingRoom ? Math.min(reserveBytes, PERSON_RESERVE_BYTES) : reserveBytes
}

export function checkFiles(freeFiles: number, neededFiles: number): void {
  if (neededFiles === 0 || freeFiles - neededFiles >= RESERVE_PLACES) return
  throw new ChoirError(
    'disk.full',
    `the disk takes no more files (${freeFiles} left, ${neededFiles} needed, ${RESERVE_PLACES} kept in reserve): nothing was written. Free some space: delete files on it, then try again.`,
  )
}

export function checkRoom(freeBytes: number, neededBytes: number, reserveBytes: number): void {
  if (freeBytes - neededBytes >= reserveBytes) return
  throw new ChoirError(
    'disk.full',
    `the disk is full (${Math.floor(Math.max(0, freeBytes) / 1024)} KiB left, ${Math.ceil(neededBytes / 1024)} KiB needed, ${Math.floor(reserveBytes / 1024)} KiB kept in reserve): nothing was written. Free some space and try again.`,
  )
}
