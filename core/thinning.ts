import type { Hash } from '@choiros/contract/ids.ts'

/** Earlier versions of files: each was there from event `seq` until event `until`. */
export type PastPage = readonly {
  readonly path: string
  readonly seq: number
  readonly until: number
  readonly object: Hash | null
  readonly size: number
}[]

export interface ThinRules {
  /** Versions that ended with a later event stay. */
  readonly until: number
  /** Versions that were there right after one of these events stay. */
  readonly points: readonly number[]
  /** Whether something else than an old version holds it. */
  isHeld(object: Hash): boolean
  readonly max: number
}

export interface Thinnable {
  readonly objects: readonly Hash[]
  readonly files: number
  readonly bytes: number
  /** There are more than may be removed at once. */
  readonly more: boolean
}

/**
 * The objects that may go: those that no version which stays needs. A version that stays keeps its bytes for every
 * other version with the same bytes.
 */
export function findThinnable(pages: readonly PastPage[], { until, points, isHeld, max }: ThinRules): Thinnable {
  const sorted = [...points].sort((a, b) => a - b)
  const needed = new Set<Hash>()
  const old = new Map<Hash, { readonly size: number; readonly paths: Set<string> }>()
  for (const page of pages) {
    for (const { path, seq, until: ended, object, size } of page) {
      if (object === null || size === 0 || needed.has(object)) continue
      if (ended > until || hasPointIn(sorted, seq, ended)) {
        needed.add(object)
        old.delete(object)
        continue
      }
      const known = old.get(object)
      if (known === undefined) old.set(object, { size, paths: new Set([path]) })
      else known.paths.add(path)
    }
  }
  const objects: Hash[] = []
  const paths = new Set<string>()
  let bytes = 0
  let more = false
  for (const [object, version] of old) {
    if (isHeld(object)) continue
    if (objects.length === max) {
      more = true
      break
    }
    objects.push(object)
    bytes += version.size
    for (const path of version.paths) paths.add(path)
  }
  return { objects, files: paths.size, bytes, more }
}

/** Whether one of the sorted points is at or after `from` and before `to`. */
function hasPointIn(sorted: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return (sorted[low] ?? to) < to
}
