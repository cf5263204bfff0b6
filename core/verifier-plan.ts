import type { Change } from '@choiros/contract/change.ts'

/** The allowlist. All but `render` never execute the tree's code; what that one says is the code's own word. */
export const VERIFIERS = ['transform', 'types', 'policy', 'render'] as const
export type VerifierName = (typeof VERIFIERS)[number]

/** The part of a tree that verifiers see whole; of the rest they see only what the run touched. */
export const VERIFIED_FOLDER = 'app'

/** Which verifiers a run's changes need. Code needs all of them; documents and settings must only keep the rules. */
export function plannedVerifiers(changes: readonly { readonly path: string }[]): readonly VerifierName[] {
  return changes.some(({ path }) => path.startsWith(`${VERIFIED_FOLDER}/`)) ? VERIFIERS : ['policy']
}

/** Whether a task may write a path. A scope is a folder with a slash at its end, or one file. */
export function isInScope(scope: readonly string[], path: string): boolean {
  return scope.some((part) => (part.endsWith('/') ? path.startsWith(part) : path === part))
}

/** Paths that a task may not write. */
export function pathsOutside(scope: readonly string[], changes: readonly Pick<Change, 'path'>[]): string[] {
  return changes.map(({ path }) => String(path)).filter((path) => !isInScope(scope, path))
}
