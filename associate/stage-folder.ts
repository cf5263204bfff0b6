import {
  constants,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  rmdirSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { join } from 'node:path'
import { ChoirError } from '@choiros/contract/error.ts'
import { foldersAbove, IGNORED_NAMES, pathProblem, shownPath } from '@choiros/contract/path.ts'
import type { PartFile, RecipeFiles } from '@choiros/core/recipes/recipe.ts'

/**
 * The copy of the tree that a task works on, and the parts it may use. Paths are those of a tree; none leads out by a
 * symlink.
 */
export interface Stage extends RecipeFiles {
  size(path: string): number | null
  write(path: string, text: string): void
  /** Also removes the folders that this leaves empty. */
  remove(path: string): void
}

/** No recipe and no answer needs more files or longer ones. */
const FILES_MAX = 20_000
const READ_BYTES_MAX = 4 * 1024 * 1024

export function openStageFolder(folder: string, partsFolder: string): Stage {
  return {
    read: (path) => readText(folder, path),
    size: (path) => statInside(folder, path)?.size ?? null,
    list: (prefix) => listFiles(folder, prefix),
    part: (name) => readPart(partsFolder, name),
    write(path, text) {
      checkPath(path)
      for (const above of foldersAbove(path)) makeFolder(folder, above)
      const present = lstatOrNull(join(folder, path))
      if (present !== null && !present.isFile())
        throw new ChoirError('path.conflict', `${shownPath(path)} is not a file`)
      // A symlink that is followed would put the text where nobody looks for it.
      const file = openSync(
        join(folder, path),
        constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
        0o644,
      )
      try {
        writeFileSync(file, text)
      } finally {
        closeSync(file)
      }
    },
    remove(path) {
      if (statInside(folder, path) === null) return
      rmSync(join(folder, path))
      for (const above of foldersAbove(path).toReversed()) {
        if (!above.includes('/') || readdirSync(join(folder, above)).length > 0) return
        rmdirSync(join(folder, above))
      }
    },
  }
}

function checkPath(path: string): void {
  const problem = pathProblem(path)
  if (problem !== null) throw new ChoirError('path.invalid', `the path ${shownPath(path)} ${problem}`)
}

function makeFolder(folder: string, path: string): void {
  const present = lstatOrNull(join(folder, path))
  if (present === null) mkdirSync(join(folder, path))
  else if (!present.isDirectory()) throw new ChoirError('path.conflict', `${shownPath(path)} is not a folder`)
}

/** What is at a path that is reached through real folders only; null if nothing is there, or only by a symlink. */
function statInside(folder: string, path: string): Stats | null {
  checkPath(path)
  for (const above of foldersAbove(path)) if (lstatOrNull(join(folder, above))?.isDirectory() !== true) return null
  const found = lstatOrNull(join(folder, path))
  return found?.isFile() === true ? found : null
}

function lstatOrNull(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}

function readText(folder: string, path: string): string | null {
  const found = statInside(folder, path)
  return found === null || found.size > READ_BYTES_MAX ? null : readFileSync(join(folder, path), 'utf8')
}

function listFiles(folder: string, prefix: string): string[] {
  const start = prefix.replace(/\/+$/, '')
  const found: string[] = []
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined && found.length < FILES_MAX; path = waiting.pop()) {
    if (
      path !== '' &&
      (pathProblem(path) !== null ||
        foldersAbove(path).some((above) => lstatOrNull(join(folder, above))?.isDirectory() !== true))
    )
      continue
    if (lstatOrNull(join(folder, path))?.isDirectory() !== true) continue
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      if (IGNORED_NAMES.has(entry.name)) continue
      const inner = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory()) waiting.push(inner)
      else if (entry.isFile()) found.push(inner)
    }
  }
  return found.sort()
}

function readPart(partsFolder: string, name: string): PartFile[] {
  return listFiles(partsFolder, name).flatMap((path) => {
    const text = readText(partsFolder, path)
    return text === null ? [] : [{ path: path.slice(name.length + 1), text }]
  })
}
