import type { BigIntStats } from 'node:fs'

/** What is known of a file from the last time its bytes were read. */
export interface HashMemory {
  /** Its hash, if it cannot have changed since. */
  recall(path: string, facts: BigIntStats): string | null
  keep(path: string, facts: BigIntStats, hash: string, readMs: number): void
}

/**
 * A file that changed this short before it was read may change again without a new time: clocks of file systems tick
 * slowly.
 */
const TICK_MS = 100

/**
 * No program can set the time of a file's last change of itself (`ctime`), short of the machine's clock, which is not
 * theirs in here.
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
