import type { Computer } from './computer.ts'

/** Young objects may belong to a command that is still on its way. */
const OLD_MS = 24 * 60 * 60 * 1000

/** Takes only what is old and what no event names: an upload whose command never came. */
export async function collectGarbage(
  { large, objects, state, writer }: Pick<Computer, 'large' | 'objects' | 'state' | 'writer'>,
  nowMs: number,
  oldMs = OLD_MS,
): Promise<number> {
  const old = (await large.list()).filter(({ storedMs }) => nowMs - storedMs >= oldMs).map(({ hash }) => hash)
  if (old.length === 0 || state.queries.unnamedLarge(old).length === 0) return 0
  let count = 0
  await writer.alone(async (queries) => {
    const garbage = queries.unnamedLarge(old)
    await objects.erase(garbage)
    count = garbage.length
  })
  return count
}
