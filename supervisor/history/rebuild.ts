import { renameSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Progress } from '@choiros/contract/routes.ts'
import { NO_HASH, type Hash } from '@choiros/contract/ids.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'
import type { Reached } from '../crash-points.ts'
import { breakSeal } from '../state/seal.ts'
import { buildTables } from '../state/build.ts'
import { isTableDamage } from '../state/damage.ts'
import { openState, type State } from '../state/state.ts'
import { removeTableFile, type Replay } from '../state/tables.ts'
import { readFacts } from './facts.ts'
import { newestSnapshot, useSnapshot } from './snapshots.ts'

export interface RebuildOptions {
  readonly log: Pick<EventLog, 'read' | 'head'>
  readonly object: (hash: Hash) => Promise<Buffer>
  readonly reached: Reached
  readonly progress?: Progress
}

export interface KeptOptions extends RebuildOptions {
  /** Changes when the machine restarts: what was written before that may never have reached the disk. */
  readonly bootId: string
}

/** Applies the events that are in the log and not yet in the tables, up to `to`. */
export async function catchUp(
  tables: Replay,
  { log, object, reached, progress }: RebuildOptions,
  to?: number,
): Promise<Head> {
  const total = to ?? (await log.head()).seq
  for await (const facts of readFacts(log, object, tables.cursor(), to)) {
    await tables.replay(facts)
    reached('rebuild.page.after')
    progress?.('replaying the log', tables.cursor().seq, total)
    await nextTurn()
  }
  return tables.cursor()
}

/**
 * Opens the tables of a log and brings them up to its head. Tables that belong to another log, to other reducers or to
 * a tail that was lost, and tables that are damaged, are thrown away and made again from the newest snapshot that fits,
 * or from the first event.
 */
export async function openStateOf(file: string, snapshots: string, options: KeptOptions): Promise<State> {
  const state = (await breakSeal(file)) ? openExisting(file, options) : null
  if (state === null) return rebuild(file, snapshots, options)
  try {
    if (await isOf(state, options.log)) {
      await catchUp(state, options)
      return state
    }
  } catch (error) {
    if (!isTableDamage(error)) {
      state.close()
      throw error
    }
  }
  state.close()
  return rebuild(file, snapshots, options)
}

async function isOf(state: State, log: RebuildOptions['log']): Promise<boolean> {
  const cursor = state.cursor()
  return (await fits(cursor, log)) && (cursor.seq > 0 || (await log.head()).seq === 0)
}

function openExisting(file: string, options: KeptOptions): State | null {
  try {
    return openState(file, options)
  } catch {
    return null // Damaged tables are no loss: the log makes them again.
  }
}

/** Builds new tables beside the old ones and renames them, so that a crash leaves the old tables, none, or the new. */
export async function rebuild(file: string, snapshots: string, options: KeptOptions): Promise<State> {
  const fresh = `${file}.new`
  removeTableFile(fresh)
  const snapshot = await newestSnapshot(snapshots, (cursor) => fits(cursor, options.log))
  if (snapshot !== null) useSnapshot(snapshot, fresh)
  const { seq } = await options.log.head()
  const events = seq - (snapshot?.cursor.seq ?? 0)
  await buildTables(fresh, { events, bootId: options.bootId }, (build) => catchUp(build, options))
  options.reached('rebuild.rename.before')
  removeTableFile(file)
  renameSync(fresh, file)
  options.reached('rebuild.rename.after')
  return openState(file, options)
}

/** Whether the log still holds exactly the event that the tables stopped at. */
async function fits(cursor: Head, log: Pick<EventLog, 'read'>): Promise<boolean> {
  if (cursor.seq === 0) return cursor.hash === NO_HASH
  const [stored] = await log.read({ after: cursor.seq - 1, limit: 1 })
  return stored?.hash === cursor.hash
}
