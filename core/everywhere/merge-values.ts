export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }
export type JsonObject = { readonly [key: string]: Json | undefined }

export const CONFLICT = Symbol('conflict')
type Merged = Json | undefined | typeof CONFLICT

/** What becomes of a value that both sides changed. */
type Settle = (mine: Json | undefined, theirs: Json | undefined) => Merged

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Merges three values into one, key by key; `CONFLICT` if both sides changed the same value. Lists are single values.
 */
export function mergeValues(base: Json | undefined, mine: Json | undefined, theirs: Json | undefined): Merged {
  return merge(base, mine, theirs, () => CONFLICT)
}

/**
 * The same for a value that a person has on the screen. What one side added, changed or deleted is kept; if both
 * changed the same value, mine is kept, because I am the one who sees it. A change wins over a deletion: nothing is
 * lost by keeping it. Things that several people add are kept as an object, by id.
 */
export function mergeSeen(base: Json | undefined, mine: Json | undefined, theirs: Json | undefined): Json | undefined {
  const settle: Settle = (one, other) =>
    isObject(one) && isObject(other) ? mergeObjects({}, one, other, settle) : one === undefined ? other : one
  return merge(base, mine, theirs, settle) as Json | undefined
}

function merge(base: Json | undefined, mine: Json | undefined, theirs: Json | undefined, settle: Settle): Merged {
  // Before any comparison: comparing whole objects again at every level would take a deep file's size times its depth.
  if (isObject(base) && isObject(mine) && isObject(theirs)) return mergeObjects(base, mine, theirs, settle)
  if (sameText(mine, theirs) || sameText(theirs, base)) return mine
  return sameText(mine, base) ? theirs : settle(mine, theirs)
}

function mergeObjects(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  settle: Settle,
): JsonObject | typeof CONFLICT {
  const merged: [string, Json][] = []
  for (const key of mergeKeyOrder(Object.keys(mine), Object.keys(theirs))) {
    const value = merge(own(base, key), own(mine, key), own(theirs, key), settle)
    if (value === CONFLICT) return CONFLICT
    if (value !== undefined) merged.push([key, value])
  }
  return Object.fromEntries(merged)
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function sameText(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** My order; a key that only they have goes after the key it follows in theirs. */
function mergeKeyOrder(mine: readonly string[], theirs: readonly string[]): string[] {
  const known = new Set(mine)
  const behind = new Map<string | null, string>()
  let before: string | null = null
  for (const key of theirs) {
    if (!known.has(key)) behind.set(before, key)
    before = key
  }
  const order: string[] = []
  const addBehind = (key: string | null) => {
    for (let next = behind.get(key); next !== undefined; next = behind.get(next)) order.push(next)
  }
  addBehind(null)
  for (const key of mine) {
    order.push(key)
    addBehind(key)
  }
  return order
}
