import type { ComputerView } from '@choiros/contract/commands/computers.ts'
import type { ChangeView, UndoPlan } from '@choiros/contract/undo-view.ts'

const VERBS = { create: '+', change: '~', delete: '-', move: '→' } as const
const SHOWN_MAX = 40
const LINE_END = /\r?\n/

export function changesText(changes: readonly ChangeView[]): string {
  const lines = changes
    .slice(0, SHOWN_MAX)
    .map(
      ({ path, does, movedFrom, merged }) =>
        `  ${VERBS[does]} ${printable(movedFrom === null ? path : `${movedFrom} → ${path}`)}${merged ? '   (later changes kept)' : ''}`,
    )
  if (changes.length > SHOWN_MAX) lines.push(`  … and ${changes.length - SHOWN_MAX} more`)
  return lines.length === 0 ? '  no file changes' : lines.join('\n')
}

/** What cannot come back because its bytes are gone. */
export function erasedText(erased: readonly string[]): string {
  const files = erased.length === 1 ? 'one file' : `${erased.length} files`
  return `${files} cannot come back as before: ${erased.length === 1 ? 'that version was' : 'those versions were'} removed for good. What is there now stays.`
}

export function planText({ target, changes, conflicts, erased }: UndoPlan, verb: string): string {
  const lines = [`would ${verb} event ${target.seq}: ${inOneLine(target.title)}`, changesText(changes)]
  if (erased.length > 0) lines.push(`  ${erasedText(erased)}`)
  if (conflicts.length > 0) {
    lines.push(
      'it cannot be done without losing later work:',
      ...conflicts.map(({ path, why }) => `  ! ${printable(path)}: ${why}`),
    )
  }
  return lines.join('\n')
}

export function computerText({ name, state, head, problem }: ComputerView): string {
  const detail = problem ?? (head === null ? state : `${head.seq} ${head.seq === 1 ? 'event' : 'events'}`)
  return `${name}\t${detail}`
}

/**
 * Names come from anywhere; a control character in one must not drive the reader's terminal, nor an invisible one hide
 * what is there.
 */
export function printable(text: string): string {
  return text.replaceAll(/(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

/** A text of several lines, with its line ends kept. */
export function inLines(text: string, indent = ''): string {
  return text
    .split(LINE_END)
    .map((line) => `${indent}${printable(line)}`)
    .join('\n')
}

/** For lists, where each thing has one line. */
export function inOneLine(text: string): string {
  return text.split(LINE_END).map(printable).join(' ')
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KiB', 'MiB', 'GiB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(1)} ${units[unit]}`
}
