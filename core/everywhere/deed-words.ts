import type { Change } from './contract.ts'

const TITLE_CHARS_MAX = 200
/** Settings are files; a person knows them by what they set. */
const SETTINGS: Readonly<Record<string, string>> = {
  'theme': 'the theme',
  'accent': 'the accent colour',
  'wallpaper': 'the wallpaper',
  'font-size': 'the text size',
  'taskbar': 'the taskbar',
}

/**
 * What a change of files was, as a person would say it: “Deleted “list.txt””, “Renamed “a” to “b””. A rename is one
 * deed although it is two changes.
 */
export function deedWords(changes: readonly Change[]): string {
  const left = new Set(changes.flatMap(({ movedFrom, to }) => (to === null ? [] : (movedFrom ?? []))))
  const deeds = changes.filter(({ path, to }) => to !== null || !left.has(path))
  const whole = topmost(withoutTraces(deeds, changes))
  const [first] = whole
  if (first === undefined) return 'Changed nothing'
  if (whole.length === 1) return cut(oneDeed(first))
  const verbs = new Set(whole.map(verbOf))
  const verb = verbs.size === 1 ? [...verbs][0]! : 'Changed'
  return cut(`${verb} ${whole.length} files: ${nameOf(first.path)} and others`)
}

/** A text is typed in; data that an app keeps is changed. */
export function editWords(path: string): string {
  return cut(isText(path) ? `Typing in ${nameOf(path)}` : `Changed ${nameOf(path)}`)
}

/** Texts are typed letter by letter, with rests to think; data is changed step by step. */
export function isText(path: string): boolean {
  return !/\.(json|jsonl|csv|svg)$/i.test(path)
}

/**
 * In quotes and without the folder: documents are known by their names. The desktop's own code is known by its path.
 */
function nameOf(path: string): string {
  return settingOf(path) ?? `“${path.startsWith('artifacts/') ? path.slice(path.lastIndexOf('/') + 1) : path}”`
}

/**
 * The tree has an entry for a folder that became empty, and drops it when something is in the folder again: that is
 * nobody's deed.
 */
function withoutTraces(deeds: readonly Change[], changes: readonly Change[]): Change[] {
  const filled = new Map<string, Set<boolean>>()
  for (const { path, to } of changes) {
    const above = folderOf(path)
    if (above !== '') filled.set(above, (filled.get(above) ?? new Set()).add(to !== null))
  }
  const isTrace = ({ path, from, to }: Change) =>
    (to ?? from)?.kind === 'folder' && filled.get(path)?.has(to === null) === true
  return deeds.filter((one) => !isTrace(one))
}

function settingOf(path: string): string | null {
  const setting = /^artifacts\/system\/([^/]+)\.json$/.exec(path)?.[1]
  return setting !== undefined && Object.hasOwn(SETTINGS, setting) ? SETTINGS[setting]! : null
}

/** A folder that is deleted or moved takes its content along: that is one deed, not forty. */
function topmost(deeds: readonly Change[]): Change[] {
  const folders = new Map<string, string>(
    deeds.filter(({ from, to }) => (to ?? from)?.kind === 'folder').map((one) => [one.path, verbOf(one)]),
  )
  if (folders.size === 0) return [...deeds]
  return deeds.filter((one) => {
    for (let above = folderOf(one.path); above !== ''; above = folderOf(above))
      if (folders.get(above) === verbOf(one)) return false
    return true
  })
}

function oneDeed(change: Change): string {
  const { path, movedFrom } = change
  // Setting a colour for the first time is not adding one.
  if (settingOf(path) !== null) return `Changed ${nameOf(path)}`
  if (movedFrom === null || change.to === null) return `${verbOf(change)} ${nameOf(path)}`
  const [from, to] = [folderOf(movedFrom), folderOf(path)]
  if (from === to) return `Renamed ${nameOf(movedFrom)} to ${nameOf(path)}`
  return `Moved ${nameOf(movedFrom)} to ${to === '' ? 'the top' : nameOf(to)}`
}

function verbOf({ from, to, movedFrom }: Change): string {
  if (to === null) return 'Deleted'
  return movedFrom !== null ? 'Moved' : from === null ? 'Added' : 'Changed'
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function cut(text: string): string {
  return text.length > TITLE_CHARS_MAX ? `${text.slice(0, TITLE_CHARS_MAX - 1).toWellFormed()}…` : text
}
