import type { Entry } from '@choiros/sdk/contract.ts'

export interface Item {
  readonly name: string
  readonly path: string
  readonly kind: Entry['kind']
  readonly size: number
  /** For a folder: how many items are directly in it. */
  readonly inside: number
}

const TEXT = new Set(
  'md txt text markdown csv tsv json jsonl yaml yml toml ini xml svg html htm css js mjs cjs jsx ts mts tsx sh py rb go rs c h cpp java sql log'.split(
    ' ',
  ),
)

/**
 * The items directly in a folder; the folder of every file counts, with or without an entry of its own. Folders first,
 * then by name.
 */
export function listFolder(files: ReadonlyMap<string, Entry>, folder: string): Item[] {
  const prefix = folder === '' ? '' : `${folder}/`
  const items = new Map<string, Item>()
  const seen = new Set<string>()
  for (const [path, { kind, size }] of files) {
    if (!path.startsWith(prefix) || path === folder) continue
    const [name, child] = path.slice(prefix.length).split('/', 2) as [string, string | undefined]
    if (child === undefined && kind !== 'folder') items.set(name, { name, path, kind, size, inside: 0 })
    else {
      const own = `${prefix}${name}`
      const isNew = child !== undefined && !seen.has(`${own}/${child}`)
      if (isNew) seen.add(`${own}/${child}`)
      items.set(name, {
        name,
        path: own,
        kind: 'folder',
        size: 0,
        inside: (items.get(name)?.inside ?? 0) + (isNew ? 1 : 0),
      })
    }
  }
  return [...items.values()].sort(
    (a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, undefined, { numeric: true }),
  )
}

function rank({ kind }: Item): number {
  return kind === 'folder' ? 0 : 1
}

export function folderExists(files: ReadonlyMap<string, Entry>, folder: string): boolean {
  return (
    folder === '' ||
    folder === 'artifacts' ||
    files.get(folder)?.kind === 'folder' ||
    [...files.keys()].some((path) => path.startsWith(`${folder}/`))
  )
}

/** `name.ending`, or if that is taken `name 2.ending`, … */
export function freeName(taken: ReadonlySet<string>, name: string): string {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${stem} ${number}${ending}`
  return free
}

export function isText({ name, kind }: Item): boolean {
  const dot = name.lastIndexOf('.')
  return kind === 'file' && (dot <= 0 || TEXT.has(name.slice(dot + 1).toLowerCase()))
}

export function sizeText({ kind, size, inside }: Item): string {
  if (kind === 'folder') return inside === 0 ? 'empty' : `${inside} ${inside === 1 ? 'item' : 'items'}`
  if (size < 1000) return `${size} B`
  const units = ['KB', 'MB', 'GB']
  let value = size / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

export function nameProblem(name: string): string | null {
  if (name === '' || name === '.' || name === '..') return 'A name needs at least one letter.'
  if (/[/\\\0]/.test(name)) return 'A name cannot contain “/” or “\\”.'
  if (new TextEncoder().encode(name).length > 255) return 'That name is too long.'
  return null
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
