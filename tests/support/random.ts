/** A seed from SEED, or a new one; tests print it in their name, so that a failure can be repeated. */
export function seedOf(what: string): number {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  if (!Number.isInteger(seed)) throw new Error(`SEED for ${what} must be a number`)
  return seed
}

/** A small seeded generator, good enough for choices (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
