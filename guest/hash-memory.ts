import type { BigIntStats } from 'node:fs'

/** What is known of a file from the last time its bytes were read. */
export interface HashMemory {
  /** Its hash, if it cannot have changed since. */
  recall(path: string, facts: BigIntStats): string | null
  keep(path: string, facts: BigIntStats, hash: string, readMs: number): void
}

/**
 * A file that changed this short before it was read may change again without getting a new time: the clocks of file
 * systems tick slowly.
 */
const TICK_MS = 100

/**
 * Relies on `ctime`, the time of a file's last change: no program can set it except by setting the machine's clock,
 * which programs in here cannot.
 */
export function createHashMemory(): HashMemory {
  const known = new Map<string, { readonly facts: string; readonly hash: string }>()
  return {
    recall(path, facts) {
      const found = known.get(path)
      return found !== undefined && found.facts === textOf(facts) ? found.hash : null
    },
    keep(path, facts, hash, readMs) {
      if (readMs - Number(facts.ctimeMs) < TICK_MS) known.delete(path)
      else known.set(path, { facts: textOf(facts), hash })
    },
  }
}

function textOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
}
