import type { Computer } from './computer.ts'

/** Young objects may belong to a command that is still on its way. */
const OLD_MS = 24 * 60 * 60 * 1000

/** Takes only what is old and what no event names: an upload whose command never came. */
export async function collectGarbage({ large, state }: Pick<Computer, 'large' | 'state'>, nowMs: number): Promise<number> {
  let taken = 0
  for (const { hash, storedMs } of await large.list()) {
    if (nowMs - storedMs < OLD_MS || state.queries.isObjectUsed(hash)) continue
    await large.delete(hash)
    taken++
  }
  return taken
}
