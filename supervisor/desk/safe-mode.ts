import { join } from 'node:path'
import type { Seq } from '@choiros/contract/ids.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import { PLACES } from '../computer/places.ts'
import { openTrees, type Trees } from '../tree/trees.ts'
import type { Desk } from './desk.ts'
import { serveFallback } from './fallback.ts'

/** The desk shows a desktop that is known to start instead of the present one, until the person says otherwise (L8). */
export interface SafeMode {
  isOn(): boolean
  /** `healthy`: the landing that is shown, or would be; null: the release's own desktop. */
  view(): { on: boolean; healthy: Seq | null }
  set(on: boolean): Promise<void>
  /** Called before the desk is shown: a bad landing that was hidden before a restart must stay hidden after it. */
  prepare(): Promise<void>
}

export interface SafeModeOptions {
  readonly computer: Computer
  readonly machine: Machine
  readonly desk: () => Promise<Desk>
}

export function createSafeMode({ computer, machine, desk }: SafeModeOptions): SafeMode {
  let isOn = false
  let shown: Seq | null = null
  let trees: Trees | null = null
  /** One switch after the other: two at once would show what neither asked for. */
  let switching: Promise<void> = Promise.resolve()
  let prepared: Promise<void> | null = null

  const change = async (on: boolean): Promise<void> => {
    const own = await desk()
    isOn = on
    if (!on) return own.serve(null)
    trees ??= openTrees(join(computer.folder, PLACES.healthy), computer.objects.get)
    shown = await serveFallback({ computer, machine, desk: own, trees })
  }
  const set = (on: boolean): Promise<void> => {
    prepared ??= Promise.resolve() // The person's choice counts from now on: nothing is left to prepare.
    const changed = switching.then(() => change(on))
    switching = changed.catch(() => {})
    return changed
  }

  return {
    isOn: () => isOn,
    view: () =>
      isOn ? { on: true, healthy: shown } : { on: false, healthy: computer.queries.healthyLandings(1)[0] ?? null },
    set,
    prepare() {
      prepared ??= (standsBad(computer) ? set(true) : Promise.resolve()).catch((error: unknown) => {
        prepared = null
        throw error
      })
      return prepared
    },
  }
}

/** Whether the newest landing was found bad and still stands, because it could not be taken back. */
function standsBad({ queries }: Computer): boolean {
  const newest = queries.newestLanded()
  const run = newest?.health === 'bad' ? queries.run(newest.run) : null
  return run?.status === 'landed' && !run.undone
}
