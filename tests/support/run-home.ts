import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RunView } from '@choiros/contract/run-view.ts'
import type { Event } from '@choiros/contract/event.ts'
import { ComputerName } from '@choiros/contract/ids.ts'
import type { ModelProvider } from '@choiros/contract/models.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { openBubblewrap } from '@choiros/ports/sandbox/bubblewrap.ts'
import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import type { Machine } from '@choiros/supervisor/computer/machine.ts'
import { prepareToolchain, type Toolchain } from '@choiros/supervisor/desk/toolchain.ts'
import { readBase } from '@choiros/supervisor/computer/base.ts'
import type { BeforeLanding } from '@choiros/supervisor/runs/land.ts'
import { openModelConfig } from '@choiros/supervisor/models/config.ts'
import { createModelGateway, type ModelLimits } from '@choiros/supervisor/models/model-gateway.ts'
import { openAiSdkModels } from '@choiros/ports/models/ai-sdk.ts'
import type { RunClocks } from '@choiros/supervisor/runs/run.ts'
import type { Runs } from '@choiros/supervisor/runs/runs.ts'
import type { Equipment } from '@choiros/supervisor/session/session.ts'
import { lendToolchain } from './shared-toolchain.ts'
import { openTestHome, type TestHome } from './open-home.ts'

export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const ENDS = new Set(['landed', 'answered', 'discarded', 'cancelled', 'reverted'])

/**
 * A supervisor's inside with everything a run needs: real sandboxes, the real toolchain, real agents or planted ones.
 */
export interface RunHome extends TestHome {
  runsOf(computer: Computer): Promise<Runs>
  equipment(): Promise<Equipment>
  addComputer(name: string): Promise<Computer>
  /** Asks, and waits until the run has ended. */
  prompt(computer: Computer, text: string): Promise<RunView>
  ask(computer: Computer, text: string): Promise<RunView>
  ended(computer: Computer, run: RunView): Promise<RunView>
  read(computer: Computer, path: string): Promise<string>
  write(computer: Computer, path: string, text: string): Promise<void>
  events(computer: Computer): Promise<Event[]>
}

/** The key that the scripted model is given: tests search for it where no key may be. */
export const MODEL_KEY = 'sk-planted-4f1c2a9b77'

export interface RunHomeOptions {
  /** Where a scripted model listens. */
  readonly modelUrl?: string
  readonly modelProvider?: ModelProvider
  readonly modelLimits?: ModelLimits
  /** A folder whose toolchain is used: to make one takes seconds. */
  readonly toolchainOf?: string
  readonly machine?: Partial<Machine>
  readonly beforeLanding?: BeforeLanding
  /** How long a question waits. */
  readonly patienceMs?: number
  /** How long runs and the tools of their tasks may take. */
  readonly clocks?: Partial<RunClocks>
  readonly openHost?: (folder: string, toolchain: Toolchain) => SandboxHost
}

/** Gives a home the toolchain of another, with its planted agents if it has any. */
export function shareToolchain(home: string, from: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  if (!existsSync(join(home, 'toolchain'))) symlinkSync(join(from, 'toolchain'), join(home, 'toolchain'))
}

export function openRunHome(
  folder: string,
  {
    toolchainOf,
    machine: overrides = {},
    beforeLanding,
    patienceMs,
    clocks,
    openHost,
    modelUrl,
    modelProvider = 'openai-compatible',
    modelLimits = {},
  }: RunHomeOptions = {},
): RunHome {
  if (toolchainOf !== undefined) shareToolchain(folder, toolchainOf)
  let made: Promise<Equipment> | null = null
  const make = async () => {
    await lendToolchain(folder)
    const toolchain = await prepareToolchain(CHECKOUT, folder)
    const host =
      openHost?.(join(folder, 'sandboxes'), toolchain) ??
      openBubblewrap({ folder: join(folder, 'sandboxes'), toolchain: toolchain.folder })
    return { host, toolchain }
  }
  const equipment = () =>
    (made ??= make().catch((error: unknown) => {
      made = null
      throw error
    }))
  const test = openTestHome(folder, { base: () => readBase(join(CHECKOUT, 'desktop')), ...overrides }, (machine) => {
    const environment =
      modelUrl === undefined
        ? {}
        : {
            CHOIR_MODEL_PROVIDER: modelProvider,
            CHOIR_MODEL_URL: modelUrl,
            CHOIR_MODEL_NAME: 'scripted',
            CHOIR_MODEL_KEY: MODEL_KEY,
          }
    const config = openModelConfig(join(folder, 'models.json'), environment)
    const gateway = createModelGateway({ models: openAiSdkModels(), config, machine, ...modelLimits })
    return {
      services: {
        onDemand: false,
        links: null,
        models: { config, gateway },
        sandboxes: () => [],
        address: null,
        announced: () => {},
      },
      workplace: {
        models: gateway,
        equipment,
        ...(beforeLanding === undefined ? {} : { beforeLanding }),
        ...(patienceMs === undefined ? {} : { patienceMs }),
        ...(clocks === undefined ? {} : { clocks }),
      },
    }
  })

  const self: RunHome = {
    ...test,
    runsOf: async ({ id }) => (await test.session(undefined, id)).runs,
    equipment,
    async addComputer(name) {
      await test.run('computer.add', { name: ComputerName.parse(name) })
      return test.computer(undefined, name)
    },
    ask: (computer, text) => test.run('prompt', { text, wishes: [] }, { computer: computer.id }),
    async prompt(computer, text) {
      return self.ended(computer, await self.ask(computer, text))
    },
    async ended(computer, { run }) {
      for (;;) {
        const now = await test.run('run.get', { run }, { computer: computer.id })
        // The status is known before the health check and the reply; `idle` waits for those.
        if (ENDS.has(now.status)) await (await self.runsOf(computer)).idle()
        if (ENDS.has(now.status)) return test.run('run.get', { run }, { computer: computer.id })
        await delay(20)
      }
    },
    async read(computer, path) {
      const { entry } = await test.run('files.stat', { path: path as TreePath, at: null }, { computer: computer.id })
      if (entry === null || entry.object === null) throw new Error(`${path} is not there`)
      return (await computer.objects.get(entry.object)).toString('utf8')
    },
    async write(computer, path, text) {
      const { entry } = await test.run('files.stat', { path: path as TreePath, at: null }, { computer: computer.id })
      const operation = { op: 'write' as const, path: path as TreePath, content: { text }, from: entry?.object ?? null }
      await test.run('files.change', { operations: [operation] }, { computer: computer.id })
    },
    async events(computer) {
      const found: Event[] = []
      for (let after = 0; ;) {
        const page = await computer.log.read({ after, limit: 1000 })
        if (page.length === 0) return found
        for (const { bytes } of page) found.push(JSON.parse(bytes.toString('utf8')) as Event)
        after += page.length
      }
    },
    async close() {
      await test.close()
      await (await made?.catch(() => null))?.host.close()
    },
  }
  return self
}

/** The processes in a home's sandboxes: nobody else has its folders among their mounts. */
export function sandboxProcesses(home: string): string[] {
  const found: string[] = []
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(home))
        found.push(`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`)
    } catch {
      // It ended while we looked.
    }
  }
  return found
}
