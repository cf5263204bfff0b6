import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/home.ts'

/** A disk of its own, small enough to fill. */
export interface SmallDisk {
  readonly folder: string
  freeBytes(): number
  /** Fills it with something else's file until only so much is left. */
  fillUpTo(leftBytes: number): void
  /** Takes that file away again. */
  makeRoom(): void
  remount(mode: 'ro' | 'rw'): void
  unmount(): void
}

export function mountSmallDisk(mebibytes: number, inodes?: number): SmallDisk {
  const folder = temporaryFolder()
  try {
    execFileSync(
      'mount',
      [
        '-t',
        'tmpfs',
        '-o',
        `size=${mebibytes}m,mode=700${inodes === undefined ? '' : `,nr_inodes=${inodes}`}`,
        'tmpfs',
        folder,
      ],
      { stdio: 'pipe' },
    )
  } catch (cause) {
    throw new Error('this test needs a disk of its own: run it as root, where mounting a tmpfs is allowed', { cause })
  }
  const ballast = join(folder, 'something else')
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    folder,
    freeBytes,
    fillUpTo(leftBytes) {
      const file = openSync(ballast, 'a')
      const piece = Buffer.alloc(64 * 1024)
      try {
        for (let left = freeBytes() - leftBytes; left > 0; left = freeBytes() - leftBytes)
          writeSync(file, piece, 0, Math.min(left, piece.length))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    remount: (mode) => void execFileSync('mount', ['-o', `remount,${mode}`, folder]),
    unmount: () => void execFileSync('umount', ['-l', folder]),
  }
}
