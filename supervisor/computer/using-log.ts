import { basename } from 'node:path'
import type { ComputerId } from '@choiros/contract/ids.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'
import type { Machine } from './machine.ts'

/** Names a computer's log: the id of the computer, and the folder that the log is named after. */
export interface LogPlace {
  readonly folder: string
  readonly id: ComputerId
}

/** Opens the log of a computer that is not open, for reading, for as long as the work takes. */
export async function readingLog<Result>(
  machine: Machine,
  { folder, id }: LogPlace,
  work: (log: EventLog) => Promise<Result>,
): Promise<Result> {
  const log = await machine.openLog({ name: basename(folder), computer: id, epoch: null })
  try {
    return await work(log)
  } finally {
    await log.close()
  }
}

/** The same for writing: nobody else holds the computer meanwhile. */
export async function writingLog<Result>(
  machine: Machine,
  { folder, id }: LogPlace,
  work: (log: EventLog) => Promise<Result>,
): Promise<Result> {
  const lease = await machine.ownership.take(id)
  try {
    const log = await machine.openLog({ name: basename(folder), computer: id, epoch: lease.epoch })
    try {
      return await work(log)
    } finally {
      await log.close()
    }
  } finally {
    await lease.release()
  }
}
