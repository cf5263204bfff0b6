import { renameSync } from 'node:fs'
import { ChoirError } from '@choiros/contract/error.ts'
import { NO_HASH, type ComputerId, type Hash } from '@choiros/contract/ids.ts'
import type { ExportWriter } from '@choiros/ports/export-file/export-file.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'
import { createObjectStore, type ObjectStore } from '../computer/object-store.ts'
import { readingLog } from '../computer/using-log.ts'
import { FACTS_PAGE, readFacts, type StoredFact } from '../history/facts.ts'
import type { Context } from './context.ts'
import { lookAtFiles, sealRecovery, type Damaged } from './lost-files.ts'
import { addPage, LOST_MAX, type ExportCard } from './transfer.ts'

export interface Rescue {
  readonly file: string
  /** Events 1 to this one are in the file. */
  readonly events: number
  /** Number of objects that these events name and that are gone: an import writes an erase event about them. */
  readonly lost: number
  /** Why the file ends there; null: it holds everything that the log holds. */
  readonly problem: string | null
}

/**
 * An export of what can still be read of a damaged computer: its events up to the first that is damaged, every object
 * that is whole, and the files as they are now. The computer need not open for it, and nothing of it is changed.
 */
export async function buildRescue(
  context: Context,
  computer: string | null,
  createFile: (file: string) => ExportWriter,
): Promise<Rescue> {
  const { home, machine, user } = context
  const { identity, folder, record } = await home.locate(user, computer)
  const file = home.temporaryFile('rescue')
  return readingLog(machine, { folder, id: identity.id }, async (log) => {
    const writer = createFile(`${file}.partial`)
    try {
      const objects = createObjectStore(log.objects, () => 0)
      const { head, computer: of, lost, problem } = await copyGood(context, log, objects, writer)
      const last = problem === null ? head : await addPresent({ context, identity, folder, record, log }, head, writer)
      const signed = machine.signer.signHead({ computer: of, ...last })
      writer.finish({ computer: of, head: signed, name: identity.name, lost } satisfies ExportCard)
      renameSync(`${file}.partial`, file)
      return { file, events: head.seq, lost: lost.length, problem }
    } catch (error) {
      writer.abandon()
      throw error
    }
  })
}

async function copyGood({ progress }: Context, log: EventLog, objects: ObjectStore, writer: ExportWriter) {
  const lost = new Set<Hash>()
  const find = async (hash: Hash) => {
    const bytes = await objects.find(hash).catch(ignoreDamage)
    if (bytes === null) lost.add(hash)
    if (lost.size > LOST_MAX)
      throw new ChoirError('object.missing', `more than ${LOST_MAX} objects are lost: too little is left to rescue`)
    return bytes
  }
  let head: Head = { seq: 0, hash: NO_HASH }
  let computer: ComputerId | null = null
  let problem: string | null = null
  // A page that cannot be read is read again event by event, up to the one that is damaged.
  for (let step = FACTS_PAGE; ;) {
    const page = await readPage(log, objects, head, head.seq + step)
    if (page instanceof ChoirError && step > 1) {
      step = 1
      continue
    }
    if (page instanceof ChoirError) problem = page.message
    if (page instanceof ChoirError || page.length === 0) break
    await addPage(writer, page, find)
    const last = page.at(-1)?.event
    if (last !== undefined) ({ computer, ...head } = last)
    progress('rescuing', head.seq, null)
  }
  if (computer === null) throw new ChoirError('log.corrupt', `nothing can be rescued: ${problem ?? 'the log is empty'}`)
  return { head, computer, lost: [...lost], problem }
}

/** What stands behind the damage is not lost with it: the files as they are now become the last event of the copy. */
async function addPresent(damaged: Omit<Damaged, 'leftover'>, head: Head, writer: ExportWriter): Promise<Head> {
  const { log } = damaged
  const whole: EventLog = {
    ...log,
    read: async ({ after, limit }) => log.read({ after, limit: Math.min(limit, head.seq - after) }),
    head: async () => head,
  }
  const found = await lookAtFiles({ ...damaged, leftover: null }, whole, { areTablesNewer: true, known: true })
  const { stored, objects } = sealRecovery(damaged, head, found, { after: head.seq, known: [] })
  writer.add([stored], objects)
  return { seq: stored.seq, hash: stored.hash }
}

async function readPage(
  log: EventLog,
  objects: ObjectStore,
  from: Head,
  to: number,
): Promise<StoredFact[] | ChoirError> {
  try {
    for await (const facts of readFacts(log, objects.get, from, to)) return facts
    return []
  } catch (error) {
    if (error instanceof ChoirError) return error
    throw error
  }
}

function ignoreDamage(error: unknown): null {
  if (error instanceof ChoirError) return null
  throw error
}
