import { join } from 'node:path'
import type { ComputerId, Seq } from '@choiros/contract/ids.ts'
import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { Computer, Machine } from '../computer/computer.ts'
import type { Desks } from '../desk/desks.ts'
import type { Toolchain } from '../desk/toolchain.ts'
import type { ModelGateway } from '../models/model-gateway.ts'
import { serveFallback } from './fallback.ts'
import { standsBad } from './health.ts'
import type { BeforeLanding } from './land.ts'
import { createRuns, type Runs } from './runs.ts'
import { openTrees, type Trees } from './trees.ts'
import { WORK_PLACES } from './workshop.ts'

/** Sandboxes and what goes into them. Made when first needed: a command that looks at a file must not wait for a toolchain. */
export interface Equipment {
  readonly host: SandboxHost
  readonly toolchain: Toolchain
  readonly desks: Desks
}

/** The runs of every open computer, and which of them are in safe mode. */
export interface RunService {
  of(computer: Computer): Runs
  /** `healthy`: the landing that is shown, or would be; null: the release's own desktop. */
  safeMode(computer: Computer): { on: boolean; healthy: Seq | null }
  setSafeMode(computer: Computer, on: boolean): Promise<void>
  /** Before the desk is looked at: what was not to be shown before a restart is not to be shown after it. */
  prepareDesk(computer: Computer): Promise<void>
  close(): Promise<void>
}

export interface RunServiceOptions {
  readonly machine: Machine
  readonly models: ModelGateway
  readonly equipment: () => Promise<Equipment>
  readonly beforeLanding?: BeforeLanding
  readonly patienceMs?: number
}

interface Known {
  readonly computer: Computer
  readonly runs: Runs
  readonly healthyTrees: () => Trees
  isSafe: boolean
  /** What safe mode shows: a healthy landing, or the release's own desktop. */
  shown: Seq | null
  /** One switch after the other: two at once would show what neither meant. */
  switching: Promise<void>
  prepared: Promise<void> | null
}

export function createRunService({
  machine,
  models,
  equipment,
  beforeLanding = async (landing) => landing,
  patienceMs,
}: RunServiceOptions): RunService {
  const known = new Map<ComputerId, Known>()

  const make = (computer: Computer): Known => {
    let trees: Trees | null = null
    let healthy: Trees | null = null
    const made: Known = {
      computer,
      isSafe: false,
      shown: null,
      switching: Promise.resolve(),
      prepared: null,
      healthyTrees: () => (healthy ??= openTrees(join(computer.folder, 'healthy'), computer.objects.get)),
      runs: createRuns({
        computer,
        machine,
        models,
        beforeLanding,
        ...(patienceMs === undefined ? {} : { patienceMs }),
        isSafe: () => made.isSafe,
        workshop: async () => {
          const { host, toolchain } = await equipment()
          return { host, toolchain, trees: (trees ??= openTrees(join(computer.folder, WORK_PLACES.trees), computer.objects.get)) }
        },
        async enterSafeMode(why) {
          machine.warn(`${computer.name} is in safe mode: ${why}`)
          await setSafeMode(made, true)
        },
      }),
    }
    known.set(computer.id, made)
    return made
  }

  const get = (computer: Computer): Known => {
    const found = known.get(computer.id)
    if (found?.computer === computer) return found
    // Its tables were made again: what was under way belongs to the computer that was closed.
    if (found !== undefined) void found.runs.close().catch((error: unknown) => machine.warn('runs did not end well', error))
    return make(computer)
  }

  const setSafeMode = (of: Known, on: boolean): Promise<void> => {
    of.prepared ??= Promise.resolve() // Whoever chose it has the last word.
    const change = of.switching.then(async () => {
      const { desks } = await equipment()
      of.isSafe = on
      if (!on) return desks.serve(of.computer, null)
      of.shown = await serveFallback({ computer: of.computer, machine, desks, trees: of.healthyTrees() })
    })
    of.switching = change.catch(() => {})
    return change
  }

  return {
    of: (computer) => get(computer).runs,
    safeMode(computer) {
      const of = known.get(computer.id)
      return of?.isSafe === true ? { on: true, healthy: of.shown } : { on: false, healthy: computer.state.queries.healthyLandings(1)[0] ?? null }
    },
    setSafeMode: (computer, on) => setSafeMode(get(computer), on),
    prepareDesk(computer) {
      const of = get(computer)
      of.prepared ??= (standsBad(computer) ? setSafeMode(of, true) : Promise.resolve()).catch((error: unknown) => {
        of.prepared = null
        throw error
      })
      return of.prepared
    },
    async close() {
      await Promise.all([...known.values()].map(({ runs }) => runs.close()))
    },
  }
}
