import type { Step } from './undo-harness.ts'

/**
 * For tests: histories in which no operation touches what another one did, so that running all events but k shows how
 * "everything but event k" looks. A file is known by its number, not by its path: an edit finds its file under whatever
 * name it has by then.
 */
export type Deed =
  | {
      readonly do: 'line'
      readonly file: number
      readonly line: number
      readonly how: 'replace' | 'delete' | 'insert' | 'grow'
      readonly mark: string
    }
  | { readonly do: 'key'; readonly file: number; readonly key: string; readonly value: string | null }
  | { readonly do: 'rename'; readonly file: number; readonly to: string }
  | { readonly do: 'delete'; readonly file: number }
  | { readonly do: 'exec'; readonly file: number }
  | { readonly do: 'bytes'; readonly file: number; readonly mark: string }
  | { readonly do: 'create'; readonly path: string }
  | { readonly do: 'folder'; readonly path: string }
  | { readonly do: 'link'; readonly path: string; readonly target: string }

const TEXTS = 4
const JSONS = 2
const BINARIES = 2
const LINES = 24
const FILES = TEXTS + JSONS + BINARIES

interface OracleFile {
  path: string
  lines: string[]
  members: Map<string, string>
  bytes: string
  exec: boolean
  gone: boolean
}

function contentOf(file: OracleFile): string {
  if (file.bytes !== '') return file.bytes
  if (file.members.size === 0) return file.lines.join('')
  return `${JSON.stringify(Object.fromEntries(file.members), null, 2)}\n`
}

/** Runs deeds: the steps that each one makes with the files as they are by then. */
export function createOracle() {
  const files = Array.from({ length: FILES }, (_, index) => newFile(index))
  const write = (file: OracleFile): Step => ({ write: file.path, content: contentOf(file), exec: file.exec })
  return {
    /** Every folder has a file that nobody touches: folders that become empty are tested elsewhere. */
    start: (): Step[] => [
      ...files.map(write),
      ...['one', 'two', 'three'].map((folder) => ({ write: `${folder}/stays`, content: folder })),
    ],
    steps(deed: Deed): Step[] {
      if (deed.do === 'create') return [{ write: deed.path, content: `${deed.path}\n` }]
      if (deed.do === 'folder') return [{ folder: deed.path }]
      if (deed.do === 'link') return [{ link: deed.path, target: deed.target }]
      const file = files[deed.file] as OracleFile
      if (file.gone) return []
      if (deed.do === 'delete') {
        file.gone = true
        return [{ remove: file.path }]
      }
      if (deed.do === 'rename') {
        const move = file.path
        file.path = deed.to
        return [{ move, to: deed.to }]
      }
      edit(file, deed)
      return [write(file)]
    },
  }
}

function kindOf(file: number): 'text' | 'json' | 'bin' {
  if (file < TEXTS) return 'text'
  return file < TEXTS + JSONS ? 'json' : 'bin'
}

function newFile(index: number): OracleFile {
  const kind = kindOf(index)
  return {
    path: `one/${kind}-${index}.${kind}`,
    lines: Array.from({ length: LINES }, (_, line) => `<${line}> of ${index}\n`),
    members: new Map(
      kind === 'json' ? Array.from({ length: 8 }, (_, key) => [`key-${key}`, `of ${index}`] as const) : [],
    ),
    bytes: kind === 'bin' ? `\0${index}` : '',
    exec: false,
    gone: false,
  }
}

function edit(file: OracleFile, deed: Extract<Deed, { do: 'line' | 'key' | 'exec' | 'bytes' }>): void {
  if (deed.do === 'exec') file.exec = !file.exec
  else if (deed.do === 'bytes') file.bytes = `\0${deed.mark}`
  else if (deed.do === 'key') {
    if (deed.value === null) file.members.delete(deed.key)
    else file.members.set(deed.key, deed.value)
  } else {
    const at = file.lines.findIndex((line) => line.startsWith(`<${deed.line}>`))
    const old = file.lines[at] as string
    const [changed, added] = [`<${deed.line}> by ${deed.mark}\n`, `added by ${deed.mark}\n`]
    const now = { replace: [changed], delete: [], insert: [old, added], grow: [changed, added, `more ${added}`] }[
      deed.how
    ]
    file.lines.splice(at, 1, ...now)
  }
}

/** Reads numbers as choices, so that the generator of the numbers can repeat and shrink a history. */
export function chooser(numbers: readonly number[]): (count: number) => number {
  let next = 0
  return (count) => (numbers[next++ % numbers.length] ?? 0) % count
}

/** Events of one to three deeds each, none of which touches what another one did. */
export function planHistory(choose: (count: number) => number, events: number): Deed[][] {
  const used = new Set<string>()
  const history: Deed[][] = []
  for (let event = 0; event < events; event++) {
    const deeds: Deed[] = []
    for (let count = 1 + choose(3); count > 0; count--) {
      const deed = planDeed(choose, `${event}-${count}`)
      const isOnDeleted = 'file' in deed && used.has(`delete ${deed.file}`)
      if (isOnDeleted || used.has(claimOf(deed))) continue
      used.add(claimOf(deed))
      deeds.push(deed)
    }
    if (deeds.length > 0) history.push(deeds)
  }
  return history
}

/** What no other deed may touch. Lines with odd numbers are two apart: the even lines between them never change. */
function claimOf(deed: Deed): string {
  if (deed.do === 'line') return `line ${deed.file} ${deed.line}`
  if (deed.do === 'key') return `key ${deed.file} ${deed.key}`
  if (deed.do === 'create' || deed.do === 'folder' || deed.do === 'link') return `path ${deed.path}`
  return `${deed.do} ${deed.file}`
}

function planDeed(choose: (count: number) => number, mark: string): Deed {
  const how = (['replace', 'delete', 'insert', 'grow'] as const)[choose(4)] as 'replace'
  const folder = ['one', 'two', 'three'][choose(3)] as string
  const kind = choose(20)
  if (kind < 8) return { do: 'line', file: choose(TEXTS), line: 1 + 2 * choose(LINES / 2), how, mark }
  if (kind < 12) {
    const key = choose(3) === 0 ? `added-${mark}` : `key-${1 + choose(7)}`
    return {
      do: 'key',
      file: TEXTS + choose(JSONS),
      key,
      value: key.startsWith('key') && choose(3) === 0 ? null : `by ${mark}`,
    }
  }
  if (kind < 14) return planRename(choose(FILES), `${folder}/renamed-${mark}`)
  if (kind === 14) return { do: 'delete', file: choose(FILES) }
  if (kind === 15) return { do: 'exec', file: choose(FILES) }
  if (kind === 16) return { do: 'bytes', file: TEXTS + JSONS + choose(BINARIES), mark }
  if (kind === 17) return { do: 'create', path: `new/deep/${folder}/created-${mark}` }
  return kind === 18
    ? { do: 'folder', path: `new/${folder}/folder-${mark}` }
    : { do: 'link', path: `two/link-${mark}`, target: '../one/stays' }
}

/** The ending stays: it decides how a file is merged. */
function planRename(file: number, to: string): Deed {
  return { do: 'rename', file, to: `${to}.${kindOf(file)}` }
}
