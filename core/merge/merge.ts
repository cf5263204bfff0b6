import { LIMITS } from '@choiros/contract/limits.ts'
import { mergeJson } from './json.ts'
import { mergeText } from './text.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Three versions of a file into one, or null where only a person can decide: a true conflict, binary content, or texts too large to compare. */
export function mergeContent(path: string, base: Uint8Array, mine: Uint8Array, theirs: Uint8Array): Buffer | null {
  const texts = [base, mine, theirs].map(toText)
  const [baseText, mineText, theirText] = texts
  if (typeof baseText !== 'string' || typeof mineText !== 'string' || typeof theirText !== 'string') return null
  const merged = path.endsWith('.json') ? mergeJson(baseText, mineText, theirText) : mergeText(baseText, mineText, theirText)
  return merged === null ? null : Buffer.from(merged, 'utf8')
}

function toText(bytes: Uint8Array): string | null {
  if (bytes.length > LIMITS.mergeBytesMax || bytes.includes(0)) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
