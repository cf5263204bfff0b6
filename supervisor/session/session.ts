import type { Duplex } from 'node:stream'
import { join } from 'node:path'
import { ChoirError } from '@choiros/contract/error.ts'
import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { Computer } from '../computer/computer.ts'
import type { ComputerIdentity, Machine } from '../computer/machine.ts'
import { openComputer, type OpenOptions } from '../computer/open-computer.ts'
import { WORK_PLACES } from '../computer/places.ts'
import { createDesk, type Desk } from '../desk/desk.ts'
import { createSafeMode, type SafeMode } from '../desk/safe-mode.ts'
import type { Toolchain } from '../desk/toolchain.ts'
import type { ModelGateway } from '../models/model-gateway.ts'
import { endOpenWork } from '../after-crash/end-open.ts'
import type { BeforeLanding } from '../runs/land.ts'
import type { RunClocks } from '../runs/run.ts'
import { createRuns, type Runs } from '../runs/runs.ts'
import { openTrees, type Trees } from '../tree/trees.ts'
import { createLastOnly, type LastOnly } from './last-only.ts'
import { createLogLines, type LogLines } from './log-lines.ts'
import { createRates, type Rates } from './rates.ts'
import { createTurns, type Turns } from './turns.ts'
import { createUploads, type Uploads } from './uploads.ts'

/** One open computer and everything that lives with it in this process, from `openSession` to `close`. */
export interface ComputerSession {
  readonly identity: ComputerIdentity
  readonly computer: Computer
  /** Its log, shared by all who read it. */
  readonly lines: LogLines
  /** Throws `sandbox.unavailable` where there is nothing to run anything in. */
  readonly runs: Runs
  readonly safeMode: SafeMode
  readonly onlyHere: OnlyHere
  /** A connection to the desk's Vite; the first starts it. */
  dialDesk(): Promise<Duplex>
  /** Ends everything that lives with the computer, also where some of it does not end well. */
  close(): Promise<void>
}

/**
 * What is in no log and in no file. A second process that served the same computer would have to be told of it, or ask
 * here. The same goes for what `runs` holds of a run at work (its open question, what its person adds, what its model
 * is saying) and for what `safeMode` shows.
 */
interface OnlyHere {
  /** How much each caller has left to spend. */
  readonly rates: Rates
  /** Bytes that came and that no event names yet. */
  readonly uploads: Uploads
  /** Whose turn it is to read the log. */
  readonly readers: Turns
  /** Windows that are still being moved. */
  readonly moving: LastOnly
}

/** Sandboxes and what goes into them. */
export interface Equipment {
  readonly host: SandboxHost
  readonly toolchain: Toolchain
}

/** What all sessions of a process share. */
export interface SessionParts {
  readonly machine: Machine
  /** Null where nothing can be run. */
  readonly workplace: Workplace | null
}

export interface Workplace {
  readonly models: ModelGateway
  /** Made when first needed: a command that looks at a file must not wait for a toolchain. */
  readonly equipment: () => Promise<Equipment>
  readonly beforeLanding?: BeforeLanding
  readonly patienceMs?: number
  readonly clocks?: Partial<RunClocks>
}

/** The place where a window is dropped is kept, not every pixel on the way. */
const MOVING_MS = 250

export async function openSession(
  folder: string,
  identity: ComputerIdentity,
  { machine, workplace }: SessionParts,
  options: OpenOptions = {},
): Promise<ComputerSession> {
  const computer = await openComputer(folder, identity, machine, {
    ...options,
    finish: (opened) => endOpenWork(opened, machine.warn),
  })
  const lines = createLogLines(computer.log)
  let runs: Runs | null = null
  let desk: Promise<Desk> | null = null
  let isClosing = false

  const work = (): Workplace => {
    if (workplace === null) throw new ChoirError('sandbox.unavailable', 'there is nothing here to run anything in')
    if (isClosing) throw new ChoirError('supervisor.stopping', 'the computer is closing; try again when it is back')
    return workplace
  }
  const openDesk = async (): Promise<Desk> => {
    const { host, toolchain } = await work().equipment()
    const { id, name } = identity
    return createDesk({
      host,
      toolchain,
      computer: { id, name, folder, idle: () => computer.shown() },
      warn: machine.warn,
    })
  }
  const deskOf = (): Promise<Desk> => {
    desk ??= openDesk().catch((error: unknown) => {
      desk = null
      throw error
    })
    return desk
  }
  const safeMode = createSafeMode({ computer, machine, desk: deskOf })

  const makeRuns = (): Runs => {
    const { models, equipment, beforeLanding = async (landing) => landing, patienceMs, clocks } = work()
    let trees: Trees | null = null
    return createRuns({
      computer,
      machine,
      models,
      beforeLanding,
      ...(patienceMs === undefined ? {} : { patienceMs }),
      ...(clocks === undefined ? {} : { clocks }),
      isSafe: safeMode.isOn,
      workshop: async () => {
        const { host, toolchain } = await equipment()
        return { host, toolchain, trees: (trees ??= openTrees(join(folder, WORK_PLACES.trees), computer.objects.get)) }
      },
      async enterSafeMode(why) {
        machine.warn(`${identity.name} is in safe mode: ${why}`)
        await safeMode.set(true)
      },
    })
  }
  const end = async (what: string, ending: Promise<unknown> | undefined): Promise<void> => {
    await ending?.catch((error: unknown) => machine.warn(`${what} of ${identity.name} did not end well`, error))
  }

  return {
    identity,
    computer,
    lines,
    get runs() {
      return (runs ??= makeRuns())
    },
    safeMode,
    onlyHere: {
      rates: createRates(machine.now),
      uploads: createUploads(),
      readers: createTurns(),
      moving: createLastOnly(MOVING_MS),
    },
    async dialDesk() {
      await safeMode.prepare()
      return (await deskOf()).dial()
    },
    async close() {
      isClosing = true // Before anything is waited for: from here on nothing new begins.
      await end('the runs', runs?.close())
      await end(
        'the desk',
        desk?.then((own) => own.close()),
      )
      lines.close()
      await computer.close()
    },
  }
}
