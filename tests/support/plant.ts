import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { lendToolchain } from './shared-toolchain.ts'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Gives a home agents that do what a test says, through the real sandboxes and the real socket: the product's own would
 * never write such things.
 */
export async function plantAgents(home: string): Promise<void> {
  await lendToolchain(home, 'planted', plantInto)
}

async function plantInto(toolchain: string): Promise<void> {
  for (const agent of ['director', 'associate']) {
    const bundle = await rolldown({
      input: join(CHECKOUT, 'tests/support/planted', `${agent}.ts`),
      platform: 'node',
      logLevel: 'silent',
    })
    await bundle.write({ file: join(toolchain, 'agents', `${agent}.mjs`), format: 'esm' })
    await bundle.close()
  }
}

/** One file that looks for secrets from inside, for sandboxes without agents of ours. */
export async function bundleSearch(): Promise<string> {
  const bundle = await rolldown({
    input: join(CHECKOUT, 'tests/support/planted/search-main.ts'),
    platform: 'node',
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return output[0].code
}

/** The sentence that makes the planted agents do it. */
export function plant(what: {
  writes?: readonly { path: string; text: string }[]
  removes?: readonly string[]
  shell?: string
  waitMs?: number
  scope?: readonly string[]
  budgetS?: number
  /** Disguised secrets, looked for by both agents from inside; what they found is the reply. */
  search?: readonly string[]
  leak?: string
  /** What the planted agents try whatever they may; what they were told is the reply. */
  tries?: readonly object[]
  tasks?: number
  asks?: number
  thinks?: number
  widens?: readonly string[]
  restMs?: number
  smuggles?: object
}): string {
  return `plant ${JSON.stringify(what)}`
}
