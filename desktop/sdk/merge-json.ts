export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

type JsonObject = { readonly [key: string]: Json | undefined }

/**
 * Three values into one, key by key. What one side added, changed or deleted is kept; where both changed the same value, mine is: I am the one who
 * looks. Lists are single values: keep things that several people add as an object, by id.
 */
export function mergeJson(base: Json | undefined, mine: Json | undefined, theirs: Json | undefined): Json | undefined {
  if (isObject(mine) && isObject(theirs)) return mergeObjects(isObject(base) ? base : {}, mine, theirs)
  if (same(mine, base)) return theirs
  // Deleted here, changed there: the change is the newer wish, and nothing is lost by keeping it.
  return mine === undefined && !same(theirs, base) ? theirs : mine
}

function mergeObjects(base: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject {
  const keys = new Set([...Object.keys(theirs), ...Object.keys(mine)])
  const merged = [...keys].map((key) => [key, mergeJson(own(base, key), own(mine, key), own(theirs, key))] as const)
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
