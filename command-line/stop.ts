import { setTimeout as delay } from 'node:timers/promises'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Running, RunningProcess } from '@choiros/contract/home-folder.ts'
import { RunId } from '@choiros/contract/ids.ts'
import { take, type Values } from './arguments.ts'
import { given } from './given.ts'
import { createClient } from './client.ts'
import type { LocalCommand } from './command.ts'
import { connect } from './connection.ts'
import { findRunning, isAlive } from './running.ts'

/** A supervisor that hangs does not answer: after this time it is ended without being asked. */
const ANSWER_MS = 5000
/** A person who stops a run that has just ended did not mean to stop the whole of ChoirOS. */
const JUST_ENDED_MS = 15_000
/** A supervisor that answered ends in order: it first finishes what it is busy with. */
const END_MS = 75_000
const HUNG_END_MS = 5000
const LOOK_EVERY_MS = 50

/**
 * Stops the runs at work; if there are none, ChoirOS itself. Uses signals, so that it also works on a supervisor that
 * hangs.
 */
export const stop: LocalCommand = async ({ home, values, positionals, show }) => {
  take(positionals, [])
  const { run, all } = values
  const running = findRunning(home)
  if (running === null) {
    show({ ended: false, stopped: [] }, 'ChoirOS is not running')
    return true
  }
  // A supervisor of another release or with another token refuses us; with --all we end it even so.
  const asked = stopRuns(home, values).catch((error: unknown) => {
    if (all) return null
    throw error
  })
  const answer = await Promise.race([asked, delay(ANSWER_MS, 'hangs' as const)])
  if (answer !== 'hangs' && answer !== null && !all) {
    show({ ended: false, stopped: answer.stopped }, answer.text)
    return true
  }
  if (run !== undefined)
    throw new ChoirError('supervisor.unreachable', 'ChoirOS does not answer: "choir stop --all" ends it')
  const gently = await end(running, answer === 'hangs' ? HUNG_END_MS : END_MS)
  const words = gently
    ? 'ChoirOS has ended'
    : 'ChoirOS did not end by itself and was killed; everything that was saved is kept'
  show({ ended: true, stopped: [] }, words)
  return true
}

/** Null: no run was at work. */
async function stopRuns(
  home: string,
  { user, computer, run, all }: Values,
): Promise<{ stopped: readonly string[]; text: string } | null> {
  const connection = await connect(home)
  try {
    const client = createClient(connection, { user: user ?? null, computer: computer ?? null, progress: () => {} })
    const wanted = run === undefined ? null : given(RunId, run)
    if (all || (wanted === null && !(await client.run('status', {})).running)) return null
    const { stopped } = await client.run('stop', { run: wanted })
    if (stopped.length > 0)
      return {
        stopped,
        text: `stopped ${stopped.length}; ChoirOS goes on, and the same command again (or "choir stop --all") ends it`,
      }
    const [newest] = wanted === null ? await client.run('run.list', { limit: 1 }) : []
    const endedMs = newest?.endedMs ?? 0
    if (Date.now() - endedMs < JUST_ENDED_MS || wanted !== null)
      return { stopped, text: 'nothing is going on any more; "choir stop --all" ends ChoirOS itself' }
    return null
  } finally {
    await connection.close()
  }
}

/** False: it did not end by itself and was killed. */
async function end({ keeper, ...supervisor }: Running, withinMs: number): Promise<boolean> {
  // The launcher first: it would start the supervisor again.
  const all = keeper !== null && isAlive(keeper) ? [keeper, supervisor] : [supervisor]
  signal(all[0] ?? supervisor, 'SIGTERM')
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += LOOK_EVERY_MS) {
    if (!all.some(isAlive)) return true
    await delay(LOOK_EVERY_MS)
  }
  for (const one of all) signal(one, 'SIGKILL')
  return false
}

function signal({ pid }: RunningProcess, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EPERM')
      throw new ChoirError('request.refused', `ChoirOS runs as another user (process ${pid}): stop it as that user`, {
        cause,
      })
  }
}
