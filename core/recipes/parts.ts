import { COMMON_WORDS, QUESTIONS } from './common-words.ts'
import { tagTokens, type Tag } from './intent.ts'
import { SEPARATORS } from './joining-words.ts'
import { CLAUSE_END } from './languages/translate.ts'
import type { Token } from './tokens.ts'

/**
 * All clauses beyond this number form one last clause, because the search below grows with the square of their number.
 */
const PARTS_MAX = 24

/** A piece of a text that may be a wish, or a part of one. */
export interface Part {
  readonly from: number
  readonly to: number
  /** Whether a mark, not a word, separates it from the one before. */
  readonly marked: boolean
  /** Whether it stands in a sentence that began as a question. */
  readonly questioned: boolean
}

export function splitParts(tokens: readonly Token[]): Part[] {
  const parts: Part[] = []
  let from = 0
  let marked = true
  let nextMarked = false
  const close = (to: number) => {
    // "Teal, no, gold": the "no" by itself belongs to neither.
    if (to > from && !(to - from === 1 && /^(no|nope|nah|wait)$/.test(tokens[from]!.word))) {
      parts.push({ from, to, marked, questioned: isQuestioned(tokens, from, to, parts.at(-1)) })
      marked = false
    }
    marked ||= nextMarked
  }
  for (const [index, token] of tokens.entries()) {
    if (parts.length >= PARTS_MAX - 1) break
    const isMark = token.kind === 'mark'
    if (!isMark && !(token.kind === 'word' && SEPARATORS.has(token.word))) continue
    nextMarked = isMark
    close(index)
    from = index + 1
  }
  nextMarked = false
  close(tokens.length)
  return parts
}

function isQuestioned(tokens: readonly Token[], from: number, to: number, before: Part | undefined): boolean {
  const goesOn =
    before?.questioned === true && !tokens.slice(before.to, from).some(({ word }) => /^[.!?…;\n]$/.test(word))
  const first = tagTokens(tokens, from, to, new Map(), COMMON_WORDS).find(({ role }) => role !== 'fill')
  return goesOn || (first !== undefined && isQuestionTag(first))
}

export function isQuestionTag({ role, value }: Tag): boolean {
  return role === 'ask' && QUESTIONS.has(value)
}

const HOLLOW = new Set(['fill', 'ask', 'it', 'mark', 'desk', 'neg'])

export function hasContent(tokens: readonly Token[], { from, to }: Part): boolean {
  return tagTokens(tokens, from, to, new Map(), COMMON_WORDS).some(({ role }) => !HOLLOW.has(role))
}

const SPAN_CHARS_MAX = 200

/** The person's own words; a verb that was brought to the front is still at their end. */
export function spanText(text: string, tokens: readonly Token[], from: number, to: number): string {
  const first = tokens[from]
  const closing = tokens[to]
  const last = closing?.word === CLAUSE_END ? closing : tokens[to - 1]
  if (first === undefined || last === undefined || to <= from) return ''
  const span = text.slice(first.start, last.end).replaceAll(/\s+/g, ' ')
  return span.length > SPAN_CHARS_MAX ? `${span.slice(0, SPAN_CHARS_MAX - 1)}…` : span
}
