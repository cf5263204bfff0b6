import { mergeText } from '../everywhere/merge-text.ts'
import { CONFLICT, isObject, mergeValues, type Json, type JsonObject } from '../everywhere/merge-values.ts'

/** Files with deeper nesting are merged as text: walking them would overflow the stack. */
const NESTING_MAX = 100

/**
 * Merges three JSON files into one, key by key; null if both sides changed the same value. A file that is formatted
 * exactly as JSON.stringify writes it is written anew. Others are merged by lines, because rewriting a hand-formatted
 * file would change lines nobody touched; but only if that gives the same value as merging by keys: lines alone could
 * write a key twice.
 */
export function mergeJson(base: string, mine: string, theirs: string): string | null {
  const texts = [base, mine, theirs] as const
  const [baseValue, mineValue, theirValue] = texts.map(parse) as [Json | undefined, Json | undefined, Json | undefined]
  if (baseValue === undefined || mineValue === undefined || theirValue === undefined) return mergeText(...texts)
  if (!isObject(baseValue) || !isObject(mineValue) || !isObject(theirValue)) {
    const text = mergeText(...texts)
    return text === null || parse(text) === undefined ? null : text
  }
  const value = mergeValues(baseValue, mineValue, theirValue)
  if (value === CONFLICT) return null
  const style = commonStyle(texts.map(styleOf))
  if (style !== null && !reorders(baseValue, theirValue)) return JSON.stringify(value, null, style.indent) + style.end
  const text = mergeText(...texts)
  return text !== null && sameValue(parse(text), value) ? text : null
}

function parse(text: string): Json | undefined {
  if (isNestedTooDeep(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function isNestedTooDeep(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index) | 0x20 // `[` and `{`, `]` and `}` differ in this bit only.
    if (code === 0x7b && ++depth > NESTING_MAX) return true
    if (code === 0x7d) depth--
  }
  return false
}

interface Style {
  readonly indent: string
  readonly end: string
  /** `{}` looks the same in every style. */
  readonly empty: boolean
}

function styleOf(text: string): Style | null {
  const end = /\s*$/.exec(text.slice(-8))?.[0] ?? ''
  const indent = /^\{\n([ \t]{1,10})"/.exec(text)?.[1] ?? ''
  const written = JSON.stringify(JSON.parse(text), null, indent) + end
  return written === text ? { indent, end, empty: written === `{}${end}` } : null
}

function commonStyle(styles: readonly (Style | null)[]): Style | null {
  const common = styles.find((style) => style?.empty === false) ?? styles[0] ?? null
  const agrees = (style: Style | null) =>
    style !== null && style.end === common?.end && (style.empty || style.indent === common.indent)
  return styles.every(agrees) ? common : null
}

/** Equal, apart from the order of keys. */
function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameValue(item, b[index]))
  if (!isObject(a)) return a === b
  if (!isObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
  )
}

/**
 * Whether they put keys of the base into another order, anywhere: a merge that keeps my order would silently lose that.
 */
function reorders(base: JsonObject, theirs: JsonObject): boolean {
  const theirKeys = Object.keys(theirs).filter((key) => Object.hasOwn(base, key))
  const baseKeys = Object.keys(base).filter((key) => Object.hasOwn(theirs, key))
  return baseKeys.some((key, index) => {
    const [inBase, inTheirs] = [base[key], theirs[key]]
    return theirKeys[index] !== key || (isObject(inBase) && isObject(inTheirs) && reorders(inBase, inTheirs))
  })
}
