import type { ModelMessage, ToolUse } from '@choiros/contract/models.ts'

/** Texts that are no longer than this stay whole, however old they are. */
const SHORT_CHARS = 400
const SHOWN_CHARS = 200
/** The newest messages are never touched: the model is at work on them. */
export const NEWEST_KEPT = 12

/** A picture costs about as much as so many letters. */
const PICTURE_CHARS = 9000

/** How much a model has to read, in characters. */
export function charsIn(messages: readonly ModelMessage[]): number {
  let chars = 0
  for (const message of messages) {
    chars += message.text.length
    if (message.role === 'assistant') chars += message.uses.reduce((sum, use) => sum + JSON.stringify(use).length, 0)
    else if (message.role !== 'system') chars += (message.pictures?.length ?? 0) * PICTURE_CHARS
  }
  return chars
}

/**
 * The same talk without what old tools had to say: the files themselves are still there, and can be read again as they
 * are by now. Nothing is retold in other words, so no line of a file is remembered wrongly.
 */
export function withoutOldResults(messages: readonly ModelMessage[], untouched: number): ModelMessage[] {
  const newest = newestFrom(messages)
  return messages.map((message, index) => {
    if (index < untouched || index >= newest) return message
    switch (message.role) {
      case 'tool': {
        const { role, id, name, text } = message
        return { role, id, name, text: shortResult(text) }
      }
      case 'assistant':
        return { role: message.role, text: message.text, uses: message.uses.map(shortUse) }
      default:
        return message
    }
  })
}

/**
 * Where the newest messages begin. What the model asked for last it has not seen yet, however much it asked for at
 * once: cut before it was read, it would be asked for again and again.
 */
function newestFrom(messages: readonly ModelMessage[]): number {
  const spoke = messages.findLastIndex(({ role }) => role === 'assistant')
  const newest = messages.length - NEWEST_KEPT
  return spoke === -1 ? newest : Math.min(newest, spoke)
}

/**
 * The same talk with less of its newest results, where these alone are more than the model can read: each keeps its
 * beginning, and says that there is more.
 */
export function withShorterNewest(messages: readonly ModelMessage[], charsMax: number): ModelMessage[] {
  const newest = newestFrom(messages)
  const results = messages.filter(({ role }, index) => index >= newest && role === 'tool')
  const share = Math.max(SHORT_CHARS, Math.floor((charsMax - charsIn(messages) + charsIn(results)) / results.length))
  return messages.map((message, index) => {
    if (index < newest || message.role !== 'tool' || message.text.length <= share) return message
    const shown = message.text.slice(0, share).toWellFormed()
    return { ...message, text: `${shown}\n(cut: it was ${message.text.length} characters; ask for less at once)` }
  })
}

function shortResult(text: string): string {
  if (text.length <= SHORT_CHARS) return text
  const shown = text.slice(0, SHOWN_CHARS).toWellFormed()
  return `${shown}… (${text.length} characters, left out by now; use the tool again if you need them)`
}

function shortUse({ id, name, input }: ToolUse): ToolUse {
  return { id, name, input: shortValue(input, 0) }
}

const DEPTH_MAX = 6

function shortValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string')
    return value.length <= SHORT_CHARS ? value : `(${value.length} characters, left out by now; the file holds them)`
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return value
  if (Array.isArray(value)) return value.map((one) => shortValue(one, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortValue(one, depth + 1)]))
}

/** Pictures are large, and what they showed is soon outdated: beyond so many, only the newest stay. */
const PICTURES_MAX = 6
const PICTURES_KEPT = 2

/** The same talk with its newest pictures alone, where there are too many. */
export function withoutOldPictures(messages: readonly ModelMessage[]): ModelMessage[] {
  if (picturesIn(messages) <= PICTURES_MAX) return [...messages]
  let left = PICTURES_KEPT
  return messages
    .toReversed()
    .map((message) => {
      if (message.role !== 'tool' && message.role !== 'user') return message
      const { pictures = [], ...rest } = message
      if (pictures.length === 0) return message
      left -= pictures.length
      return left >= 0 ? message : { ...rest, text: `${message.text}\n(The picture is left out by now.)` }
    })
    .reverse()
}

function picturesIn(messages: readonly ModelMessage[]): number {
  return messages.reduce(
    (sum, message) => sum + (message.role === 'tool' || message.role === 'user' ? (message.pictures?.length ?? 0) : 0),
    0,
  )
}

/**
 * Where a talk can be cut: everything before is retold, everything from here on stays. A tool's result never stands
 * without the call it answers.
 */
export function cutAt(messages: readonly ModelMessage[], untouched: number): number {
  let cut = Math.max(untouched, newestFrom(messages))
  while (cut > untouched && messages[cut]?.role === 'tool') cut--
  return cut
}

const LINE_CHARS_MAX = 1200

/** The part of a talk that is to be retold, as lines. */
export function transcript(messages: readonly ModelMessage[], charsMax: number): string {
  const lines = messages.map((message) => {
    const said = message.text.slice(0, LINE_CHARS_MAX).toWellFormed()
    if (message.role !== 'assistant')
      return `${message.role === 'tool' ? `result of ${message.name}` : 'told'}: ${said}`
    const uses = message.uses.map(({ name, input }) => `${name} ${JSON.stringify(input).slice(0, LINE_CHARS_MAX)}`)
    return [...(said === '' ? [] : [`said: ${said}`]), ...uses.map((use) => `used: ${use}`)].join('\n')
  })
  const text = lines.join('\n')
  // The end is what the work goes on from.
  return text.length <= charsMax ? text : text.slice(-charsMax).toWellFormed()
}
