/** Some lines of a file, with numbers that are not part of it, and how many are left. */
export function partOf(file: string, text: string, from: number, count: number): string {
  const all = text.split('\n')
  if (from > all.length) return `${file} has ${all.length} lines`
  const part = all.slice(from - 1, from - 1 + count)
  const rest = all.length - (from - 1) - part.length
  return `${numbered(part, from)}${rest > 0 ? `\n(${rest} more lines, from line ${from + part.length})` : ''}`
}

export function numbered(lines: readonly string[], from: number): string {
  const width = String(from + lines.length - 1).length
  return lines.map((line, index) => `${String(from + index).padStart(width)}\t${line}`).join('\n')
}
