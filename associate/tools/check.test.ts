import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkStage } from './check.ts'
import { openStageFolder } from '../stage-folder.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'associate-'))
  for (const folder of ['stage', 'base']) mkdirSync(join(root, folder))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(where: 'stage' | 'base', path: string, text: string): void {
  mkdirSync(dirname(join(root, where, path)), { recursive: true })
  writeFileSync(join(root, where, path), text)
}

/** Checks the stage with verifiers that answer as a test tells them to; `argv[1]` is the list of touched paths. */
const check = (script: (name: string) => string) =>
  checkStage({
    stage: openStageFolder(join(root, 'stage'), ''),
    base: openStageFolder(join(root, 'base'), ''),
    folder: join(root, 'stage'),
    scope: ['app/', 'artifacts/'],
    verifier: (name) => [process.execPath, '-e', script(name)],
  })
const good = () => 'console.log(JSON.stringify({ ok: true, problems: [] }))'

test('code is checked in every way, a document only by the rules, and what is untouched not at all', async () => {
  expect(await check(good)).toContain('nothing was changed')
  put('base', 'artifacts/a.md', 'a')
  put('stage', 'artifacts/a.md', 'b')
  expect(await check(good)).toBe('good: policy')
  put('base', 'app/gone.ts', '1')
  expect(await check(good)).toBe('good: transform, types, policy, render')
})

test('only what was changed and still stands is named to the verifiers', async () => {
  for (const where of ['base', 'stage'] as const) put(where, 'app/same.ts', '1')
  put('base', 'app/gone.ts', '1')
  put('stage', 'app/new.ts', '1')
  const echo =
    'console.log(JSON.stringify({ ok: false, problems: [{ path: process.argv[1], line: null, message: "seen" }] })); process.exitCode = 1'
  await expect(check((name) => (name === 'policy' ? echo : good()))).rejects.toThrow('policy: ["app/new.ts"]: seen')
})

test('problems are told with their place, not without end; a verifier without a verdict has not said yes', async () => {
  put('stage', 'app/new.ts', '1')
  const many =
    'console.log("noise\\n" + JSON.stringify({ ok: false, problems: Array.from({ length: 50 }, (_, i) => ({ path: "app/new.ts", line: i + 1, message: "m".repeat(5000) })) }))'
  const told = await check((name) => (name === 'types' ? many : 'process.exit(3)')).catch(
    (error: Error) => error.message,
  )
  expect(told).toContain('transform gave no verdict')
  expect(told).toContain('types: app/new.ts:1: mmm')
  expect(told).toContain('types: and 30 more')
  expect(told.length).toBeLessThanOrEqual(12_000)
})
