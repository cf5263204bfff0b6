import { COMMON_WORDS } from './common-words.ts'
import { tagTokens, type Understood } from './intent.ts'
import { hasContent, spanText, type Part } from './parts.ts'
import type { Token } from './tokens.ts'

/** What somebody is asked to do in words that no recipe is asked in. */
const ACTS: ReadonlySet<string> = new Set(
  [
    'write draft compose fill list collect summarise summarize translate rewrite',
    'tell explain describe answer suggest recommend advise teach help say remind',
    'find search look check read compare calculate work count sort order rename',
    'plan prepare design draw generate program code invent think fix mend repair',
  ].flatMap((line) => line.split(' ')),
)

interface Span {
  readonly understood: Understood
  readonly from: number
  readonly to: number
}

/**
 * Words that a recipe took into a title although they may be a wish of their own: "a countdown to Friday, and write me
 * a packing list". A recipe cannot know; whoever understands whole sentences can.
 */
export function swallowedBy(
  { understood: { taken = [], whole = false }, from, to }: Span,
  text: string,
  tokens: readonly Token[],
  parts: readonly Part[],
): string[] {
  if (whole) return []
  return parts.slice(from + 1, to).flatMap((part, index) => {
    const before = parts[from + index]!
    const isTaken = taken.some((range) => range.from < part.to && range.to > part.from)
    const goesOn = taken.some((range) => range.from < before.to && range.to > part.from)
    const isDoubtful = (isTaken && asksAnew(tokens, part)) || (goesOn && comesWith(tokens, before, part))
    return isDoubtful ? [spanText(text, tokens, part.from, part.to)] : []
  })
}

function asksAnew(tokens: readonly Token[], part: Part): boolean {
  const first = tagTokens(tokens, part.from, part.to, new Map(), COMMON_WORDS).find(({ role }) => role !== 'fill')
  if (first === undefined || !hasContent(tokens, part)) return false
  return first.role === 'verb' || first.role === 'ask' || ACTS.has(tokens[first.from]!.word)
}

/** "A checklist with ten things", "called Trip with a plan": what comes with it is a part of it, and not understood. */
export function comesWith(tokens: readonly Token[], before: Part, after: Part): boolean {
  return tokens.slice(before.to, after.from).some(({ kind, word }) => kind === 'word' && word === 'with')
}
