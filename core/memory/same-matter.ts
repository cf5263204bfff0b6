/** So much of two texts must be the same words for them to be about the same. */
const ALIKE = 0.75

interface Matter {
  readonly text: string
  readonly topic: string
}

/**
 * Whether two texts say the same, marks and capitals aside. One other word makes it another text: "the clock is not
 * round" must not pass for "the clock is round".
 */
export function isSameText(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(text: string): string {
  return wordsIn(text).join(' ') || text
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Compares entries and remembers their words: in a memory each is compared with many others. */
export interface Likeness {
  /** Whether two entries speak of the same thing, whatever they say of it: by topic, or in nearly the same words. */
  isSameMatter(one: Matter, other: Matter): boolean
  isSameText(one: string, other: string): boolean
}

export function createLikeness(): Likeness {
  const known = new Map<string, { readonly plain: string; readonly words: ReadonlySet<string> }>()
  const read = (text: string) => {
    const found = known.get(text) ?? { plain: plain(text), words: new Set(wordsIn(text)) }
    known.set(text, found)
    return found
  }
  const isAlike = (one: string, other: string): boolean => {
    const [a, b] = [read(one).words, read(other).words]
    // Sizes alone often tell, and are cheap.
    if (a.size === 0 || Math.min(a.size, b.size) < ALIKE * Math.max(a.size, b.size)) return one === other
    let both = 0
    for (const word of a) if (b.has(word)) both++
    return both / (a.size + b.size - both) >= ALIKE
  }
  return {
    isSameText: (one, other) => read(one).plain === read(other).plain,
    isSameMatter(one, other) {
      const topic = one.topic.trim().toLowerCase()
      return (topic !== '' && topic === other.topic.trim().toLowerCase()) || isAlike(one.text, other.text)
    },
  }
}
