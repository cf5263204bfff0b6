import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMANDS, type InputOf } from '@choiros/contract/commands.ts'
import type { DesktopCommand } from './empty-computer.ts'
import { readSnapshot } from './snapshot.ts'
import { createStandIn } from './stand-in.ts'

let folder = ''
let server: Server
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stand-in-'))
  mkdirSync(join(folder, 'artifacts/notes/old'), { recursive: true })
  for (const name of ['a.md', 'notes/b.md', 'notes/old/c.md']) writeFileSync(join(folder, 'artifacts', name), name)
  const computer = createStandIn()
  computer.reset(readSnapshot(folder), [])
  server = createServer((request, response) => void computer.answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code: string; readonly message: string }
}
async function send(command: string, input: object): Promise<Answer> {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/choir/command`
  const response = await fetch(address, { method: 'POST', body: JSON.stringify({ command, input }) })
  return (await response.json()) as Answer
}

const run = 'r-1' as InputOf<'run.get'>['run']
const path = 'artifacts/a.md' as InputOf<'files.stat'>['path']
const window = 'w-1'
const NO_RUN = `run.unknown: there is no run ${run}`
/** One right use of each command; a command more in the contract does not compile until it stands here. */
const USES: { readonly [Name in DesktopCommand]: object } = {
  'files.list': { path: null, at: null },
  'files.stat': { path, at: null },
  'files.change': { operations: [{ op: 'folder', path: 'artifacts/new' }] },
  'tree': { at: null },
  'undo.list': { limit: 10 },
  'undo.preview': { target: { kind: 'newest', scope: 'any' } },
  'redo.preview': {},
  'checkpoint.list': { kind: 'user', limit: 10 },
  'prompt': { text: 'make it blue' },
  'run.list': { limit: 10 },
  'run.get': { run },
  'run.diff': { run, path: null },
  'run.pictures': { run },
  'run.picture': { run, object: 'a'.repeat(64) },
  'run.continue': { run },
  'run.drop': { run },
  'steer': { run, text: 'bluer' },
  'answer': { run, question: 'q-1', answers: ['yes'] },
  'stop': { run: null },
  'recipe.list': {},
  'budget.get': {},
  'mood.get': {},
  'lease.list': {},
  'approval.list': {},
  'safe-mode.get': {},
  'render.report': { app: 'dice', message: 'no', stack: '' },
  'render.well': { app: 'dice' },
  'memory.list': {},
  'window.open': { window, app: 'dice', title: 'Dice' },
  'window.settle': { window, device: 'wide', geometry: { x: 0, y: 0, width: 0.5, height: 0.5, state: 'normal' } },
  'window.list': {},
  'window.close': { window },
}
/** What it has not, as a computer says it; and agents, of whom there are none. */
const REFUSED: Partial<Record<DesktopCommand, string>> = {
  'prompt': 'request.refused: this is a copy to look at: there are no agents here who could be asked',
  'undo.preview': 'undo.nothing: there is nothing to undo',
  'redo.preview': 'undo.nothing: there is nothing to redo',
  ...Object.fromEntries(['get', 'diff', 'pictures', 'picture', 'continue', 'drop'].map((of) => [`run.${of}`, NO_RUN])),
  'steer': NO_RUN,
  'answer': NO_RUN,
}

test('every command that a desktop may send is answered as an empty computer would answer it', async () => {
  const names = Object.keys(USES) as DesktopCommand[]
  const came: Partial<Record<DesktopCommand, string>> = {}
  for (const name of names) {
    const { result, error } = await send(name, USES[name])
    const fits = COMMANDS[name].output.safeParse(result).success
    came[name] = error === undefined ? `answered ${fits ? 'in' : 'out of'} shape` : `${error.code}: ${error.message}`
  }
  expect(came).toEqual(Object.fromEntries(names.map((name) => [name, REFUSED[name] ?? 'answered in shape'])))
})

test('a folder is listed as a computer lists it: what lies right in it, and what is not there by that name', async () => {
  const { result } = await send('files.list', { path: 'artifacts/notes', at: null })
  expect((result as { path: string; entry: { kind: string } }[]).map((one) => [one.path, one.entry.kind])).toEqual([
    ['artifacts/notes/b.md', 'file'],
    ['artifacts/notes/old', 'folder'],
  ])
  expect(await send('files.list', { path: 'artifacts/none', at: null })).toMatchObject({
    error: { code: 'path.unknown' },
  })
})

test('what a computer refuses a desktop is refused here, too', async () => {
  expect(await send('undo', {})).toMatchObject({
    error: { code: 'request.refused', message: 'the desktop may not undo' },
  })
  expect(await send('no.such', {})).toMatchObject({ error: { code: 'request.invalid' } })
  expect(await send('files.stat', { path: '../x', at: null })).toMatchObject({ error: { code: 'path.invalid' } })
})
