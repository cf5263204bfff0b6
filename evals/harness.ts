import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { createClient, type Client } from '@choiros/command-line/client.ts'
import { connect } from '@choiros/command-line/connection.ts'
import { startAll } from '../tests/support/front-door.ts'
import { NARROW, WIDE } from './page.ts'
import type { Check, EvalTask } from './task.ts'
import { openWorld, type World } from './world.ts'

/** 0: wrong or broken; 1: partly; 2: right; 3: right and well (no error, axe finds nothing serious, fits a phone). */
type Grade = 0 | 1 | 2 | 3

export interface EvalResult {
  readonly task: EvalTask
  readonly grade: Grade
  /** What was wrong, or what keeps it from being well; null: nothing. */
  readonly problem: string | null
  readonly tookMs: number
  /** Answers of the model. */
  readonly calls: number
  /** Tools that were used. */
  readonly steps: number
  readonly tokens: number
  readonly micros: number
  readonly replies: readonly string[]
}

export interface EvalOptions {
  /** Where the picture of each task goes. */
  readonly pictures?: string | undefined
}

/**
 * One task on a computer of its own, through the whole product. The model is the one in the environment, if there is
 * one.
 */
export async function runTask(task: EvalTask, browser: Browser, { pictures }: EvalOptions = {}): Promise<EvalResult> {
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
    const world = await openWorld(browser, client, before, replies)
    try {
      const graded = await gradeOf(task, world)
      if (pictures !== undefined) await takePictures(task, world, pictures)
      const { today } = await client.run('budget.get', {})
      return { task, ...graded, tookMs, ...(await countsOf(client)), ...today, replies }
    } finally {
      await world.close()
    }
  } finally {
    await connection.close()
    await running.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Without the heart of what was asked for, or with harm done, it is 0, however much of the rest is there. */
async function gradeOf(task: EvalTask, world: World): Promise<Pick<EvalResult, 'grade' | 'problem'>> {
  const problemOf = async (check: Check): Promise<string | null> =>
    check(world).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
  for (const check of task.always ?? []) {
    const problem = await problemOf(check)
    if (problem !== null) return { grade: 0, problem }
  }
  const problems: (string | null)[] = []
  for (const check of task.wanted) problems.push(await problemOf(check))
  const [first = null] = problems
  if (first !== null) return { grade: 0, problem: first }
  const partly = problems.find((problem) => problem !== null)
  if (partly !== undefined && partly !== null) return { grade: 1, problem: partly }
  const unwell = await world
    .page()
    .then((page) => page.notWell())
    .catch((error: unknown) => `it could not be looked at: ${error instanceof Error ? error.message : String(error)}`)
  return unwell === null ? { grade: 3, problem: null } : { grade: 2, problem: unwell }
}

async function takePictures({ group, name }: EvalTask, world: World, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const page = await world.page()
  const file = (size: string) => join(folder, `${group} ${name} ${size}.png`.replaceAll(/[^a-z0-9.]+/gi, '-'))
  for (const [size, pixels] of Object.entries({ narrow: NARROW, wide: WIDE })) {
    await page.size(pixels)
    await new Promise((resolve) => setTimeout(resolve, PICTURE_MS))
    await page.picture(file(size))
  }
}

/** A page that was made wider or narrower finds its places. */
const PICTURE_MS = 500

/** By the log: each answer of a model is paid for, each use of a tool is told. */
async function countsOf(client: Client): Promise<{ calls: number; steps: number }> {
  let calls = 0
  let steps = 0
  for await (const { type } of client.events({ after: 0, follow: false })) {
    if (type === 'budget.settle') calls++
    if (type === 'tool.call') steps++
  }
  return { calls, steps }
}

const ENDED = new Set(['landed', 'answered', 'discarded', 'cancelled', 'reverted'])
const LOOK_EVERY_MS = 100
const LAST_WORD_MS = 2000
const TASK_MS_MAX = 35 * 60 * 1000

async function ask(client: Client, text: string): Promise<string> {
  const { run } = await client.run('prompt', { text, wishes: [] })
  const deadline = performance.now() + TASK_MS_MAX
  let endedMs: number | null = null
  for (;;) {
    const now = await client.run('run.get', { run })
    const isJudged = now.status !== 'landed' || now.landed === null || now.health !== null
    endedMs ??= ENDED.has(now.status) && isJudged ? performance.now() : null
    // The last word may be told a moment after the end.
    if (endedMs !== null && (now.reply !== null || performance.now() > endedMs + LAST_WORD_MS))
      return now.reply ?? now.reason ?? ''
    // Nobody is there to answer: what is offered is taken.
    if (now.asking !== null)
      await client
        .run('answer', {
          run,
          question: now.asking.question,
          answers: now.asking.questions.map(({ fallback, choices }) => fallback || (choices[0] ?? '')),
        })
        .catch(() => {}) // Answered or withdrawn meanwhile.
    if (performance.now() > deadline) {
      await client.run('stop', { run })
      return 'stopped: it took too long'
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
