import { ChoirError } from '@choiros/contract/error.ts'
import { GLOBAL, OPTIONS, take, type OptionName } from './arguments.ts'
import type { Entry, LocalCommand } from './command.ts'
import { COMMAND_LINE } from './commands.ts'

/** What may follow an option, if a shell can complete it. */
const VALUES: Readonly<Partial<Record<OptionName, 'file' | 'folder' | readonly string[]>>> = {
  home: 'folder',
  into: 'folder',
  check: 'file',
  provider: ['anthropic', 'bedrock', 'openai-compatible'],
}

const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish }

export const completion: LocalCommand = async ({ positionals, stdout }) => {
  const [shell = ''] = take(positionals, ['bash, zsh or fish'])
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (script === undefined) throw new ChoirError('request.invalid', '"choir completion" takes bash, zsh or fish')
  stdout.write(script())
}

const optionsOf = ({ options }: Pick<Entry, 'options'>): OptionName[] => [
  ...options,
  ...(Object.keys(GLOBAL) as OptionName[]),
]
const takesValue = (option: OptionName) => OPTIONS[option].type === 'string'
const names = Object.keys(COMMAND_LINE)
/** If there are several forms, the first says what the command is for. */
const says = ({ usage }: Entry): string => usage[0]?.says ?? ''

function bash(): string {
  const cases = Object.entries(COMMAND_LINE).map(([name, entry]) => {
    const words = optionsOf(entry).map((option) => `--${option}`)
    return `    ${name}) words='${[...(entry.actions ?? []), ...words].join(' ')}'; files=${entry.takesFiles === true ? 1 : ''} ;;`
  })
  const values = Object.entries(VALUES).map(([option, value]) => {
    const reply = value === 'folder' ? '-d' : value === 'file' ? '-f' : `-W '${value.join(' ')}'`
    return `    --${option}) COMPREPLY=($(compgen ${reply} -- "$word")); return ;;`
  })
  const valued = (Object.keys(OPTIONS) as OptionName[]).filter(takesValue).map((option) => `--${option}`)
  return `# Put this into your ~/.bashrc:  source <(choir completion bash)
_choir() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= words= files= index
  COMPREPLY=()
  case $before in
${values.join('\n')}
    ${valued.join('|')}) return ;;
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    case \${COMP_WORDS[index]} in
      ${valued.join('|')}) ((index++)) ;;
      -*) ;;
      *) command=\${COMP_WORDS[index]}; break ;;
    esac
  done
  case $command in
    '') words='${names.join(' ')} ${optionsOf({ options: [] })
      .map((option) => `--${option}`)
      .join(' ')}' ;;
${cases.join('\n')}
  esac
  if [[ -n $files && $word != -* ]]; then COMPREPLY=($(compgen -f -- "$word")); return; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o filenames -F _choir choir
`
}

function zsh(): string {
  const option = (name: OptionName) => {
    const value = VALUES[name]
    const after = !takesValue(name)
      ? ''
      : value === undefined
        ? `:${name}: `
        : typeof value === 'string'
          ? `:${name}:_files${value === 'folder' ? ' -/' : ''}`
          : `:${name}:(${value.join(' ')})`
    return `'--${name}${takesValue(name) ? '=' : ''}${after}'`
  }
  const cases = Object.entries(COMMAND_LINE).map(([name, entry]) => {
    const words =
      entry.actions === undefined
        ? entry.takesFiles === true
          ? ` '*:file:_files'`
          : ''
        : ` '2:action:(${entry.actions.join(' ')})'`
    return `    ${name}) _arguments ${optionsOf(entry).map(option).join(' ')}${words} ;;`
  })
  return `#compdef choir
# Put this into a folder of your $fpath as _choir, or into your ~/.zshrc:  source <(choir completion zsh)
_choir() {
  local -a commands
  commands=(
${Object.entries(COMMAND_LINE)
  .map(([name, entry]) => `    '${name}:${quoted(says(entry)).replaceAll(':', '\\:')}'`)
  .join('\n')}
  )
  if ((CURRENT == 2)); then _describe command commands; return; fi
  case $words[2] in
${cases.join('\n')}
  esac
}
compdef _choir choir
`
}

function fish(): string {
  const option = (name: OptionName, condition: string) => {
    const value = VALUES[name]
    const rest = !takesValue(name)
      ? ''
      : typeof value === 'object'
        ? ` -x -a '${value.join(' ')}'`
        : value === undefined
          ? ' -x'
          : ' -r'
    return `complete -c choir${condition} -l ${name}${rest}`
  }
  const lines = Object.entries(COMMAND_LINE).flatMap(([name, entry]) => {
    const condition = ` -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c choir -n __fish_use_subcommand -a ${name} -d '${quoted(says(entry))}'`,
      ...(entry.actions === undefined ? [] : [`complete -c choir${condition} -a '${entry.actions.join(' ')}'`]),
      ...(entry.takesFiles === true ? [`complete -c choir${condition} -F`] : []),
      ...entry.options.map((name_) => option(name_, condition)),
    ]
  })
  return [
    '# Put this into ~/.config/fish/completions/choir.fish',
    'complete -c choir -f',
    ...(Object.keys(GLOBAL) as OptionName[]).map((name) => option(name, '')),
    ...lines,
    '',
  ].join('\n')
}

function quoted(text: string): string {
  return text.replaceAll("'", '’')
}
