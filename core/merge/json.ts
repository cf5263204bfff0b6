type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

const CONFLICT = Symbol('conflict')

/**
 * Three JSON objects into one, key by key, or null where both sides changed the same value.
 * Only for texts that JSON.stringify would write just so: rewriting a hand-formatted file would change lines nobody touched.
 */
export function mergeJson(base: string, mine: string, theirs: string): string | null {
  const style = styleOf(mine)
  const parsed = [base, mine, theirs].map(parseObject)
  const [baseValue, mineValue, theirValue] = parsed
  if (style === null || !baseValue || !mineValue || !theirValue) return null
  const merged = mergeObjects(baseValue, mineValue, theirValue)
  return merged === CONFLICT ? null : JSON.stringify(merged, null, style.indent) + style.end
}

function parseObject(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function styleOf(text: string): { indent: string; end: string } | null {
  const value = parseObject(text)
  if (value === null) return null
  const end = /\s*$/.exec(text)?.[0] ?? ''
  const indent = /^\{\n([ \t]+)"/.exec(text)?.[1] ?? ''
  return JSON.stringify(value, null, indent) + end === text ? { indent, end } : null
}

function mergeObjects(base: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject | typeof CONFLICT {
  const merged: [string, Json][] = []
  for (const key of mergeKeyOrder(Object.keys(mine), Object.keys(theirs))) {
    const value = mergeValues(own(base, key), own(mine, key), own(theirs, key))
    if (value === CONFLICT) return CONFLICT
    if (value !== undefined) merged.push([key, value])
  }
  return Object.fromEntries(merged)
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function mergeValues(base: Json | undefined, mine: Json | undefined, theirs: Json | undefined): Json | undefined | typeof CONFLICT {
  if (same(mine, theirs) || same(theirs, base)) return mine
  if (same(mine, base)) return theirs
  return isObject(base) && isObject(mine) && isObject(theirs) ? mergeObjects(base, mine, theirs) : CONFLICT
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** My order; a key that only they have goes behind the key it follows there. */
function mergeKeyOrder(mine: readonly string[], theirs: readonly string[]): string[] {
  const order = [...mine]
  for (const [index, key] of theirs.entries()) {
    if (order.includes(key)) continue
    const before = theirs[index - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key)
  }
  return order
}
