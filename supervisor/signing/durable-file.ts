import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file beside the old one, fsyncs it, renames it and fsyncs the folder: after a crash there is the old file or
 * the new one, never half of one.
 */
export function writeDurably(file: string, text: string, mode: number): void {
  const temporary = `${file}.partial`
  writeFileSync(temporary, text, { mode })
  fsyncPath(temporary)
  renameSync(temporary, file)
  fsyncPath(dirname(file))
}

/** For what can also be written the next time: a full disk must not keep a home from being opened. */
export function writeIfPossible(write: () => void, warn: (message: string, cause: unknown) => void): void {
  try {
    write()
  } catch (error) {
    warn('a file of the home could not be put right; it is tried again at the next start', error)
  }
}

export function fsyncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
