import type { Change } from '@choiros/contract/change.ts'

/** The allowlist. */
export const VERIFIERS = ['transform', 'types', 'policy', 'render', 'test'] as const
export type VerifierName = (typeof VERIFIERS)[number]

/** These let the tree's code run: what they say is that code's own word, and their receipts say so. */
const SELF_REPORTED: readonly VerifierName[] = ['render', 'test']

export function isSelfReported(verifier: VerifierName): boolean {
  return SELF_REPORTED.includes(verifier)
}

/** The part of a tree that verifiers see whole; of the rest they see only what the run touched. */
export const VERIFIED_FOLDER = 'app'

/**
 * Without which of them nothing lands (L12). Code needs all that never execute it; documents and settings must only
 * keep the rules.
 */
export function requiredVerifiers(changes: readonly { readonly path: string }[]): readonly VerifierName[] {
  return hasCode(changes) ? VERIFIERS.filter((name) => !isSelfReported(name)) : ['policy']
}

/**
 * Which verifiers are asked about a run's changes. What a recipe adds was looked at before it was shipped, so only what
 * a model wrote is rendered; `tests` are those that stand beside the changes.
 */
export function plannedVerifiers(
  changes: readonly { readonly path: string }[],
  { render, tests }: { readonly render: boolean; readonly tests: readonly string[] },
): readonly VerifierName[] {
  return [
    ...requiredVerifiers(changes),
    ...(render && hasCode(changes) ? (['render'] as const) : []),
    ...(tests.length > 0 ? (['test'] as const) : []),
  ]
}

const TEST = /\.test\.tsx?$/
/** More than these are not run for one change (L11). */
const TESTS_MAX = 40

/** The tests in the folders in which something was changed, of those paths that stand in the tree. */
export function testsBeside(changes: readonly { readonly path: string }[], paths: Iterable<string>): string[] {
  const folders = new Set(
    changes.filter(({ path }) => path.startsWith(`${VERIFIED_FOLDER}/`)).map(({ path }) => folderOf(path)),
  )
  const tests = [...paths].filter((path) => TEST.test(path) && folders.has(folderOf(path)))
  return tests.sort().slice(0, TESTS_MAX)
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function hasCode(changes: readonly { readonly path: string }[]): boolean {
  return changes.some(({ path }) => path.startsWith(`${VERIFIED_FOLDER}/`))
}

/** Whether a task may write a path. A scope is a folder with a slash at its end, or one file. */
export function isInScope(scope: readonly string[], path: string): boolean {
  return scope.some((part) => (part.endsWith('/') ? path.startsWith(part) : path === part))
}

/** Whether two tasks could write the same file. */
export function scopesOverlap(one: readonly string[], other: readonly string[]): boolean {
  const within = (inner: string, outer: string) => inner === outer || (outer.endsWith('/') && inner.startsWith(outer))
  return one.some((a) => other.some((b) => within(a, b) || within(b, a)))
}

type Written = Pick<Change, 'path'> & Partial<Pick<Change, 'from' | 'to'>>

/** Paths that a task may not write. */
export function pathsOutside(scope: readonly string[], changes: readonly Written[]): string[] {
  return changes
    .filter((change) => !isInScope(scope, change.path) && !isEmptied(scope, change))
    .map(({ path }) => String(path))
}

/** A folder above what may be written is gone with its last file: to delete the only document is no trespass. */
function isEmptied(scope: readonly string[], { path, from, to }: Written): boolean {
  const isFolder = [from, to].every((entry) => entry === null || entry?.kind === 'folder')
  return isFolder && scope.some((part) => part.startsWith(`${path}/`))
}
