import type { LocalCommand, Usage } from './command.ts'
import { COMMAND_GROUPS } from './commands.ts'

const SAYS_AT = 40
const LINE_MAX = 112

export const help: LocalCommand = async ({ stdout }) => {
  stdout.write(helpText())
}

/** Also shown for a command line that names no command, which is a mistake. */
export function helpText(): string {
  const groups = COMMAND_GROUPS.map((group) =>
    Object.entries(group).flatMap(([name, { usage }]) => usage.map((one) => usageText(name, one))),
  )
  return [
    'choir: your computer from the command line',
    '',
    ...groups.flatMap((lines) => [...lines, '']),
    'Everywhere: --computer NAME for another computer than your first, --home DIR, --user ID, --json for machines.',
    'Works whether ChoirOS is running or not. Exit code 0 means that it was done.',
    '',
  ].join('\n')
}

function usageText(name: string, { form, says }: Usage): string {
  const head = `  choir ${name}${form === '' ? '' : ` ${form}`}`
  const heads = wrap(head, LINE_MAX, ' '.repeat(SAYS_AT / 2))
  const lines = wrap(says, LINE_MAX - SAYS_AT, '')
  const last = heads.at(-1) ?? ''
  // An explanation that does not fit beside its form begins on the line below.
  const beside = last.length < SAYS_AT ? lines.shift() : undefined
  return [
    ...heads.slice(0, -1),
    beside === undefined ? last : `${last.padEnd(SAYS_AT)}${beside}`,
    ...lines.map((line) => `${' '.repeat(SAYS_AT)}${line}`),
  ].join('\n')
}

function wrap(text: string, width: number, indent: string): string[] {
  const lines: string[] = []
  let line = ''
  // A part in brackets is not broken over two lines.
  for (const word of text.match(/ *\[[^\]]*\]|^ *\S+|\S+/g)?.map((part, index) => (index === 0 ? part : part.trim())) ??
    []) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = `${indent}${word}`
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
