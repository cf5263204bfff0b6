import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 8192

/**
 * Random bytes, each given out once. To ask the system for ten bytes takes longer than all the rest of making an
 * event's id.
 */
export function createPooledRandom(): (count: number) => Uint8Array {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = pool.length
  return (count) => {
    if (used + count > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }
}
