import { rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where a computer keeps what, in its own folder. The log and the objects are the truth; all else can be made again.
 */
export const PLACES = {
  log: 'log.sqlite',
  objects: 'objects',
  state: 'state.sqlite',
  snapshots: 'snapshots',
  tree: 'tree',
  staging: 'staging',
  treeCursor: 'tree.json',
  git: 'git',
  head: 'head.json',
  erased: 'erased-until',
  healthy: 'healthy',
  drafts: 'drafts',
} as const

/** Beside the log: what runs need only while they work. */
export const WORK_PLACES = { trees: 'trees', sockets: 'sockets' } as const

export function clearWorkPlaces(computerFolder: string): void {
  for (const place of Object.values(WORK_PLACES)) rmSync(join(computerFolder, place), { recursive: true, force: true })
}
