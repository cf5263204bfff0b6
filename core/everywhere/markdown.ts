/** A piece of a line. */
export type Span =
  | { readonly kind: 'text' | 'strong' | 'emphasis' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly address: string }

/** What agents say, in the few forms that models use; everything else stays as it was written. */
export type Block =
  | { readonly kind: 'paragraph' | 'heading' | 'quote'; readonly spans: readonly Span[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Span[])[] }
  | { readonly kind: 'code'; readonly text: string }

const FENCE = /^\s*(```|~~~)/
const HEADING = /^#{1,6}\s+(?=\S)(.*)$/s
const BULLET = /^\s*[-*+]\s+(.*)$/s
const NUMBER = /^\s*\d{1,3}[.)]\s+(.*)$/s
const QUOTE = /^\s*>\s?(.*)$/s
const ROW = /^\s*\|.*\|\s*$/

/** Never fails and leaves no word out: what is no Markdown is a paragraph. */
export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length;) {
    const [block, next] = blockAt(lines, at)
    if (block !== null) blocks.push(block)
    at = Math.max(next, at + 1)
  }
  return blocks
}

function blockAt(lines: readonly string[], at: number): [Block | null, number] {
  const line = lines[at] ?? ''
  if (line.trim() === '') return [null, at + 1]
  if (FENCE.test(line)) {
    let end = at + 1
    while (end < lines.length && !FENCE.test(lines[end] ?? '')) end++
    return [{ kind: 'code', text: lines.slice(at + 1, end).join('\n') }, end + 1]
  }
  const heading = HEADING.exec(line)
  if (heading !== null) return [{ kind: 'heading', spans: readSpans(headingWords(heading[1] ?? '')) }, at + 1]
  for (const [form, ordered] of [
    [BULLET, false],
    [NUMBER, true],
  ] as const) {
    const { found, next } = taken(lines, at, form)
    if (found.length > 0) return [{ kind: 'list', ordered, items: found.map(readSpans) }, next]
  }
  const quote = taken(lines, at, QUOTE)
  if (quote.found.length > 0) return [{ kind: 'quote', spans: readSpans(quote.found.join('\n')) }, quote.next]
  if (ROW.test(line)) {
    let end = at
    while (end < lines.length && ROW.test(lines[end] ?? '')) end++
    return [{ kind: 'code', text: lines.slice(at, end).join('\n') }, end]
  }
  let end = at + 1
  while (end < lines.length && isPlain(lines[end] ?? '')) end++
  return [{ kind: 'paragraph', spans: readSpans(lines.slice(at, end).join('\n')) }, end]
}

/** Without the signs that may close it. Cut from the end: an expression that looks for them may take hours (L11). */
function headingWords(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '#') end--
  return text.slice(0, end).trim()
}

function isPlain(line: string): boolean {
  return line.trim() !== '' && ![FENCE, HEADING, BULLET, NUMBER, QUOTE, ROW].some((form) => form.test(line))
}

/** Lines of one form from here on; a line that is set in goes with the one before it. */
function taken(lines: readonly string[], at: number, form: RegExp): { found: string[]; next: number } {
  const found: string[] = []
  let next = at
  for (; next < lines.length; next++) {
    const line = lines[next] ?? ''
    const fits = form.exec(line)
    if (fits !== null) found.push(fits[1] ?? '')
    else if (found.length > 0 && /^\s{2,}\S/.test(line)) found[found.length - 1] += `\n${line.trim()}`
    else break
  }
  return { found, next }
}

const SPAN =
  /`([^`\n]+)`|\*\*([^*\n](?:[^*\n]|\*(?!\*))*)\*\*|(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])|(?<!\w)_([^_\s][^_\n]*)_(?!\w)|\[([^[\]\n]+)\]\((https?:\/\/[^\s)]+)\)/g

function readSpans(text: string): Span[] {
  const spans: Span[] = []
  let from = 0
  for (const match of text.matchAll(SPAN)) {
    if (match.index > from) spans.push({ kind: 'text', text: text.slice(from, match.index) })
    const [whole, code, strong, star, underline, label, address] = match
    if (code !== undefined) spans.push({ kind: 'code', text: code })
    else if (strong !== undefined) spans.push({ kind: 'strong', text: strong })
    else if (label !== undefined && address !== undefined) spans.push({ kind: 'link', text: label, address })
    else spans.push({ kind: 'emphasis', text: star ?? underline ?? whole })
    from = match.index + whole.length
  }
  if (from < text.length) spans.push({ kind: 'text', text: text.slice(from) })
  return spans
}
