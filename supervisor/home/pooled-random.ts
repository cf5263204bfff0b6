import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(8192)
let used = pool.length

/** Random bytes, each given out once. Asking for ten at a time takes longer than all the rest of making an event's id. */
export function pooledRandom(count: number): Uint8Array {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}
