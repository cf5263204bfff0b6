import { join } from 'node:path'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import type { StoredEvent } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { openLocalObjects } from '../objects/local.ts'
import type { ObjectBytes } from '../objects/objects.ts'
import { toStorageError } from '../storage-error.ts'
import { gapProblem, type EventLog, type LogOptions, type OpenLog } from './event-log.ts'
import { followLog } from './follow.ts'
import { createFence } from './sqlite-fence.ts'
import { checkRow, guard, openLogFile, readHead } from './sqlite-file.ts'
import { headerProblem, sealFile, takeSeal } from './sqlite-file-check.ts'
import { forgetWriteAhead, openLeftover } from './sqlite-leftover.ts'
import { createObjects } from './sqlite-objects.ts'
import { watchOthers } from './sqlite-watch.ts'
import { createWaiters } from './waiters.ts'

/**
 * Small objects share the event's transaction in the log's file; a larger one is a file of its own beside it. This is
 * the one place that decides.
 */
function isLarge({ bytes }: ObjectBytes): boolean {
  return bytes.length > LIMITS.smallObjectBytesMax
}

export interface SqliteEventLogOptions extends Omit<LogOptions, 'name'> {
  readonly file: string
  /** Where large objects are kept. */
  readonly folder: string
}

/** One file per computer for events and small objects, one folder beside it for large ones. */
export function openSqliteLogs(folder: string, names: { readonly log: string; readonly objects: string }): OpenLog {
  return ({ name, ...options }) =>
    openSqliteEventLog({ file: join(folder, name, names.log), folder: join(folder, name, names.objects), ...options })
}

export async function openSqliteEventLog({
  file,
  folder,
  computer,
  epoch,
  reached = () => {},
}: SqliteEventLogOptions): Promise<EventLog> {
  const large = await openLocalObjects({ folder, reached })
  const isAsClosed = takeSeal(file)
  let isWritten = false
  const { db, statements } = openLogFile(file, computer)
  const waiters = createWaiters()
  const fence = createFence(db, epoch)
  let stopWatching: (() => void) | null = null

  const append = db.transaction((batch: readonly StoredEvent[], objects: readonly ObjectBytes[], after: number) => {
    fence()
    const last = statements.lastSeq.get() as number
    if (last !== after) throw conflict(last, after)
    const gap = gapProblem(batch, after)
    assert(gap === null, gap ?? '')
    for (const object of objects) statements.addObject.run(Buffer.from(object.hash, 'hex'), object.bytes)
    for (const stored of batch) statements.addEvent.run(stored.seq, Buffer.from(stored.hash, 'hex'), stored.bytes)
  })

  const eraseInTransaction = db.transaction((hashes: readonly Hash[]) => {
    for (const hash of hashes) statements.eraseObject.run(Buffer.from(hash, 'hex'))
  })

  const eraseSmall = (hashes: readonly Hash[]) => {
    reached('log.erase.before')
    isWritten = true
    guard('erasing', () => eraseInTransaction(hashes))
    // The WAL keeps older copies until it is truncated, and a reader elsewhere can prevent that.
    const [checkpoint] = guard('erasing', () => db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[])
    if (checkpoint?.busy !== 0)
      throw new ChoirError(
        'log.io',
        'the erased bytes are still on disk: another program is reading the log. Stop it and erase again.',
      )
    forgetWriteAhead(file)
    reached('log.erase.after')
  }

  const appendNow = (
    batch: readonly StoredEvent[],
    small: readonly ObjectBytes[],
    after: number,
  ): Promise<never> | undefined => {
    reached('log.append.before')
    isWritten = true
    try {
      append.immediate(batch, small, after)
    } catch (error) {
      const told = toStorageError(error, 'saving')
      return Promise.reject(told instanceof Error ? told : new Error('saving failed', { cause: told }))
    }
    reached('log.append.after')
    waiters.wake()
    return undefined
  }

  /** Large objects are on disk before the event that names them (L3). */
  const appendAfter = async (
    objects: readonly ObjectBytes[],
    batch: readonly StoredEvent[],
    after: number,
  ): Promise<void> => {
    const last = guard('reading the log', () => statements.lastSeq.get() as number)
    if (last !== after) throw conflict(last, after)
    for (const { bytes } of objects.filter(isLarge)) await large.put(bytes, LIMITS.objectBytesMax)
    await appendNow(
      batch,
      objects.filter((object) => !isLarge(object)),
      after,
    )
  }

  const log: EventLog = {
    isRemote: false,
    objects: createObjects(statements, large, eraseSmall),
    append: (batch, objects, after) =>
      objects.some(isLarge) ? appendAfter(objects, batch, after) : appendNow(batch, objects, after),
    async read({ after, limit }) {
      const page = guard('reading the log', () => statements.page.all(after, limit) as StoredEvent[])
      for (const row of page) checkRow(row)
      return page
    },
    follow(after, signal) {
      stopWatching ??= watchOthers(file, db, waiters.wake)
      return followLog(log, waiters, after, signal)
    },
    async head() {
      return guard('reading the log', () => readHead(statements))
    },
    async damage() {
      try {
        // Not `quick_check`: it does not compare an index with its table, so that a flipped bit in the name of an
        // object went unseen.
        const found = String(db.pragma('integrity_check(1)', { simple: true }))
        if (found !== 'ok') return found
        return (
          headerProblem(file) ??
          (!isWritten && isAsClosed() === false
            ? 'it is not as it was closed: a byte that holds nothing yet has changed'
            : null)
        )
      } catch (error) {
        return (error as Error).message
      }
    },
    leftover: async () => guard('looking for what is left', () => openLeftover(file)),
    settle: () => forgetWriteAhead(file),
    async close() {
      if (!db.open) return
      stopWatching?.()
      db.close()
      sealFile(file)
      await large.close()
    },
  }
  return log
}

function conflict(last: number, after: number): ChoirError {
  return new ChoirError('log.conflict', `the log ends at ${last}, not at ${after}`)
}
