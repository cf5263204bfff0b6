import type { Operation } from '@choiros/contract/commands/files.ts'
import type { Draft } from '@choiros/contract/event.ts'
import { ComputerName, RunId, type Hash, type Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Entry } from '@choiros/contract/change.ts'
import { hashSeen } from '@choiros/core/landing.ts'
import { hashAfterChanges } from '@choiros/core/tree.ts'
import { landRun } from '@choiros/supervisor/computer/landing.ts'
import type { TestHome } from './open-home.ts'

const path = (text: string) => text as TreePath
const write = (file: string, text: string, from: Hash | null = null): Operation => ({
  op: 'write',
  path: path(file),
  content: { text },
  from,
})

/**
 * A little of everything that can be in a log so far: files, windows, talk, a landed and a discarded run, undo, redo,
 * checkpoint, restore, erase.
 */
export async function liveALittle(home: TestHome): Promise<void> {
  await home.run('computer.add', { name: ComputerName.parse('home') })
  const change = (...operations: Operation[]) => home.run('files.change', { operations })
  await change(
    write('artifacts/a.txt', 'one\ntwo\nthree\nfour\nfive\n'),
    write('artifacts/system/theme.json', '{\n  "accent": "gold",\n  "mode": "dark"\n}\n'),
  )
  await change(
    { op: 'folder', path: path('artifacts/empty') },
    { op: 'link', path: path('artifacts/link'), target: 'a.txt', from: null },
  )
  await change(write('artifacts/large.bin', 'large '.repeat(20_000)))
  await change(...Array.from({ length: 600 }, (_, index) => write(`artifacts/many/${index}.txt`, `file ${index}\n`)))
  await home.run('window.open', { window: 'w1', app: 'writer', title: 'a.txt' })
  await home.run('window.settle', {
    window: 'w1',
    device: 'wide',
    geometry: { x: 0.1, y: 0.1, width: 0.5, height: 0.5, state: 'normal' },
  })
  await talk(home)
  await landOne(home)
  await home.run('undo', { target: { kind: 'newest', scope: 'runs' }, tree: null })
  await home.run('redo', {})
  await change({ op: 'move', path: path('artifacts/a.txt'), to: path('artifacts/b.txt') })
  await home.run('checkpoint', { name: 'good' })
  await home.run('undo', { target: { kind: 'event', seq: 5 as Seq }, tree: null })
  await home.run('window.close', { window: 'w1' })
  await home.run('restore', { to: 6 as Seq })
  await change(write('artifacts/secret.txt', 'a secret'))
  const { objects } = await home.run('erase.preview', { path: path('artifacts/secret.txt') })
  await home.run('erase', { objects, reason: 'it was secret' })
}

const NOTHING = { hash: sha256('{}'), bytes: Buffer.from('{}') }

async function append(
  home: TestHome,
  type: string,
  data: Record<string, unknown>,
  run: RunId | null = null,
  version = 1,
): Promise<void> {
  const computer = await home.computer()
  const draft: Draft = {
    type,
    version,
    data,
    user: home.home.owner,
    source: run === null ? 'user' : 'agent',
    via: run === null ? 'desktop' : 'agent',
    run,
    cause: null,
  }
  await computer.append(() => ({ draft, objects: [NOTHING] }))
}

async function talk(home: TestHome): Promise<void> {
  await append(home, 'conversation.start', { conversation: 'c1', title: 'first' })
  await append(home, 'message', {
    conversation: 'c1',
    role: 'user',
    text: 'make the accent teal',
    object: null,
    signature: null,
    wishes: [],
  })
  await append(home, 'work.create', { work: 'k1', title: 'make the accent teal', criteria: ['the accent is teal'] })
  const failed = RunId.parse('r0')
  await append(home, 'run.start', { work: 'k1', base: 2 }, failed)
  await append(
    home,
    'task.request',
    { task: 't0', kind: 'edit_repo', instruction: 'set the accent', request: NOTHING.hash },
    failed,
  )
  await append(
    home,
    'task.result',
    { task: 't0', status: 'failed', summary: 'no such colour', result: NOTHING.hash },
    failed,
  )
  await append(home, 'run.discard', { reason: 'the task failed' }, failed)
}

async function landOne(home: TestHome): Promise<void> {
  const computer = await home.computer()
  const run = RunId.parse('r1')
  const theme = path('artifacts/system/theme.json')
  const bytes = Buffer.from('{\n  "accent": "teal",\n  "mode": "dark"\n}\n')
  const to: Entry = { kind: 'file', mode: '644', object: sha256(bytes), size: bytes.length }
  const changes = [{ path: theme, from: computer.queries.tree.entry(theme), to, movedFrom: null }]
  const { queries } = computer
  const tree = hashAfterChanges(queries.allEntries(), changes)
  await append(home, 'run.start', { work: 'k1', base: 2 }, run)
  await append(
    home,
    'question.ask',
    { question: 'q1', questions: [{ text: 'Which teal?', choices: ['light', 'dark'], fallback: 'dark' }] },
    run,
  )
  await append(home, 'question.answer', { question: 'q1', answers: ['light'], by: 'person' }, run)
  await append(home, 'budget.cap', { run: 100_000, day: 1_000_000, computer: null, micros: 5_000_000 })
  await append(home, 'budget.reserve', { call: 'b0', tier: 'strong', model: 'm', tokens: 9000 }, run)
  await append(home, 'budget.settle', { call: 'b0', input: 100, output: 20, tokens: 120, micros: null }, run)
  await append(home, 'budget.reserve', { call: 'b1', tier: 'strong', model: 'm', tokens: 9000, micros: 30_000 }, run, 2)
  await append(home, 'budget.settle', { call: 'b1', input: 100, output: 20, tokens: 120, micros: null }, run)
  await append(home, 'tool.call', { task: 't1', call: 'c1', tool: 'recipe', summary: 'set the accent' }, run)
  await append(
    home,
    'tool.result',
    { task: 't1', call: 'c1', ok: true, summary: 'the accent is teal', stage: NOTHING.hash, files: 1 },
    run,
  )
  await append(
    home,
    'receipt.verifier',
    { tree, verifier: 'policy', ok: true, summary: 'good', tookMs: 12, report: null },
    run,
  )
  const verified = { tree, seen: hashSeen(queries.tree, changes), attestation: NOTHING }
  const landed = await landRun(computer, {
    run,
    summary: 'the accent is teal',
    changes,
    objects: [{ hash: sha256(bytes), bytes }],
    verified,
  })
  await append(home, 'health', { land: landed.seq, verdict: 'ok', why: '' }, run)
  await append(home, 'work.close', { work: 'k1', outcome: 'done' })
}
