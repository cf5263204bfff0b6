import { createHash, hash } from 'node:crypto'
import type { Hash } from './ids.ts'

/** Deeper values are refused: an imported event of half a megabyte of brackets must not fill the stack. */
const NESTING_MAX = 100

/** RFC 8785: the one byte form of a JSON value. Two writers that agree on a value agree on its hash. */
export function canonicalText(value: unknown): string {
  return write(value, 0)
}

function write(value: unknown, depth: number): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('JSON has no infinite or undefined numbers')
    return JSON.stringify(value)
  }
  if (typeof value === 'string') return writeString(value)
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`)
  if (depth === NESTING_MAX) throw new TypeError(`the value is nested deeper than ${NESTING_MAX} levels`)
  // Not map: it skips holes, and the text between two commas would be no JSON.
  if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, depth + 1)).join(',')}]`
  return writeObject(value as Record<string, unknown>, depth)
}

/** Text that needs no escapes. Nearly all of it is, and asking the engine to escape each takes half the time of an append's JSON. */
const PLAIN = /^[ !#-[\]-~]*$/

function writeString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  // A lone surrogate has no UTF-8 form: it would come back as another text than was hashed.
  if (!text.isWellFormed()) throw new TypeError('text is not well-formed Unicode')
  return JSON.stringify(text)
}

function writeObject(record: Record<string, unknown>, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(record)
  // A Date or a Map has no members of its own: it would be stored as {} and its content lost without a word.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new TypeError('only plain objects have a JSON form')
  let members = ''
  for (const key of sortedKeys(record)) {
    const member = record[key]
    if (member !== undefined) members += `${members === '' ? '' : ','}${writeString(key)}:${write(member, depth + 1)}`
  }
  return `{${members}}`
}

/** Most objects that come here were written in this order before. */
function sortedKeys(record: Record<string, unknown>): string[] {
  const keys = Object.keys(record)
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key) ? keys : keys.sort()
}

export function canonicalBytes(value: unknown): Buffer {
  return Buffer.from(canonicalText(value), 'utf8')
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether JSON opens more lists and objects inside each other than `levels`. Asked before parsing: deep nesting stalls the parser and ends the writer. */
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
