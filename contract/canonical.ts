import { createHash, hash } from 'node:crypto'
import type { Hash } from './ids.ts'

/** Deeper values are refused: an imported event of half a megabyte of brackets must not fill the stack. */
const NESTING_MAX = 100

/** RFC 8785: the one byte form of a JSON value. Two writers that agree on a value agree on its hash. */
export function canonicalText(value: unknown): string {
  return canonicalForm(value).text
}

/** The canonical text, and the value that parsing this text would give, down to the order of keys. */
export function canonicalForm(value: unknown): { readonly text: string; readonly value: unknown } {
  const seen = { isOdd: false }
  const sorted = sort(value, 0, seen)
  const text = JSON.stringify(sorted)
  // JSON.stringify writes a lone surrogate as an escape that begins like this; so does a text that holds a backslash
  // and "ud".
  if (!seen.isOdd && !text.includes('\\ud')) return { text, value: sorted }
  const written = write(sorted)
  return { text: written, value: JSON.parse(written) as unknown }
}

/**
 * A copy with its keys in order, for the engine to write. `isOdd`: some keys are of a kind that an object does not keep
 * in the order of insertion.
 */
function sort(value: unknown, depth: number, seen: { isOdd: boolean }): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('JSON has no infinite or undefined numbers')
    return value + 0 // JSON has one zero.
  }
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`)
  if (depth === NESTING_MAX) throw new TypeError(`the value is nested deeper than ${NESTING_MAX} levels`)
  if (Array.isArray(value)) return sortItems(value, depth, seen)
  return sortObject(value as Record<string, unknown>, depth, seen)
}

function sortItems(items: readonly unknown[], depth: number, seen: { isOdd: boolean }): unknown[] {
  const sorted: unknown[] = []
  // Not map: it skips holes, which would leave nothing between two commas.
  for (let index = 0; index < items.length; index++) sorted.push(sort(items[index], depth + 1, seen))
  return sorted
}

function sortObject(record: Record<string, unknown>, depth: number, seen: { isOdd: boolean }): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(record)
  // A Date or a Map has no members of its own: it would be stored as {} and its content lost without a word.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new TypeError('only plain objects have a JSON form')
  const sorted: Record<string, unknown> = {}
  for (const key of sortedKeys(record)) {
    const member = record[key]
    if (member === undefined) continue
    if (isOddKey(key)) {
      seen.isOdd = true
      Object.defineProperty(sorted, key, { value: sort(member, depth + 1, seen), enumerable: true })
    } else sorted[key] = sort(member, depth + 1, seen)
  }
  return sorted
}

/** An object puts keys that look like numbers first, and assigning to `__proto__` adds no member. */
function isOddKey(key: string): boolean {
  const first = key.charCodeAt(0)
  return (first >= 0x30 && first <= 0x39) || key === '__proto__'
}

/** Looks before it sorts: most objects that come here were written in this order before. */
function sortedKeys(record: Record<string, unknown>): string[] {
  const keys = Object.keys(record)
  for (let index = 1; index < keys.length; index++)
    if ((keys[index - 1] as string) > (keys[index] as string)) return keys.sort()
  return keys
}

/** Key by key, for values that the engine would write in another order or form. */
function write(value: unknown): string {
  if (typeof value === 'string') return writeString(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const record = value as Record<string, unknown>
  const members = sortedKeys(record).map((key) => `${writeString(key)}:${write(record[key])}`)
  return `{${members.join(',')}}`
}

function writeString(text: string): string {
  // A lone surrogate has no UTF-8 form: another text would be read back than the one that was hashed.
  if (!text.isWellFormed()) throw new TypeError('text is not well-formed Unicode')
  return JSON.stringify(text)
}

export function canonicalBytes(value: unknown): Buffer {
  return Buffer.from(canonicalText(value), 'utf8')
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Whether lists and objects are nested deeper than `levels`. Asked before parsing, because deep nesting stalls the
 * parser and overflows the stack of the writer.
 */
export function nestsDeeperThan(json: Uint8Array, levels: number): boolean {
  let depth = 0
  let inText = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] as number
    if (inText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inText = false
    } else if (byte === QUOTE) inText = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > levels) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}

export function sha256(bytes: Uint8Array | string): Hash {
  return hash('sha256', bytes, 'hex') as Hash
}

/** For bytes that arrive in pieces. */
export function sha256Stream(): { update(bytes: Uint8Array): void; digest(): Hash } {
  const digest = createHash('sha256')
  return { update: (bytes) => void digest.update(bytes), digest: () => digest.digest('hex') as Hash }
}
