import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Entry } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { DirectorTask } from '@choiros/contract/tasks.ts'
import type { Collected, Sandbox, SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { workOnStage } from './stage.ts'

const OLD = Buffer.from('old')
const file = (bytes: Buffer): Entry => ({ kind: 'file', mode: '644', object: sha256(bytes), size: bytes.length })
const FOLDER: Entry = { kind: 'folder', mode: '755', object: null, size: 0 }
const BASE = new Map([['app/a.ts', file(OLD)], ['app/empty', FOLDER]] as [TreePath, Entry][]) // prettier-ignore
const told = (path: string, text: string, more: Partial<Collected> = {}): Collected => ({
  path,
  kind: 'file',
  mode: '644',
  hash: null,
  size: text.length,
  bytes: Buffer.from(text),
  ...more,
})
const known = (path: string): Collected => told(path, '', { hash: sha256(OLD), bytes: null })
const link = (path: string, target: string) => told(path, target, { kind: 'symlink', mode: '777' })
const folder = (path: string) => told(path, '', { kind: 'folder', mode: '755', bytes: null })

let place = ''
beforeEach(() => (place = mkdtempSync(join(tmpdir(), 'choir-stage-'))))
afterEach(() => rmSync(place, { recursive: true, force: true }))

/** A sandbox whose guest says whatever the test wants. */
async function stage(
  collected: readonly Collected[],
  work: () => Promise<void> = async () => {},
): Promise<{ changes: unknown; killed: number; ends: number }> {
  let killed = 0
  let ends = 0
  const sandbox: Sandbox = {
    name: 'a',
    role: 'associate',
    exec: async () => {
      await work()
      return { end: 'exited', exitCode: 0, output: Buffer.alloc(0), truncated: false }
    },
    collect: async () => [...collected],
    dial: () => Promise.reject(new Error('nobody dials')),
    ended: new Promise(() => {}),
    kill: async () => void killed++,
  }
  const host = { create: async () => sandbox } as unknown as SandboxHost
  const { staged } = await workOnStage({
    host,
    name: 'a',
    socketFile: join(place, 'a.sock'),
    folder: place,
    tree: BASE,
    start: null,
    packages: place,
    browser: null,
    task: DirectorTask.parse({ task_id: 't1', kind: 'edit_repo', instruction: '' }),
    reports: [],
    context: { today: '2026-11-14', words: '', talk: [], lately: [], faults: [] },
    planned: async () => {},
    signal: new AbortController().signal,
    warn: () => {},
    model: () => Promise.reject(new Error('there is no model here')),
    heard: () => [],
    warnings: () => [],
    memory: () => [],
    note: () => Promise.reject(new Error('nothing is remembered here')),
    finished: async () => null,
    toolBegan: async () => {},
    toolEnded: async () => {
      ends++
      return { files: 0, stage: null }
    },
  }).finally(() => expect(killed).toBe(1))
  const changes = staged?.changes.map(({ path, to }) => `${path} ${to?.kind ?? 'gone'}`) ?? null
  return { changes, killed, ends }
}

describe('what an Associate left in its stage', () => {
  test('is compared with the base, not believed', async () => {
    expect(await stage([known('app/a.ts'), folder('app/empty')])).toMatchObject({ changes: [] })
    expect(await stage([told('app/a.ts', 'old'), told('app/empty/b', 'x')])).toMatchObject({
      changes: ['app/empty/b file'],
    })
    expect(await stage([told('app/a.ts', 'new'), link('app/l', 'a.ts')])).toMatchObject({
      changes: ['app/a.ts file', 'app/empty gone', 'app/l symlink'],
    })
  })

  test('paths that no tree can hold stay behind', async () => {
    const odd = ['../out', '/etc/passwd', 'app/../x', 'a\\b', 'app//x', 'x'.repeat(300)].map((path) => told(path, 'x'))
    expect(await stage([...odd, known('app/a.ts'), folder('app/empty')])).toMatchObject({ changes: [] })
  })

  test('cannot be read while a link leaves it; files in what is no folder are refused', async () => {
    expect(await stage([link('app/l', '../../etc')])).toMatchObject({ changes: null })
    expect(await stage([link('app/l', '/etc')])).toMatchObject({ changes: null })
    await expect(stage([link('app/l', 'shell'), told('app/l/x', 'x')])).rejects.toMatchObject({
      code: 'sandbox.unavailable',
    })
    await expect(stage([told('app/f', 'x'), told('app/f/x', 'x')])).rejects.toMatchObject({
      code: 'sandbox.unavailable',
    })
  })
})

/** What the Associate sends on its socket. */
function send(name: string, input: unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath: join(place, 'a.sock'), path: `/${name}`, method: 'POST', agent: false },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      },
    )
    call.once('error', reject)
    call.end(JSON.stringify(input))
  })
}

test('[L11] a tool that ends without having begun, or twice, writes nothing', async () => {
  const codes: number[] = []
  const { ends } = await stage([known('app/a.ts'), folder('app/empty')], async () => {
    const end = { call: 'c1', ok: true, summary: 'x'.repeat(500) }
    codes.push(await send('tool.end', end))
    codes.push(
      await send('tool.begin', { call: 'c1', tool: 'read', summary: '' }),
      await send('tool.begin', { call: 'c1', tool: 'read', summary: '' }),
    )
    codes.push(await send('tool.end', end), await send('tool.end', end))
  })
  expect(codes.map((code) => code === 200)).toEqual([false, true, false, true, false])
  expect(ends).toBe(1)
})
