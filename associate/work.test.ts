import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SYSCALLS, type SyscallName } from '@choiros/contract/syscalls.ts'
import { AssociateResult, DirectorTask } from '@choiros/contract/tasks.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { openStageFolder } from './stage-folder.ts'
import { doTask } from './work.ts'

let root = ''
let heard: unknown[] = []
let finished: AssociateResult[] = []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'associate-'))
  for (const folder of ['stage/artifacts/system', 'stage/app/apps/files', 'parts'])
    mkdirSync(join(root, folder), { recursive: true })
  heard = []
  finished = []
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const calls = {
  async call(name: SyscallName, given: unknown) {
    const input = SYSCALLS[name].input.parse(given) as object
    if (name === 'task.finish') {
      finished.push(AssociateResult.parse(input))
      return { again: null }
    }
    heard.push({ name, ...input })
    return { files: 0, stage: null }
  },
} as Syscalls

async function work(task: object): Promise<AssociateResult> {
  const folder = join(root, 'stage')
  let id = 0
  const options = {
    calls,
    reports: [],
    draft: [],
    context: { today: '2026-11-14', words: 'x', talk: [], lately: [], faults: [] },
    memory: [],
    sdk: openStageFolder(join(root, 'sdk'), ''),
    base: openStageFolder(join(root, 'base'), ''),
    verifier: () => [process.execPath, '--version'],
    eyes: { look: () => Promise.reject(new Error('there are no eyes here')) },
    stage: openStageFolder(folder, join(root, 'parts')),
    folder,
    newId: () => `call-${++id}`,
  }
  const whole = DirectorTask.parse({ task_id: 'task-1', instruction: 'x', ...task })
  await doTask(whole, options)
  return finished.at(-1) as AssociateResult
}

const accent = { name: 'accent', parameters: { colour: 'teal' } }
const ACCENT_FILE = 'artifacts/system/accent.json'

test('a recipe is followed in the stage, between two words to the supervisor', async () => {
  const result = await work({ kind: 'edit_repo', recipes: [accent], write_scope: [ACCENT_FILE] })
  expect(result).toMatchObject({
    task_id: 'task-1',
    status: 'ok',
    summary: 'Made the accent teal.',
    files_changed: [ACCENT_FILE],
  })
  expect(readFileSync(join(root, 'stage', ACCENT_FILE), 'utf8')).toBe('{\n  "accent": "#008080"\n}\n')
  expect(heard).toEqual([
    { name: 'tool.begin', call: 'call-1', tool: 'recipe', summary: 'follows the recipe accent' },
    { name: 'tool.end', call: 'call-1', ok: true, summary: 'follows the recipe accent' },
  ])
})

test('the second time it is already so, and nothing is written', async () => {
  const task = { kind: 'edit_repo', recipes: [accent], write_scope: [ACCENT_FILE] }
  await work(task)
  expect(await work(task)).toMatchObject({ status: 'ok', summary: 'The accent is already teal.', files_changed: [] })
})

test('nothing is written outside of the scope, whatever a recipe says', async () => {
  const result = await work({ kind: 'edit_repo', recipes: [accent], write_scope: ['artifacts/system/theme.json'] })
  expect(result).toMatchObject({
    status: 'failed',
    summary: expect.stringContaining('outside of what this task may write'),
  })
  expect(existsSync(join(root, 'stage', ACCENT_FILE))).toBe(false)
  expect(heard.at(-1)).toMatchObject({ name: 'tool.end', ok: false })
})

test('no symlink leads a write out of the stage, neither as the file nor as a folder above it', async () => {
  writeFileSync(join(root, 'outside.json'), 'untouched')
  symlinkSync(join(root, 'outside.json'), join(root, 'stage', ACCENT_FILE))
  expect(await work({ kind: 'edit_repo', recipes: [accent], write_scope: [ACCENT_FILE] })).toMatchObject({
    status: 'failed',
  })
  expect(readFileSync(join(root, 'outside.json'), 'utf8')).toBe('untouched')

  rmSync(join(root, 'stage/artifacts/system'), { recursive: true })
  mkdirSync(join(root, 'elsewhere'))
  symlinkSync(join(root, 'elsewhere'), join(root, 'stage/artifacts/system'))
  expect(await work({ kind: 'edit_repo', recipes: [accent], write_scope: [ACCENT_FILE] })).toMatchObject({
    status: 'failed',
  })
  expect(existsSync(join(root, 'elsewhere/accent.json'))).toBe(false)
})

test('commands run in the stage with their exit codes and logs', async () => {
  writeFileSync(join(root, 'stage/hello.txt'), 'hello')
  const result = await work({
    kind: 'run',
    commands: [['/bin/cat', 'hello.txt'], ['/bin/sh', '-c', 'echo oops >&2; exit 3'], ['/no/such/program']],
  })
  expect(result).toMatchObject({ status: 'ok', summary: '2 of 3 commands did not end well.' })
  expect(result.commands_run).toMatchObject([
    { exit_code: 0, log: 'hello' },
    { exit_code: 3, log: 'oops' },
    { exit_code: null, log: expect.stringContaining('could not be started') },
  ])
})

test('a command that does not end, and one that never stops talking, are cut off', async () => {
  const result = await work({ kind: 'run', time_budget_s: 1, commands: [['/bin/sh', '-c', 'yes & sleep 60']] })
  expect(result.commands_run[0]?.log).toMatch(/\(stopped: it took too long\)$/)
})

test('looking around changes nothing and tells what there is', async () => {
  writeFileSync(join(root, 'stage/artifacts/trip.md'), '# Trip\n')
  writeFileSync(join(root, 'stage/app/apps/files/app.tsx'), "export default defineApp({ id: 'files', title: 'Files' })")
  const { summary } = await work({ kind: 'inspect', recipes: [{ name: 'inspect', parameters: { what: 'all' } }] })
  expect(summary).toBe(
    'Your documents and files: trip.md (7 bytes).\nYour apps: Files.\nThere are no widgets in the taskbar yet.\nYou have changed no settings yet.',
  )
})
