/** Random enough for histories, and the same in every run: if a number changes, the code has changed it. */
export interface Random {
  /** 0 ≤ n < below. */
  whole(below: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  bytes(count: number): Buffer
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const whole = (below: number) => next() % below
  return {
    whole,
    chance: (probability) => next() / 0x1_0000_0000 < probability,
    pick: (items) => items[whole(items.length)] as (typeof items)[number],
    bytes(count) {
      const bytes = Buffer.allocUnsafe(count)
      for (let at = 0; at < count; at++) bytes[at] = next() & 0xff
      return bytes
    },
  }
}
