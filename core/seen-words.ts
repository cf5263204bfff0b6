import { LIMITS } from '@choiros/contract/limits.ts'
import type { Finding, Seen } from '@choiros/contract/look.ts'
import type { Picture } from '@choiros/contract/models.ts'

/** What the tool `see` does, as whoever makes a change and whoever judges it are told. */
export const SEE_DESCRIPTION = `Opens the desktop, with what was changed, in a real browser: one app in its window, or the desktop alone. Does the steps you name, one after the other, and stops at the first that cannot be done: click by the name that is read out (the whole name, or else the first that contains it; add role where several have it), type into what has the focus (click the field before), press a key ("Enter", "Escape", "ArrowDown", "F2", "a", "Ctrl+a", "Shift+Tab"), wait so many milliseconds, with for: only until something called so is there; at most ${LIMITS.lookStepsMax} steps, that wait ${LIMITS.lookWaitMsMax / 1000} s in all. Then tells what is wrong, what was clicked where that is not just what you named, what a screen reader would find, and shows a picture: with close: true of the app's window alone; width 390 is a phone. Nothing that is done there lasts, and there are no agents to ask.`

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
