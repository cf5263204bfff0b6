import type { Entry } from '@choiros/contract/change.ts'
import type { Hash, Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { TreeMap } from '@choiros/core/tree.ts'
import { VERIFIED_FOLDER } from '@choiros/core/verifier-plan.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import type { Desk } from './desk.ts'
import type { Trees } from '../tree/trees.ts'

export interface FallbackOptions {
  readonly computer: Computer
  readonly machine: Machine
  readonly desk: Desk
  readonly trees: Trees
}

/**
 * How many different desktops are tried before the release's own, and how many landings are looked through for them.
 */
const TRIED_MAX = 3
const LANDINGS_MAX = 100

/**
 * Serves what safe mode shows: the newest healthy desktop on which a fresh desk starts now, or else the release's own,
 * which always starts. That a page found a landing healthy is not enough: an open page outlives code that broke under
 * it, and another release starts other desks. Answers with the landing; null for the release's own.
 */
export async function serveFallback({ computer, machine, desk, trees }: FallbackOptions): Promise<Seq | null> {
  const { queries } = computer
  const tried = new Set<Hash>()
  for (const landing of queries.healthyLandings(LANDINGS_MAX)) {
    const made = await trees.materialise(desktopOf(queries.entriesAt(landing))).catch((error: unknown) => {
      machine.warn(`what ${computer.name} was after event ${landing} cannot be put together any more`, error)
      return null
    })
    if (made === null || tried.has(made.hash)) continue
    if (await desk.tryServe(made.folder)) return landing
    machine.warn(`no desktop of ${computer.name} comes up as it was after event ${landing}; an older one is tried`)
    if (tried.add(made.hash).size >= TRIED_MAX) break
  }
  const { changes, objects } = machine.base()
  const base = new Map(changes.flatMap(({ path, to }) => (to === null ? [] : [[path, to] as const])))
  const { folder } = await trees.materialise(base, new Map(objects.map((object) => [object.hash, object])))
  await desk.serve(folder)
  return null
}

/** The part of a tree that a desk shows. A change of documents makes no different desktop. */
function desktopOf(tree: TreeMap): TreeMap {
  return new Map<TreePath, Entry>([...tree].filter(([path]) => path.startsWith(`${VERIFIED_FOLDER}/`)))
}
