import { rmSync } from 'node:fs'
import type { Problem } from '@choiros/contract/commands/keeping.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Event, StoredEvent } from '@choiros/contract/event.ts'
import { type DataOf } from '@choiros/contract/catalog.ts'
import { Message } from '@choiros/contract/events/talk.ts'
import { shapeProblem } from '@choiros/contract/shape.ts'
import { NO_HASH, type Hash } from '@choiros/contract/ids.ts'
import { upcast } from '@choiros/contract/upcast.ts'
import { objectsOf } from '@choiros/core/facts.ts'
import { hashSortedTree } from '@choiros/core/tree.ts'
import { readFacts } from '../history/facts.ts'
import { toStorageError } from '@choiros/ports/storage-error.ts'
import { WITNESSES } from '../computer/tail.ts'
import { directorsWords, isSigned } from '../signing/signing.ts'
import { catchUp } from '../history/rebuild.ts'
import { buildTables } from '../state/build.ts'
import { TableDamage } from '../state/damage.ts'
import { openState, type State } from '../state/state.ts'
import { removeTableFile } from '../state/tables.ts'
import { createProjector } from '../tree/projector.ts'
import { surveyTree } from '../tree/survey.ts'
import type { ComputerCommand, ComputerContext } from './context.ts'
import { checkPoint } from '../computer/past.ts'

const PROBLEMS_MAX = 100

/**
 * Proves the computer from its log: every event, every object, every table, every file. Tables and files that differ
 * are made again from the log.
 */
export const verify: ComputerCommand<'verify'> = async (context) => {
  const { computer } = context
  const problems: Problem[] = []
  const note = (code: string, message: string) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ code, message })
  }
  const head = computer.head()
  const counts = { events: 0, objects: 0 }
  const odd: string[] = []
  try {
    await verifyHistory(context, head.seq, note, counts, odd)
    const damage = await computer.log.damage()
    if (damage !== null && problems.length === 0)
      note('log.corrupt', `the log can be read, but its file is damaged: ${damage}. Export it, and import it anew.`)
    // A damaged log cannot say what belongs in the tables.
    if (problems.length === 0) await verifyTables(context, head.seq, note)
  } catch (error) {
    if (!(error instanceof ChoirError)) throw error
    note(error.code, error.message)
  }
  const mended = await computer.mendTree().catch((error: unknown): string[] => {
    if (!(error instanceof ChoirError)) throw error
    note(error.code, `the files on disk are not what the log says: ${error.message}`)
    return []
  })
  return {
    ok: problems.length === 0,
    problems,
    mended: [
      ...(context.remade === true ? ['the tables'] : []),
      ...odd.slice(0, PROBLEMS_MAX),
      ...mended.slice(0, PROBLEMS_MAX),
    ],
    ...counts,
    head,
    tree: hashSortedTree(computer.queries.allEntries()),
    tables: computer.tableHashes(),
  }
}

async function verifyHistory(
  { computer, progress }: ComputerContext,
  to: number,
  note: (code: string, message: string) => void,
  counts: { events: number; objects: number },
  odd: string[],
): Promise<void> {
  const seen = new Set<Hash>()
  const check = (event: Event, stored: StoredEvent) => {
    const problem = shapeProblem(event, stored)
    if (problem?.isBearable === true)
      odd.push(`event ${event.seq} (${event.type}) is read although it is malformed: ${problem.message}`)
    else if (problem !== null)
      note('event.malformed', `event ${event.seq} (${event.type}) is malformed: ${problem.message}`)
    else if (!isDirectorsOwn(event))
      note('event.malformed', `event ${event.seq} speaks in the Director’s name, but ChoirOS has not signed it`)
  }
  for await (const facts of readFacts(computer.log, computer.objects.get, { seq: 0, hash: NO_HASH }, to, check)) {
    for (const { event, changes } of facts) {
      counts.events++
      for (const hash of objectsOf(event, changes)) {
        if (seen.has(hash)) continue
        seen.add(hash)
        counts.objects++
        await verifyObject(computer, hash, event.seq, note)
      }
    }
    progress('verifying events and objects', counts.events, to)
  }
  const { seq } = await computer.log.head()
  if (counts.events < to) note('log.truncated', `the log ends at event ${seq}, but event ${to} was acknowledged`)
  for (const { who, seq: known } of await computer.findLost())
    note('log.truncated', `${WITNESSES[who]}: event ${known}, which the log does not hold any more`)
}

/** The home signs the Director's words when they are said; words that others wrote in its name are not signed. */
function isDirectorsOwn(event: Event): boolean {
  if (event.type !== Message.type) return true
  const { role, text, offers, signature } = upcast(event).data as DataOf<typeof Message>
  if (role !== 'director') return true
  return (
    signature !== null &&
    event.run !== null &&
    isSigned(directorsWords({ computer: event.computer, run: event.run, text, offers }), signature)
  )
}

async function verifyObject(
  computer: ComputerContext['computer'],
  hash: Hash,
  seq: number,
  note: (code: string, message: string) => void,
): Promise<void> {
  try {
    const bytes = await computer.objects.find(hash)
    if (bytes === null && !computer.queries.isErased(hash))
      note('object.missing', `object ${hash} of event ${seq} is missing`)
  } catch (error) {
    note(error instanceof ChoirError ? error.code : 'object.corrupt', `object ${hash} of event ${seq} cannot be read`)
  }
}

async function verifyTables(
  context: ComputerContext,
  to: number,
  note: (code: string, message: string) => void,
): Promise<void> {
  const replayed = await replayTables(context, to)
  try {
    if (context.computer.head().seq !== to) return // Written to meanwhile: the tables are ahead of what was replayed.
    const live = context.computer.tableHashes()
    for (const [table, hash] of Object.entries(replayed.state.tableHashes())) {
      if (live[table] === hash) continue
      const message = `the table ${table} is not what the log says`
      if (context.remade === true) note('log.corrupt', message)
      else throw new TableDamage(message)
    }
  } finally {
    replayed.close()
  }
}

async function replayTables(
  { computer, home, progress }: ComputerContext,
  to: number,
): Promise<{ state: State; close(): void }> {
  const file = home.temporaryFile('replay')
  const options = { log: computer.log, object: computer.objects.get, reached: () => {}, progress }
  try {
    await buildTables(file, { events: to }, (build) => catchUp(build, options, to))
  } catch (error) {
    removeTableFile(file)
    throw toStorageError(error, 'replaying')
  }
  const state = openTemporary(file)
  const close = () => {
    state.close()
    removeTableFile(file)
  }
  return { state, close }
}

function openTemporary(file: string): State {
  try {
    return openState(file)
  } catch (error) {
    rmSync(file, { force: true })
    throw toStorageError(error, 'replaying')
  }
}

/** Replays the log into an empty place, files included, and says whether that is what the live computer shows (L2). */
export const replay: ComputerCommand<'replay'> = async (context, { to }) => {
  const { computer, home } = context
  checkPoint(computer, to)
  const seq = to ?? computer.head().seq
  const replayed = await replayTables(context, seq)
  const folder = home.temporaryFile('replayed-tree')
  try {
    const entries = replayed.state.queries.allEntries()
    const kept = new Map(
      entries.filter(([, entry]) => entry.object === null || !computer.queries.isErased(entry.object)),
    )
    const projector = createProjector({
      folder,
      staging: `${folder}-staging`,
      cursorFile: `${folder}.json`,
      bootId: '',
      object: computer.objects.get,
      isFolder: (path) => kept.get(path)?.kind === 'folder',
      reached: () => {},
    })
    await projector.project(seq, kept)
    await projector.close()
    const differences = await surveyTree(folder, kept)
    if (differences.length > 0)
      throw new ChoirError('log.corrupt', `replaying gives other files than the log says: ${differences[0]?.path}`)
    const tables = replayed.state.tableHashes()
    const isHead = seq === computer.head().seq
    const live = isHead ? computer.tableHashes() : null
    return {
      seq,
      tree: hashSortedTree(entries),
      tables,
      matches: live && Object.entries(tables).every(([table, hash]) => live[table] === hash),
    }
  } finally {
    replayed.close()
    for (const place of [folder, `${folder}-staging`, `${folder}.json`]) rmSync(place, { recursive: true, force: true })
  }
}
