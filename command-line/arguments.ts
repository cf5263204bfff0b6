import { parseArgs, type ParseArgsConfig } from 'node:util'
import { ChoirError } from '@choiros/contract/error.ts'

/** Options of every command. */
export const GLOBAL = {
  home: { type: 'string' },
  json: { type: 'boolean', default: false },
  computer: { type: 'string' },
  user: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies ParseArgsConfig['options']

export const OPTIONS = {
  ...GLOBAL,
  'port': { type: 'string' },
  'at': { type: 'string' },
  'to': { type: 'string' },
  'into': { type: 'string' },
  'run': { type: 'string' },
  'event': { type: 'string' },
  'after': { type: 'string' },
  'from': { type: 'string' },
  'name': { type: 'string' },
  'symlink': { type: 'string' },
  'reason': { type: 'string' },
  'diff': { type: 'string' },
  'continue': { type: 'string' },
  'drop': { type: 'string' },
  'pictures': { type: 'string' },
  'check': { type: 'string' },
  'follow': { type: 'boolean', short: 'f', default: false },
  'preview': { type: 'boolean', default: false },
  'exec': { type: 'boolean' },
  'rescue': { type: 'boolean', default: false },
  'list': { type: 'boolean', default: false },
  'provider': { type: 'string' },
  'url': { type: 'string' },
  'model': { type: 'string' },
  'fast': { type: 'string' },
  'key': { type: 'string' },
  'prices': { type: 'string' },
  'sees': { type: 'boolean' },
  'day': { type: 'string' },
  'total': { type: 'string' },
  'money': { type: 'string' },
  'older-than': { type: 'string' },
  'wait': { type: 'boolean', short: 'w', default: false },
  'all': { type: 'boolean', default: false },
  'yes': { type: 'boolean', short: 'y', default: false },
} as const satisfies ParseArgsConfig['options']

export type OptionName = keyof typeof OPTIONS
export type Values = ReturnType<typeof parseAll>['values']

function parseAll(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, allowNegative: true, strict: true })
}

export interface Arguments {
  readonly values: Values
  readonly positionals: readonly string[]
}

export function parseArguments(args: readonly string[]): Arguments {
  try {
    return parseAll(args)
  } catch (cause) {
    throw new ChoirError(
      'request.invalid',
      `${(cause as Error).message.split(/\.( |\n|$)/)[0] ?? 'the arguments make no sense'}. "choir help" shows what there is.`,
      { cause },
    )
  }
}

/** Options a command does not know are refused, not ignored: `undo --preveiw` must not undo. */
export function checkOptions(values: Values, known: readonly OptionName[], command: string): void {
  const allowed = new Set<string>([...Object.keys(GLOBAL), ...known])
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== false && !allowed.has(name)) {
      throw new ChoirError('request.invalid', `"${command}" has no option --${name}. "choir help" shows what there is.`)
    }
  }
}

export function take(positionals: readonly string[], names: readonly string[], optional = 0): string[] {
  const needed = names.length - optional
  if (positionals.length < needed)
    throw new ChoirError('request.invalid', `${names[positionals.length] ?? 'an argument'} is missing`)
  if (positionals.length > names.length)
    throw new ChoirError('request.invalid', `${JSON.stringify(positionals[names.length])} is one argument too many`)
  return [...positionals]
}
