/** DESIGN §14 asks for this many samples; fewer prove nothing. */
export const SAMPLES = 30
const WARMUPS = 3

export interface Pair {
  readonly ours: number[]
  readonly raw: number[]
}

/** Milliseconds of one piece of work. */
export type Sample = () => Promise<number> | number

export async function time(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Ours, raw, ours, raw: whatever else the machine does meanwhile slows both. The first rounds are thrown away, because
 * the side that runs first would pay for compiling the code that all share.
 */
export async function inTurns(
  sides: readonly Sample[],
  { samples = SAMPLES, warmups = WARMUPS } = {},
): Promise<number[][]> {
  const taken: number[][] = sides.map(() => [])
  for (let round = -warmups; round < samples; round++) {
    for (const [side, sample] of sides.entries()) {
      const ms = await sample()
      if (round >= 0) taken[side]?.push(ms)
    }
  }
  return taken
}

export async function interleave(ours: Sample, raw: Sample, options?: Parameters<typeof inTurns>[1]): Promise<Pair> {
  const [one = [], other = []] = await inTurns([ours, raw], options)
  return { ours: one, raw: other }
}

export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)
