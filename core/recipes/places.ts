import type { Clause, Tag } from './intent.ts'

const BEFORE_PLACE = /^(?:on|onto|to|in|into|at|upon)(?: (?:the|my|our|your|this))*$/
const PLACE = /^(?:desktop|screen|home screen|display|taskbar|task bar|bar)$/

/** The words that say where something is to stand, and not what it is called: "on the desktop". */
export function placesIn(clause: Clause): Pick<Tag, 'from' | 'to'>[] {
  return clause.tags.flatMap(({ from, to }, index) => {
    if (!BEFORE_PLACE.test(clause.english(from, to))) return []
    const last = clause.tags.slice(index + 1).find((tag) => !BEFORE_PLACE.test(clause.english(from, tag.to)))
    return last !== undefined && PLACE.test(clause.english(last.from, last.to)) ? [{ from, to: last.to }] : []
  })
}

/** Whether a tag belongs to one of these places. */
export function isIn(places: readonly Pick<Tag, 'from' | 'to'>[], { from, to }: Tag): boolean {
  return places.some((place) => from >= place.from && to <= place.to)
}

const MANNERS = new Set(['fill', 'ask', 'mark'])

/** Where a title ends that would end at `end`: before a place that stands there, whatever manners follow it. */
export function endBeforePlace(clause: Clause, places: readonly Pick<Tag, 'from' | 'to'>[], end: number): number {
  const last = places.findLast(({ to }) => to <= end)
  const isLast =
    last !== undefined && clause.tags.every(({ role, from }) => from < last.to || from >= end || MANNERS.has(role))
  return isLast ? last.from : end
}

/** What comes after these is to be read in it, and is no title. */
export const SAYING = [
  'saying',
  'saying that',
  'that says',
  'which says',
  'that says that',
  'it should say',
  'with the text',
  'with the words',
  'with the content',
  'with this text',
  'with text',
  'with content',
  'containing',
  'that reads',
  'which reads',
  'that contains',
  'which contains',
]
