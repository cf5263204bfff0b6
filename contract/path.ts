import { z } from 'zod'
import { LIMITS } from './limits.ts'

const encoder = new TextEncoder()

/**
 * Whether a text takes more than so many bytes of UTF-8. A character takes three at most, so short texts, as nearly all
 * are, need not be encoded to know.
 */
function isLonger(text: string, bytesMax: number): boolean {
  return text.length * 3 > bytesMax && encoder.encode(text).length > bytesMax
}

/**
 * Names that no tree holds, at any depth: tools rebuild what is below them, and an undo that touched it would destroy
 * what it cannot bring back.
 */
export const IGNORED_NAMES: ReadonlySet<string> = new Set(['node_modules', '.git', '.vite', 'dist'])

/** Why a text is no path of a tree, or null if it is one. */
export function pathProblem(path: string): string | null {
  if (path === '') return 'is empty'
  if (isLonger(path, LIMITS.pathBytesMax)) return `is longer than ${LIMITS.pathBytesMax} bytes`
  if (!path.isWellFormed()) return 'is not valid UTF-8'
  if (path.includes('\0')) return 'contains a NUL'
  if (path.includes('\\')) return 'contains a backslash'
  if (path.startsWith('/')) return 'starts with "/"; paths are relative to the computer'
  for (const part of path.split('/')) {
    if (part === '') return 'has an empty part'
    if (part === '.' || part === '..') return `has a "${part}" part`
    if (isLonger(part, 255)) return 'has a part longer than 255 bytes, which no disk can hold'
  }
  return null
}

export function isIgnored(path: string): boolean {
  return path.split('/').some((part) => IGNORED_NAMES.has(part))
}

/** Shortened for messages: a 1 MiB name must not become a 1 MiB error. */
export function shownPath(path: string): string {
  const shown = path.length > 120 ? `${path.slice(0, 100)}… (${path.length} characters)` : path
  return JSON.stringify(shown.toWellFormed())
}

export const TreePath = z
  .string()
  .superRefine((path, context) => {
    const problem = pathProblem(path)
    if (problem !== null)
      context.addIssue({
        code: 'custom',
        params: { error: 'path.invalid' },
        message: `the path ${shownPath(path)} ${problem}`,
      })
  })
  .brand<'TreePath'>()
/** A path in a computer's tree: relative, `/` between parts, UTF-8, never through `..`. */
export type TreePath = z.infer<typeof TreePath>

/**
 * Why a symlink's target leaves the tree, or null if it stays inside. A `..` after a name is refused even where it
 * seems to stay inside: the name may be a symlink, and then `..` goes up from where that symlink points.
 */
export function linkProblem(linkPath: string, target: string): string | null {
  if (target === '') return 'is empty'
  if (isLonger(target, LIMITS.linkBytesMax)) return `is longer than ${LIMITS.linkBytesMax} bytes`
  if (!target.isWellFormed()) return 'is not valid UTF-8'
  if (target.includes('\0') || target.includes('\\')) return 'contains a NUL or a backslash'
  if (target.startsWith('/')) return 'is absolute'
  const depth = linkPath.split('/').length - 1
  const parts = target.split('/')
  const ups = parts.findIndex((part) => part !== '..')
  const leading = ups === -1 ? parts.length : ups
  if (leading > depth) return 'leaves the computer'
  if (parts.slice(leading).includes('..')) return 'has ".." after a name'
  return null
}

/** Every folder above a path, nearest last: `a/b/c` gives `a`, `a/b`. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    folders.push(path.slice(0, slash))
  return folders
}

/**
 * Order of UTF-8 bytes, which is SQLite's; JavaScript's own order differs beyond U+FFFF and would give another tree
 * hash.
 */
export function comparePaths(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    const xHigh = x >= 0xd800 && x <= 0xdfff
    const yHigh = y >= 0xd800 && y <= 0xdfff
    if (xHigh !== yHigh) return xHigh ? 1 : -1
    return x - y
  }
  return a.length - b.length
}
