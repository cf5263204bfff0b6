import type { Computer } from './computer.ts'

/** Young objects may belong to a command that is still on its way. */
const OLD_MS = 24 * 60 * 60 * 1000

/** Takes only what is old and what no event names: an upload whose command never came. */
export async function collectGarbage({ large, state }: Pick<Computer, 'large' | 'state'>, nowMs: number): Promise<number> {
  const old = (await large.list()).filter(({ storedMs }) => nowMs - storedMs >= OLD_MS).map(({ hash }) => hash)
  const garbage = old.length === 0 ? [] : state.queries.unnamedLarge(old)
  for (const hash of garbage) await large.delete(hash)
  return garbage.length
}
