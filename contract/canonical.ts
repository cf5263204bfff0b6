import { createHash, hash } from 'node:crypto'
import type { Hash } from './ids.ts'

/** RFC 8785: the one byte form of a JSON value. Two writers that agree on a value agree on its hash. */
export function canonicalText(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('JSON has no infinite or undefined numbers')
    return JSON.stringify(value)
  }
  if (typeof value === 'string') {
    // A lone surrogate has no UTF-8 form: it would come back as another text than was hashed.
    if (!value.isWellFormed()) throw new TypeError('text is not well-formed Unicode')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`)
  const record = value as Record<string, unknown>
  const members: string[] = []
  for (const key of Object.keys(record).sort()) {
    if (record[key] !== undefined) members.push(`${canonicalText(key)}:${canonicalText(record[key])}`)
  }
  return `{${members.join(',')}}`
}

export function canonicalBytes(value: unknown): Buffer {
  return Buffer.from(canonicalText(value), 'utf8')
}

export function sha256(bytes: Uint8Array | string): Hash {
  return hash('sha256', bytes, 'hex') as Hash
}

/** For bytes that arrive in pieces. */
export function sha256Stream(): { update(bytes: Uint8Array): void; digest(): Hash } {
  const digest = createHash('sha256')
  return { update: (bytes) => void digest.update(bytes), digest: () => digest.digest('hex') as Hash }
}
