import { statfsSync } from 'node:fs'
import type { Change } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { SmallObject } from '@choiros/ports/event-log/event-log.ts'

/** Kept free so that tables, the tree and an export still fit when the log may no longer grow. */
export const DISK_RESERVE_BYTES = 16 * 1024 * 1024

/** What is left of the reserve to the one command that makes room. */
export const ERASE_RESERVE_BYTES = 1024 * 1024

export function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** With so much left, one look a second is enough: nobody fills it faster. */
const AMPLE_BYTES = 8 * 1024 * 1024 * 1024
const AMPLE_FOR_MS = 1000

/** The same, without asking the disk before every write where there is ample room. */
export function watchFreeBytes(folder: string, now: () => number): () => number {
  let known = 0
  let askedMs = 0
  return () => {
    const nowMs = now()
    if (known < AMPLE_BYTES || Math.abs(nowMs - askedMs) > AMPLE_FOR_MS) {
      known = freeBytesAt(folder)
      askedMs = nowMs
    }
    return known
  }
}

/** What an event will take on the disk: its objects in the log, and every file it changes in the tree. */
export function bytesToWrite(changes: readonly Change[], objects: readonly SmallObject[]): number {
  let bytes = 0
  for (const { to } of changes) bytes += to?.size ?? 0
  for (const object of objects) bytes += object.bytes.length
  return bytes
}

export function checkRoom(freeBytes: number, neededBytes: number, reserveBytes: number): void {
  if (freeBytes - neededBytes >= reserveBytes) return
  throw new ChoirError(
    'disk.full',
    `the disk is full (${Math.floor(Math.max(0, freeBytes) / 1024)} KiB left, ${Math.ceil(neededBytes / 1024)} KiB needed, ${Math.floor(reserveBytes / 1024)} KiB kept in reserve): nothing was written. Free some space and try again.`,
  )
}
