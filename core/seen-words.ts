import type { Finding, Seen } from '@choiros/contract/look.ts'
import type { Picture } from '@choiros/contract/models.ts'

/** What was seen in a browser, as a model is told it. */
export function seenWords({ findings, outline, console: lines, notes, stopped }: Seen): string {
  return [
    ...(notes.length === 0 ? [] : [`Mind:\n${notes.map((note) => `- ${note}`).join('\n')}`]),
    ...(stopped === null ? [] : [`Stopped at ${stopped}`]),
    findings.length === 0 ? 'No errors.' : `Wrong:\n${findings.map(findingWords).join('\n')}`,
    ...(lines.length === 0 ? [] : [`Console:\n${lines.map((line) => `  ${line}`).join('\n')}`]),
    `What is there:\n${outline}`,
  ].join('\n')
}

export function picturesOf({ picture }: Seen): Picture[] {
  return picture === null ? [] : [{ type: 'image/jpeg', base64: picture.base64 }]
}

function findingWords({ message, places }: Finding): string {
  const stack = places.map(({ path, line, name }) => `\n    at ${path}:${line}${name === '' ? '' : ` (${name})`}`)
  return `- ${message}${stack.join('')}`
}
