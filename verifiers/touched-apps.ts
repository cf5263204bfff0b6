import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { isScript, TREE } from './report.ts'

/** Apps and widgets that a change may have touched, by their folders. */
export interface Touched {
  readonly apps: readonly string[]
  readonly widgets: readonly string[]
}

/** What lies further away is left to the health check. */
const APPS_MAX = 10
const FILES_MAX = 2000

/**
 * Those in whose folder something was changed, those that import something that was changed, and one app if the shell
 * was changed: its windows are a part of it.
 */
export function touchedApps(paths: readonly string[]): Touched {
  const touched = new Set(paths)
  const find = (place: string, entry: string): string[] => {
    const own = foldersIn(place).filter((name) => isFile(`${place}/${name}/${entry}`))
    const direct = own.filter((name) => paths.some((path) => path.startsWith(`${place}/${name}/`)))
    const through = own.filter((name) => !direct.includes(name) && imports(`${place}/${name}/${entry}`, touched))
    return [...direct, ...through].slice(0, APPS_MAX)
  }
  const apps = find('app/apps', 'app.tsx')
  const widgets = find('app/widgets', 'widget.tsx')
  if (apps.length > 0 || !paths.some((path) => path.startsWith('app/shell/'))) return { apps, widgets }
  return {
    apps: foldersIn('app/apps')
      .filter((name) => isFile(`app/apps/${name}/app.tsx`))
      .slice(0, 1),
    widgets,
  }
}

function foldersIn(place: string): string[] {
  if (statSync(join(TREE, place), { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(join(TREE, place)).sort()
}

function isFile(path: string): boolean {
  return statSync(join(TREE, path), { throwIfNoEntry: false })?.isFile() === true
}

/** Whether a module, or one that it imports from the tree, is among these. */
function imports(entry: string, sought: ReadonlySet<string>): boolean {
  const seen = new Set([entry])
  for (const path of seen) {
    if (sought.has(path)) return true
    if (seen.size > FILES_MAX || !isScript(path) || !isFile(path)) continue
    for (const one of importsOf(path)) seen.add(one)
  }
  return false
}

function importsOf(path: string): string[] {
  const { module, errors } = parseSync(path, readFileSync(join(TREE, path), 'utf8'))
  if (errors.length > 0) return []
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value ?? '')),
  ]
  return named.filter((name) => name.startsWith('.')).map((name) => normalize(join(dirname(path), name)))
}
