import type { Computer } from './computer.ts'

/** Young objects may belong to a command that is still on its way. */
const OLD_MS = 24 * 60 * 60 * 1000

/** While it is looked through, no command may name what is about to go. */
const HOLD_MS = 5000

/** Takes only what is old and what no event names: an upload whose command never came. */
export async function collectGarbage(
  { large, state, holdStill }: Pick<Computer, 'large' | 'state' | 'holdStill'>,
  nowMs: number,
  oldMs = OLD_MS,
): Promise<number> {
  const old = (await large.list()).filter(({ storedMs }) => nowMs - storedMs >= oldMs).map(({ hash }) => hash)
  if (old.length === 0 || state.queries.unnamedLarge(old).length === 0) return 0
  const letGo = await holdStill(HOLD_MS)
  try {
    const garbage = state.queries.unnamedLarge(old)
    for (const hash of garbage) await large.delete(hash)
    return garbage.length
  } finally {
    letGo()
  }
}
