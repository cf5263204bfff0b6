/** The apps that every computer begins with, in their order in the taskbar. */
const BASE = ['files', 'history', 'runs', 'writer', 'memory']

export interface Placed {
  readonly id: string
  readonly title: string
  /** The oldest event that wrote a file of it. */
  readonly cameSeq: number
}

/** Base apps first, then by when each came. An app keeps its place: a new app goes to the end and moves no other. */
export function inOrder<Item extends Placed>(apps: readonly Item[], before: readonly string[]): Item[] {
  const base = (id: string) => (BASE.includes(id) ? BASE.indexOf(id) : BASE.length)
  const known = (id: string) => (before.includes(id) ? before.indexOf(id) : before.length)
  return apps.toSorted(
    (a, b) =>
      base(a.id) - base(b.id) ||
      known(a.id) - known(b.id) ||
      a.cameSeq - b.cameSeq ||
      a.title.localeCompare(b.title) ||
      a.id.localeCompare(b.id),
  )
}

export interface Room {
  /** The width of each app with its name beside its glyph. */
  readonly namedPx: readonly number[]
  readonly glyphPx: number
  readonly freePx: number
}

/**
 * How many apps fit into the taskbar, and how many of these, from the first, with their names. The others go into a
 * menu, whose button needs room too.
 */
export function fit({ namedPx, glyphPx, freePx }: Room): { readonly shown: number; readonly named: number } {
  let left = freePx - namedPx.length * glyphPx
  if (left < 0) return { shown: Math.max(0, Math.floor(freePx / glyphPx) - 1), named: 0 }
  const nameless = namedPx.findIndex((width) => (left -= width - glyphPx) < 0)
  return { shown: namedPx.length, named: nameless === -1 ? namedPx.length : nameless }
}
