import type { Change, LiveEvent } from './contract.ts'

/**
 * The changes of files that an event carries. If there are very many they are kept in an object, and the event does not
 * show them.
 */
export function changesOf({ data }: LiveEvent): readonly Change[] {
  return 'changes' in data ? data.changes : []
}

/**
 * The document that somebody typed in, or null: making, deleting or moving something, and writing by the command line,
 * are deeds of their own.
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
