import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AssociateResult, type Tool } from '@choiros/contract/tasks.ts'
import { labelFrom } from '@choiros/contract/ids.ts'
import { openSyscalls } from '@choiros/guest/syscall-client.ts'
import { openStageFolder } from '@choiros/associate/stage-folder.ts'
import { createEyes } from '@choiros/associate/tools/see.ts'
import { doTask } from '@choiros/associate/work.ts'
import { searchInside } from './search.ts'

/** What a planted task says: files to write, to delete, a command to run, and how long to dawdle before it is done. */
interface Planted {
  readonly writes?: readonly { path: string; text: string }[]
  readonly removes?: readonly string[]
  readonly shell?: string
  readonly waitMs?: number
  readonly search?: readonly string[]
  /** What it tries before it writes, whatever it may. */
  readonly tries?: readonly Try[]
}

/** Uses a tool, so many times; or asks a model after reading a file; or waits. */
type Try =
  | { readonly tool: Tool; readonly times?: number }
  | { readonly reads: string; readonly text: string; readonly tier?: 'fast' | 'strong' }
  | { readonly waitMs: number }

/** What it was not allowed, in the words it was told. */
async function tryAll(tries: readonly Try[]): Promise<string[]> {
  const refused: string[] = []
  const note = (what: string) => (error: unknown) => void refused.push(`${what}: ${(error as Error).message}`)
  for (const one of tries) {
    if ('waitMs' in one) await delay(one.waitMs)
    else if ('reads' in one) {
      const uses = [{ id: 'u', name: 'read', input: { path: one.reads } }]
      await calls
        .call('model.stream', {
          tier: one.tier ?? 'strong',
          messages: [
            { role: 'user', text: 'go on' },
            { role: 'assistant', text: '', uses },
            { role: 'tool', id: 'u', name: 'read', text: one.text },
          ],
          tools: [],
        })
        .catch(note('model'))
    } else
      for (let times = 0; times < (one.times ?? 1); times++) {
        const call = newId()
        await calls
          .call('tool.begin', { call, tool: one.tool, summary: `tries ${one.tool}` })
          .then(() => calls.call('tool.end', { call, ok: true, summary: 'tried' }))
          .catch(note(one.tool))
      }
  }
  return refused
}

const calls = openSyscalls()
const { task } = await calls.call('task.get', {})
const newId = () => labelFrom(randomBytes(16))
if (task.instruction.startsWith('plant ')) {
  const planted = JSON.parse(task.instruction.slice('plant '.length)) as Planted
  const refused = await tryAll(planted.tries ?? [])
  const call = newId()
  await calls.call('tool.begin', { call, tool: 'write', summary: 'plants' })
  for (const { path, text } of planted.writes ?? []) {
    mkdirSync(dirname(join('/stage', path)), { recursive: true })
    writeFileSync(join('/stage', path), text)
  }
  for (const path of planted.removes ?? []) rmSync(join('/stage', path), { recursive: true })
  const found =
    planted.search === undefined ? '' : JSON.stringify(await searchInside(planted.search, [JSON.stringify(task)]))
  const said =
    planted.shell === undefined
      ? ''
      : execFileSync('/bin/sh', ['-c', planted.shell], { cwd: '/stage', encoding: 'utf8' })
  await calls.call('tool.end', { call, ok: true, summary: 'planted' })
  await delay(planted.waitMs ?? 0)
  await calls.call(
    'task.finish',
    AssociateResult.parse({
      task_id: task.task_id,
      status: 'ok',
      summary: planted.tries !== undefined ? JSON.stringify(refused) : found === '' ? `planted ${said}`.trim() : found,
    }),
  )
} else {
  const options = {
    calls,
    stage: openStageFolder('/stage', '/opt/choir/parts'),
    sdk: openStageFolder('/opt/choir/sdk', '/opt/choir/parts'),
    base: openStageFolder('/base', '/opt/choir/parts'),
    reports: [],
    draft: [],
    context: { today: '2026-11-14', words: '', talk: [], lately: [], faults: [] },
    memory: [],
    folder: '/stage',
    verifier: (name: string) => ['/opt/choir/node', `/opt/choir/verify/${name}.mjs`],
    eyes: createEyes(['/opt/choir/node', '/opt/choir/agents/eyes.mjs', '/stage'], '/tmp'),
    newId,
  }
  await doTask(task, options)
}
