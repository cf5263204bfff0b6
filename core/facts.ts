import { z } from 'zod'
import { Manifest, sameEntry, type Change, type Entry } from '@choiros/contract/change.ts'
import { canonicalBytes } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Event } from '@choiros/contract/event.ts'
import { ATTACHED, carriesChanges } from '@choiros/contract/catalog.ts'
import { Erase } from '@choiros/contract/events/files.ts'
import { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { isIgnored, linkProblem } from '@choiros/contract/path.ts'
import { placeProblem, type TreeReader } from './tree.ts'

/**
 * How a list of changes is stored: in the event, or in an object of its own where the event would grow past its limit.
 */
export interface PackedChanges {
  readonly changes: readonly Change[]
  readonly manifest: Buffer | null
}

const INLINE_BYTES_MAX = LIMITS.eventBytesMax / 2

export function packChanges(changes: readonly Change[]): PackedChanges {
  if (changes.length > LIMITS.changesMax) {
    throw new ChoirError(
      'quota.exceeded',
      `one change can touch at most ${LIMITS.changesMax} files, and this one touches ${changes.length}. Split it into smaller ones.`,
    )
  }
  if (changes.length <= LIMITS.inlineChangesMax) {
    const roughBytes = changes.reduce((sum, change) => sum + 2 * change.path.length + 400, 0)
    if (roughBytes <= INLINE_BYTES_MAX || canonicalBytes(changes).length <= INLINE_BYTES_MAX)
      return { changes, manifest: null }
  }
  return { changes: [], manifest: canonicalBytes(changes) }
}

/** The same for what an erase names. */
export function packErased(erased: readonly Hash[]): {
  readonly objects: readonly Hash[]
  readonly list: Buffer | null
} {
  return erased.length <= LIMITS.erasedInlineMax
    ? { objects: erased, list: null }
    : { objects: [], list: canonicalBytes(erased) }
}

const ErasedList = z.array(Hash).max(LIMITS.erasedAtOnceMax)

export function parseErased(bytes: Uint8Array): Hash[] {
  return ErasedList.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
}

/** The objects an event erases, or the hash of the object that names them. */
export function erasedIn(event: Event): { erased: readonly Hash[] } | { list: Hash } {
  if (event.type !== Erase.type) return { erased: [] }
  const { objects, list } = event.data as { objects?: unknown; list?: unknown }
  if (typeof list === 'string') return { list: list as Hash }
  return { erased: Array.isArray(objects) ? (objects as Hash[]) : [] }
}

/** The changes an event carries in itself, or the hash of the object that holds them. */
export function changesIn(event: Event): { changes: readonly Change[] } | { manifest: Hash } {
  if (!carriesChanges(event.type)) return { changes: [] }
  const { manifest, changes } = event.data as { manifest?: unknown; changes?: unknown }
  if (typeof manifest === 'string') return { manifest: manifest as Hash }
  return { changes: Array.isArray(changes) ? (changes as Change[]) : [] }
}

export function parseManifest(bytes: Uint8Array): Change[] {
  return Manifest.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
}

/** Every object that is needed to understand or show an event. What it replaced was named by an earlier event. */
export function objectsOf(event: Event, changes: readonly Change[]): Hash[] {
  const objects: Hash[] = []
  for (const key of ['manifest', ...ATTACHED] as const) {
    const value = event.data[key]
    if (typeof value === 'string' && Hash.safeParse(value).success) objects.push(value as Hash)
  }
  for (const { to } of changes) if (to !== null && to.object !== null) objects.push(to.object)
  return objects
}

/**
 * Why changes from a foreign or damaged log do not fit on this tree, or null. Our own decisions never fail this;
 * without it an import could put files where no file may be.
 */
export function changesProblem(
  tree: TreeReader,
  changes: readonly Change[],
  linkTarget: (entry: Entry) => string | null,
): string | null {
  const seen = new Set<string>()
  for (const { path, from, to } of changes) {
    if (seen.has(path)) return `${path} is changed twice at once`
    seen.add(path)
    if (isIgnored(path)) return `${path} lies in an ignored folder`
    if (!sameEntry(tree.entry(path), from)) return `${path} does not start from what is there`
    if (to?.kind !== 'symlink') continue
    const target = linkTarget(to)
    const problem = target === null ? null : linkProblem(path, target)
    if (problem !== null) return `the target of the symlink ${path} ${problem}`
  }
  return null
}

/**
 * Why the changes lead to an invalid tree, or null. Asked after they were applied, because only then are all of them in
 * place.
 */
export function placesProblem(tree: TreeReader, changes: readonly Change[]): string | null {
  for (const { path, to } of changes) {
    const problem = to === null ? null : placeProblem(tree, path, to)
    if (problem !== null) return problem
  }
  return null
}
