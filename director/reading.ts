import { LIMITS } from '@choiros/contract/limits.ts'
import type { SearchInput } from '@choiros/contract/search.ts'
import type { WorkOrder } from '@choiros/contract/syscalls.ts'
import { fileDiff } from '@choiros/core/merge/diff-text.ts'
import { quoted } from '@choiros/core/quote.ts'
import { partOf } from '@choiros/guest/numbered-lines.ts'
import { filesFitting, searchLines } from '@choiros/guest/search-lines.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import type { ToolInput } from './tools.ts'

/** How a Director sees files: it has none of its own, and asks for the texts it needs. */
export interface Reading {
  list(folder: string): string
  has(path: string): boolean
  /** Also what was too much to be listed. */
  isThere(path: string): Promise<boolean>
  /** What an app calls itself, which is what its window is called. */
  titleOf(app: string): Promise<string>
  read(input: ToolInput<'read'>): Promise<string>
  search(input: SearchInput): Promise<string>
  /** What the run has changed in these files so far, and how many lines that is. */
  diff(paths: readonly string[]): Promise<{ text: string; changed: number }>
  /** Files that were made meanwhile. */
  learn(paths: readonly string[]): void
}

const LISTED_MAX = 500
const LINES = 400
/** A search reads no more files and bytes than this; a folder narrows it down. */
const SEARCHED_MAX = 500
const SEARCHED_BYTES_MAX = 16 * 1024 * 1024
const NAMED_MAX = 5
const DIFF_FILES_MAX = 40
const DIFF_CHARS_MAX = 60_000

export function createReading({ run, context: { files, unlisted } }: WorkOrder, calls: Syscalls): Reading {
  const sizes = new Map<string, number | null>(files.map(({ path, size }) => [path, size]))
  const below = (folder: string) => {
    const start = startOf(folder)
    return [...sizes.keys()].filter((path) => path.startsWith(start) || path === folder).sort()
  }
  const unknownBelow = (folder: string): string[] => {
    const [asked, known] = [startOf(folder), unlisted.map((one) => ({ ...one, start: startOf(one.folder) }))]
    const near = known.filter(({ start }) => start.startsWith(asked) || asked.startsWith(start))
    if (near.length === 0) return []
    const count = near.reduce((sum, one) => sum + one.files, 0)
    const names = near.slice(0, NAMED_MAX).map(({ folder: name }) => (name === '' ? 'all folders' : quoted(`${name}/`)))
    return [
      `(not known here: ${count} more files in ${names.join(', ')}${near.length > NAMED_MAX ? ', …' : ''}; read can read them by their paths, and an Associate can look for them)`,
    ]
  }
  // One that was made meanwhile may be as large as any that can be read.
  const sizeOf = (path: string) => sizes.get(path) ?? LIMITS.readFileBytesMax
  const isReadable = (path: string) => sizeOf(path) <= LIMITS.readFileBytesMax
  const texts = async (at: 'base' | 'now', paths: readonly string[]): Promise<Map<string, string | null>> => {
    const found = new Map<string, string | null>()
    for (const some of portions(paths, sizeOf)) {
      const answer = await calls.call('tree.read', { run, at, paths: some })
      for (const { path, text } of answer.files) found.set(path, text)
    }
    return found
  }
  return {
    list(folder) {
      const found = below(folder)
      const shown = found.slice(0, LISTED_MAX).map((path) => `${path} (${sizes.get(path) ?? 'new'})`)
      const more = found.length > shown.length ? [`(${found.length} files in all; name a folder)`] : []
      return [...shown, ...more, ...unknownBelow(folder)].join('\n') || 'nothing is there'
    },
    has: (path) => sizes.has(path),
    isThere: async (path) => sizes.has(path) || (await texts('now', [path])).get(path) != null,
    async titleOf(app) {
      const path = `app/apps/${app}/app.tsx`
      const text = (await texts('now', [path])).get(path) ?? ''
      return /\btitle:\s*(['"])(.{1,200}?)\1/.exec(text)?.[2] ?? app
    },
    async read({ path, from_line: from = 1, lines = LINES }) {
      const text = (await texts('now', [path])).get(path) ?? null
      if (text === null)
        throw new Error(isReadable(path) ? `there is no text file ${path}` : `${path} is too large to be read`)
      return partOf(path, text, from, lines)
    },
    async search(input) {
      const all = filesFitting(below(input.folder ?? ''), input)
      const readable = all.filter(isReadable)
      let bytes = 0
      const chosen = readable.slice(0, SEARCHED_MAX).filter((path) => (bytes += sizeOf(path)) <= SEARCHED_BYTES_MAX)
      const found = await texts('now', chosen)
      const words = [searchLines(chosen, (path) => found.get(path) ?? null, input)]
      // Whoever takes "no line fits" for the whole answer would be wrong.
      if (readable.length > chosen.length)
        words.push(`(only ${chosen.length} of ${readable.length} files; name a folder)`)
      const large = all.filter((path) => !isReadable(path))
      if (large.length > 0)
        words.push(
          `(not searched, too large: ${large.slice(0, NAMED_MAX).join(', ')}${large.length > NAMED_MAX ? ', …' : ''})`,
        )
      return [...words, ...unknownBelow(input.folder ?? '')].join('\n')
    },
    async diff(paths) {
      const some = paths.slice(0, DIFF_FILES_MAX)
      if (some.length === 0) return { text: '', changed: 0 }
      const [before, after] = [await texts('base', some), await texts('now', some)]
      const diffs = some.map((path) => fileDiff(path, before.get(path) ?? null, after.get(path) ?? null))
      const others =
        paths.length > some.length ? [`(${some.length} of ${paths.length} changed files; read the others)`] : []
      const text = [...others, ...diffs.map((one) => one.text)].join('\n\n')
      return {
        text: text.length > DIFF_CHARS_MAX ? `${text.slice(0, DIFF_CHARS_MAX).toWellFormed()}\n(cut)` : text,
        changed: diffs.reduce((sum, one) => sum + one.changed, 0),
      }
    },
    learn(paths) {
      for (const path of paths) if (!sizes.has(path)) sizes.set(path, null)
    },
  }
}

/** What the paths of all that is in a folder begin with. */
function startOf(folder: string): string {
  return folder === '' || folder.endsWith('/') ? folder : `${folder}/`
}

/** As many paths at once as their texts can be answered together: what does not fit would come back as no text. */
function portions(paths: readonly string[], sizeOf: (path: string) => number): string[][] {
  const all: string[][] = []
  let bytes = 0
  for (const path of paths) {
    const size = Math.min(sizeOf(path), LIMITS.readFileBytesMax)
    const last = all.at(-1)
    bytes += size
    if (last !== undefined && last.length < LIMITS.readAtOnceMax && bytes <= LIMITS.readBytesMax) last.push(path)
    else {
      all.push([path])
      bytes = size
    }
  }
  return all
}
