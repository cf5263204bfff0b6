/** One path of a change, as the log tells it. */
export interface ChangedPath {
  readonly path: string
  readonly from: unknown
  readonly to: unknown
  readonly movedFrom?: string | null
}

/** What was done to files, as a person would say it: a rename is one thing, and not a file deleted and another one made. */
export function changeWords(changes: readonly ChangedPath[]): string {
  // A folder that stays behind empty, and the old name of what moved, are no deeds of their own.
  const old = new Set(changes.map(({ movedFrom }) => movedFrom ?? ''))
  const isFolder = (side: unknown) => (side as { kind?: string } | null)?.kind === 'folder'
  const moved = changes.filter(({ path, to }) => !(to === null && old.has(path)))
  const files = moved.filter(({ from, to }) => !isFolder(to ?? from))
  const told = files.length > 0 ? files : moved
  const [first] = told
  if (first === undefined) return 'Changed nothing'
  if (told.length === 1) return deed(first)
  const verbs = new Set(told.map(verbOf))
  return `${verbs.size === 1 ? verbOf(first) : 'Changed'} ${told.length} files${placeOf(told)}`
}

function deed(change: ChangedPath): string {
  const name = nameOf(change.path)
  const from = change.movedFrom ?? null
  if (from === null || change.to === null) return `${verbOf(change)} ${name}`
  if (folderOf(from) === folderOf(change.path)) return `Renamed ${nameOf(from)} to ${name}`
  return `Moved ${nameOf(from)} to ${change.path}`
}

function verbOf({ from, to, movedFrom = null }: ChangedPath): string {
  if (to === null) return 'Deleted'
  return movedFrom !== null ? 'Moved' : from === null ? 'Made' : 'Changed'
}

function placeOf(changes: readonly ChangedPath[]): string {
  const folders = new Set(changes.map(({ path }) => folderOf(path)))
  const [only = ''] = folders
  return folders.size === 1 && only !== '' ? ` in ${only}` : ''
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
