import type { Queries } from '../state/queries.ts'
import type { LogWriter } from './log-writer.ts'
import type { ObjectStore } from './object-store.ts'

/** Young objects may belong to a command that is still on its way. */
const OLD_MS = 24 * 60 * 60 * 1000

export interface GarbageOptions {
  readonly objects: ObjectStore
  readonly queries: Queries
  readonly writer: LogWriter
}

/** Removes only objects that are old and that no event names: uploads whose command never came. */
export async function collectGarbage(
  { objects, queries, writer }: GarbageOptions,
  nowMs: number,
  oldMs = OLD_MS,
): Promise<number> {
  const old = (await objects.strays()).filter(({ storedMs }) => nowMs - storedMs >= oldMs).map(({ hash }) => hash)
  if (old.length === 0 || queries.unnamed(old).length === 0) return 0
  let count = 0
  await writer.alone(async (state) => {
    const garbage = state.unnamed(old)
    await objects.erase(garbage)
    count = garbage.length
  })
  return count
}
