/** So much of two texts must be the same words. */
const ALIKE = 0.75

interface Matter {
  readonly text: string
  readonly topic: string
}

/** Compares texts and remembers their words: in a memory each is compared with many others. */
export interface Likeness {
  /** Whether two entries speak of the same thing: they name the same topic, or say nearly the same. */
  isSameMatter(one: Matter, other: Matter): boolean
  isSameText(one: string, other: string): boolean
}

export function createLikeness(): Likeness {
  const known = new Map<string, ReadonlySet<string>>()
  const wordsOf = (text: string): ReadonlySet<string> => {
    const words = known.get(text) ?? new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    known.set(text, words)
    return words
  }
  const isAlike = (one: string, other: string): boolean => {
    const [a, b] = [wordsOf(one), wordsOf(other)]
    if (a.size === 0 || b.size === 0) return one === other
    // Sizes alone often tell, and are cheap.
    if (Math.min(a.size, b.size) < ALIKE * Math.max(a.size, b.size)) return false
    let both = 0
    for (const word of a) if (b.has(word)) both++
    return both / (a.size + b.size - both) >= ALIKE
  }
  return {
    isSameText: isAlike,
    isSameMatter(one, other) {
      const topic = one.topic.trim().toLowerCase()
      return (topic !== '' && topic === other.topic.trim().toLowerCase()) || isAlike(one.text, other.text)
    },
  }
}

export function isSameText(one: string, other: string): boolean {
  return createLikeness().isSameText(one, other)
}
