import type { Change, LiveEvent } from './contract.ts'

/** What an event says of files; of those that change very many it is kept apart, and nobody hears it from the event. */
export function changesOf({ data }: LiveEvent): readonly Change[] {
  return 'changes' in data ? data.changes : []
}

/**
 * The document that somebody typed in, or null: what makes, deletes or moves something, and what the command line
 * writes, is a deed of its own.
 */
export function typedIn(
  { type, via }: { readonly type: string; readonly via: string },
  changes: readonly Change[],
): string | null {
  const [only] = changes
  if (type !== 'file.change' || via !== 'desktop' || changes.length !== 1 || only === undefined) return null
  const { path, from, to, movedFrom } = only
  return from?.kind === 'file' && to?.kind === 'file' && from.mode === to.mode && movedFrom === null ? path : null
}
