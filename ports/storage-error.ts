import { ChoirError } from '@choiros/contract/error.ts'

/** SHMSIZE: even the small file that SQLite's readers and writer share did not fit. */
const FULL = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT', 'EFBIG'])

/** Compared by their beginning: SQLite's extended codes only add to these names. */
const FAILED = [
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'EISDIR',
]

/**
 * Turns an error of a disk or of SQLite into a sentence that a person can act on. An unexpected error is passed on as
 * it is, because it is a bug.
 */
export function toStorageError(error: unknown, doing: string): unknown {
  if (error instanceof ChoirError) return error
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return error
  if (FULL.has(code)) {
    return new ChoirError(
      'disk.full',
      `the disk is full while ${doing}: nothing was written. Free some space and try again.`,
      { cause: error },
    )
  }
  if (code === 'SQLITE_CORRUPT' || code.startsWith('SQLITE_CORRUPT_') || code === 'SQLITE_NOTADB') {
    return new ChoirError(
      'log.corrupt',
      `the file is damaged (found while ${doing}). "choir export FILE --rescue" saves what can still be read; "choir import" makes a computer of it.`,
      { cause: error },
    )
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new ChoirError(
      'log.io',
      `another program holds the file while ${doing}: nothing was written. Stop it and try again.`,
      { cause: error },
    )
  }
  if (FAILED.some((start) => code.startsWith(start))) {
    return new ChoirError(
      'log.io',
      `the disk failed while ${doing} (${code}): it is not known to be saved. Check the disk and try again.`,
      {
        cause: error,
      },
    )
  }
  return error
}
