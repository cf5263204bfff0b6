import { TREE } from './report.ts'

interface Place {
  readonly path: string
  readonly line: number
}

const FRAME = /^\s+at (?:(.*?) \()?(?:file:\/\/)?(\/[^\s():]+):(\d+):\d+\)?$/gm
const SHOWN_MAX = 6

/** The frames of a stack that lie in the tree, in the source's own lines as Node tells them with maps. */
function placesIn(stack: string): (Place & { readonly name: string })[] {
  return [...stack.matchAll(FRAME)].flatMap(([, name = '', file = '', line = '']) =>
    file.startsWith(`${TREE}/`) ? [{ path: file.slice(TREE.length + 1), line: Number(line), name }] : [],
  )
}

export function placeIn(stack: string): Place | null {
  return placesIn(stack)[0] ?? null
}

/** A message with where it came from, if that is more than one place. */
export function wordsWithStack(message: string, stack: string): string {
  const places = placesIn(stack).slice(0, SHOWN_MAX)
  if (places.length < 2) return message
  return `${message}\nat ${places.map(({ path, line, name }) => `${path}:${line}${name === '' ? '' : ` (${name})`}`).join('\nat ')}`
}
