import { createRandom } from '../support/random.ts'

/** A repeatable source of accidents. */
export interface Seeded {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item
  bytes(count: number): Buffer
}

export function createSeeded(seed: number): Seeded {
  const next = createRandom(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('there is nothing to pick from')
      return item
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  }
}
