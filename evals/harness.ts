import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { createClient, type Client } from '@choiros/command-line/client.ts'
import { connect } from '@choiros/command-line/connection.ts'
import { startAll } from '../tests/support/front-door.ts'
import type { EvalTask } from './tasks.ts'
import { openWorld } from './world.ts'

export interface EvalResult {
  readonly task: EvalTask
  /** What was wrong, or null: it was done. */
  readonly problem: string | null
  readonly tookMs: number
  readonly tokens: number
  readonly micros: number
  readonly replies: readonly string[]
}

/**
 * One task on a computer of its own, through the whole product. The model is the one in the environment, if there is
 * one.
 */
export async function runTask(task: EvalTask, browser: Browser): Promise<EvalResult> {
  const home = mkdtempSync(join(tmpdir(), 'choir-eval-'))
  const running = await startAll(home)
  const connection = await connect(home)
  try {
    const client = createClient(connection, { user: null, computer: null, progress: () => {} })
    const { hash: before } = await client.run('tree', { at: null })
    const startMs = performance.now()
    const replies: string[] = []
    for (const prompt of task.prompts) replies.push(await ask(client, prompt))
    const tookMs = performance.now() - startMs
    const world = await openWorld(browser, client, before)
    const problem = await task
      .check(world)
      .catch((error: unknown) => `the check failed: ${error instanceof Error ? error.message : String(error)}`)
    await world.close()
    const { today } = await client.run('budget.get', {})
    return { task, problem, tookMs, tokens: today.tokens, micros: today.micros, replies }
  } finally {
    await connection.close()
    await running.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

const ENDED = new Set(['landed', 'answered', 'discarded', 'cancelled', 'reverted'])
const LOOK_EVERY_MS = 100
const TASK_MS_MAX = 15 * 60 * 1000

async function ask(client: Client, text: string): Promise<string> {
  const { run } = await client.run('prompt', { text, wishes: [] })
  const deadline = performance.now() + TASK_MS_MAX
  for (;;) {
    const now = await client.run('run.get', { run })
    if (ENDED.has(now.status) && (now.status !== 'landed' || now.landed === null || now.health !== null))
      return now.reply ?? now.reason ?? ''
    if (performance.now() > deadline) {
      await client.run('stop', { run })
      return 'stopped: it took too long'
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

export function summaryOf(results: readonly EvalResult[]): string {
  const done = results.filter(({ problem }) => problem === null).length
  const sum = (of: (result: EvalResult) => number) => results.reduce((total, result) => total + of(result), 0)
  const micros = sum(({ micros: cost }) => cost)
  const money = micros === 0 ? '' : `, ${(micros / 1e6).toFixed(2)} by your prices`
  return `${done} of ${results.length} done, ${(sum(({ tookMs }) => tookMs) / 1000).toFixed(1)} s, ${sum(({ tokens }) => tokens).toLocaleString('en')} tokens${money}`
}

export function lineOf({ task, problem, tookMs, tokens }: EvalResult): string {
  return `${problem === null ? 'done' : 'NOT '}  ${task.group.padEnd(9)}  ${task.name.padEnd(26)} ${(tookMs / 1000).toFixed(1).padStart(6)} s ${String(tokens).padStart(8)} tokens${problem === null ? '' : `  ${problem}`}`
}
