/** So much of two texts must be the same words. */
const ALIKE = 0.75

export interface Matter {
  readonly text: string
  readonly topic: string
}

/** Whether two entries speak of the same thing: they name the same topic, or say nearly the same. */
export function isSameMatter(one: Matter, other: Matter): boolean {
  const topic = one.topic.trim().toLowerCase()
  if (topic !== '' && topic === other.topic.trim().toLowerCase()) return true
  return isSameText(one.text, other.text)
}

export function isSameText(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  if (a.size === 0 || b.size === 0) return one === other
  const both = [...a].filter((word) => b.has(word)).length
  return both / (a.size + b.size - both) >= ALIKE
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}
