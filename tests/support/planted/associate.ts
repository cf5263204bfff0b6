import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AssociateResult } from '@choiros/contract/tasks.ts'
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
}

const calls = openSyscalls()
const { task } = await calls.call('task.get', {})
const newId = () => labelFrom(randomBytes(16))
if (task.instruction.startsWith('plant ')) {
  const planted = JSON.parse(task.instruction.slice('plant '.length)) as Planted
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
      summary: found === '' ? `planted ${said}`.trim() : found,
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
    context: { words: '', talk: [], lately: [], faults: [] },
    memory: [],
    folder: '/stage',
    verifier: (name: string) => ['/opt/choir/node', `/opt/choir/verify/${name}.mjs`],
    eyes: createEyes(['/opt/choir/node', '/opt/choir/agents/eyes.mjs', '/stage'], '/tmp'),
    newId,
  }
  await doTask(task, options)
}
