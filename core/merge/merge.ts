import { LIMITS } from '@choiros/contract/limits.ts'
import { mergeText } from '../everywhere/merge-text.ts'
import { mergeJson } from './json.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Merges three versions of a file into one; null if only a person can decide: a true conflict, binary content, or texts
 * too large to compare.
 */
export function mergeContent(path: string, base: Uint8Array, mine: Uint8Array, theirs: Uint8Array): Buffer | null {
  const texts = [base, mine, theirs].map((bytes) => toText(bytes))
  const [baseText, mineText, theirText] = texts
  if (typeof baseText !== 'string' || typeof mineText !== 'string' || typeof theirText !== 'string') return null
  const merged = path.endsWith('.json')
    ? mergeJson(baseText, mineText, theirText)
    : mergeText(baseText, mineText, theirText)
  return merged === null ? null : Buffer.from(merged, 'utf8')
}

/** Null if it is no text, or too long to be compared at once. */
export function toText(bytes: Uint8Array, bytesMax: number = LIMITS.mergeBytesMax): string | null {
  if (bytes.length > bytesMax || bytes.includes(0)) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
