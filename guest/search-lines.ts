import { matchesGlob } from 'node:path'
import { Script } from 'node:vm'
import type { SearchInput } from '@choiros/contract/search.ts'

const SHOWN_MAX = 100
const LINE_CHARS_MAX = 300
/** A longer line is not searched by a regular expression. */
const SEARCHED_CHARS_MAX = 4000
/** A pattern that tries every way to fit, or a glob of many braces, never ends, and whoever searches hangs (L11). */
const SEARCH_MS_MAX = 5000
const WORK = new Script('work()')

interface Match {
  readonly file: string
  readonly index: number
}

/** Those of the files that are to be searched. */
export function filesFitting(files: readonly string[], { glob }: SearchInput): readonly string[] {
  return glob === undefined ? files : withinTime(() => files.filter((file) => matchesGlob(file, glob)))
}

/** Searches files that were chosen already; `read` gives null for what is no text. */
export function searchLines(
  files: readonly string[],
  read: (file: string) => string | null,
  input: SearchInput,
): string {
  return withinTime(() => searchAll(files, read, input))
}

/** Ends whatever takes too long, also in the middle of an expression, which nothing else can. */
function withinTime<Result>(work: () => Result): Result {
  try {
    return WORK.runInNewContext({ work }, { timeout: SEARCH_MS_MAX }) as Result
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new Error('the search took too long and was ended: give text, or a simpler pattern, glob or folder', {
      cause: error,
    })
  }
}

function searchAll(
  files: readonly string[],
  read: (file: string) => string | null,
  { text, pattern, context = 0, ignore_case: ignoreCase = false }: SearchInput,
): string {
  const fits = matcher(text, pattern, ignoreCase)
  const found: Match[] = []
  const linesOf = new Map<string, string[]>()
  const passedOver = { files: 0, lines: 0 }
  for (const file of files) {
    const lines = read(file)?.split('\n') ?? null
    if (lines === null) passedOver.files++
    const before = found.length
    for (const [index, line] of lines?.entries() ?? []) {
      if (pattern !== undefined && line.length > SEARCHED_CHARS_MAX) passedOver.lines++
      else if (fits(line)) found.push({ file, index })
    }
    if (lines !== null && found.length > before) linesOf.set(file, lines)
  }
  const not = passedOverWords(passedOver)
  if (found.length === 0)
    return [`no line fits, in ${count(files.length - passedOver.files, 'file')}`, ...not].join('\n')
  const shown = found.slice(0, SHOWN_MAX)
  const words = `${count(found.length, 'line')} in ${count(linesOf.size, 'file')}`
  const head = found.length > shown.length ? `${words}; the first ${shown.length}:` : `${words}:`
  return [head, ...shownLines(shown, linesOf, context), ...not].join('\n')
}

/** Whoever takes "no line fits" for the whole answer would be wrong. */
function passedOverWords({ files, lines }: { files: number; lines: number }): string[] {
  return [
    ...(files === 0 ? [] : [`(not searched: ${count(files, 'file')}, no text or too large to be read)`]),
    ...(lines === 0
      ? []
      : [`(not searched by the pattern: ${count(lines, 'line')} of over ${SEARCHED_CHARS_MAX} characters; give text)`]),
  ]
}

function matcher(
  text: string | undefined,
  pattern: string | undefined,
  ignoreCase: boolean,
): (line: string) => boolean {
  if ((text === undefined) === (pattern === undefined)) throw new Error('give either text or pattern')
  if (text !== undefined) {
    const sought = ignoreCase ? text.toLowerCase() : text
    return (line) => (ignoreCase ? line.toLowerCase() : line).includes(sought)
  }
  let expression: RegExp
  try {
    expression = new RegExp(pattern ?? '', ignoreCase ? 'iu' : 'u')
  } catch (error) {
    throw new Error(`the pattern is no regular expression: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
  return (line) => expression.test(line)
}

/** Each match with its surroundings; those that overlap are shown once. */
function shownLines(matches: readonly Match[], linesOf: ReadonlyMap<string, string[]>, context: number): string[] {
  const shown: string[] = []
  let last = { file: '', index: -1 }
  for (const { file, index } of matches) {
    const lines = linesOf.get(file) ?? []
    const from = Math.max(0, index - context, last.file === file ? last.index + 1 : 0)
    const to = Math.min(lines.length - 1, index + context)
    if (context > 0 && shown.length > 0 && (last.file !== file || from > last.index + 1)) shown.push('--')
    for (let at = from; at <= to; at++) {
      const line = (lines[at] ?? '').slice(0, LINE_CHARS_MAX).toWellFormed()
      shown.push(`${file}:${at + 1}${at === index ? ':' : '-'} ${line}`)
    }
    last = { file, index: Math.max(to, last.file === file ? last.index : -1) }
  }
  return shown
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
