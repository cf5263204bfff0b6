import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RunId } from '@choiros/contract/ids.ts'
import type { ModelAnswer } from '@choiros/contract/models.ts'
import type { WorkOrder } from '@choiros/contract/syscalls.ts'
import type { Sandbox, SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDirectorLine, type DirectorLine } from './director-line.ts'

const ANSWER: ModelAnswer = {
  text: 'hm',
  uses: [],
  reasoning: [],
  usage: { input: 1, output: 1, cached: 0, written: 0 },
  finish: 'stop',
}
const order = (run: string): WorkOrder => ({
  run: RunId.parse(run),
  text: 'roll some dice',
  today: '2026-11-14',
  wishes: [],
  draft: null,
  mood: null,
  context: { files: [], unlisted: [], messages: [], windows: [], faults: [], runs: [], memory: [], model: true },
})

let folder = ''
let line: DirectorLine
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'choir-line-'))
  line = createDirectorLine({
    host: idleHost(),
    name: 'director',
    socketFile: join(folder, 'director.sock'),
    warn: () => {},
  })
})
afterEach(async () => {
  await line.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A sandbox in which nothing happens: the test is the Director. */
function idleHost(): SandboxHost {
  const never = new Promise<never>(() => {})
  const sandbox: Sandbox = {
    name: 'director',
    role: 'director',
    exec: () => never,
    collect: () => never,
    dial: () => never,
    ended: never,
    kill: async () => {},
  }
  return { create: async () => sandbox, runOnce: () => never, list: () => [], isolation: 'none', close: async () => {} }
}

function say(name: string, input: unknown): Promise<{ result?: unknown; error?: { code: string } }> {
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath: join(folder, 'director.sock'), path: `/${name}`, method: 'POST', agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.once('end', () => resolve(JSON.parse(text) as { result?: unknown }))
      },
    )
    call.once('error', reject)
    call.end(JSON.stringify(input))
  })
}

const nothing = () => Promise.reject(new Error('nothing is asked for here'))
const LONG_MS = 60_000
const NEVER = {
  task: nothing,
  together: nothing,
  read: nothing,
  look: nothing,
  note: nothing,
  obey: nothing,
  warnings: () => [],
}

test('a Director that still thinks about what was stopped is refused, and what comes next does not pay for it', async () => {
  const paid: string[] = []
  const work = (run: string, signal: AbortSignal) => {
    const question = () => Promise.reject(new Error('nothing is asked here'))
    const model = async () => {
      paid.push(run)
      return ANSWER
    }
    return line
      .work(order(run), { ...NEVER, model, question, heard: () => [run], finish: async () => null }, signal, LONG_MS)
      .catch((error: Error) => error.message)
  }
  const think = () => say('model.stream', { tier: 'strong', messages: [{ role: 'user', text: 'hm' }], tools: [] })
  const [first, second] = [new AbortController(), new AbortController()]

  const stopped = work('run-one', first.signal)
  await expect.poll(async () => (await say('work.next', {})).result, { interval: 10 }).toMatchObject({ run: 'run-one' })
  expect(await think()).toMatchObject({ result: { text: 'hm' } })
  first.abort(new Error('stopped'))
  expect(await stopped).toBe('stopped')

  const next = work('run-two', second.signal)
  expect(await think()).toMatchObject({ error: { code: 'syscall.refused' } })
  expect(await say('work.heard', {})).toEqual({ result: { said: [], warnings: [] } })
  expect(await say('work.next', {})).toMatchObject({ result: { run: 'run-two' } })
  expect(await think()).toMatchObject({ result: { text: 'hm' } })
  second.abort(new Error('stopped'))
  await next
  expect(paid).toEqual(['run-one', 'run-two'])
})

test('[L11] a Director of whom nothing is heard is replaced; one that waits for an answer is not', async () => {
  await line.close()
  let killed = 0
  const host = idleHost()
  const watched: SandboxHost = {
    ...host,
    create: async (spec) => ({ ...(await host.create(spec)), kill: async () => void killed++ }),
  }
  line = createDirectorLine({
    host: watched,
    name: 'director',
    socketFile: join(folder, 'director.sock'),
    warn: () => {},
    silentMs: 200,
  })
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    return ANSWER
  }
  const never = () => Promise.reject(new Error('not here'))
  const work = line.work(
    order('run-one'),
    { ...NEVER, model: slow, question: never, heard: () => [], finish: async () => null },
    new AbortController().signal,
    LONG_MS,
  )
  const ended = work.catch((error: Error) => error.message)
  await expect.poll(async () => (await say('work.next', {})).result, { interval: 10 }).toMatchObject({ run: 'run-one' })
  expect(
    await say('model.stream', { tier: 'strong', messages: [{ role: 'user', text: 'hm' }], tools: [] }),
  ).toMatchObject({ result: { text: 'hm' } })
  expect(killed).toBe(0)
  expect(await ended).toBe('the Director stopped: it hung')
  expect(killed).toBe(1)
})

test('a Director that nobody needs for a while is ended, and the next one is another', async () => {
  let made = 0
  let killed = 0
  const counted: SandboxHost = {
    ...idleHost(),
    async create(spec) {
      made++
      return { ...(await idleHost().create(spec)), kill: async () => void killed++ }
    },
  }
  line = createDirectorLine({
    host: counted,
    name: 'director',
    socketFile: join(folder, 'director.sock'),
    warn: () => {},
    restMs: 50,
  })
  line.warmUp()
  await expect.poll(() => killed).toBe(1)
  const never = () => Promise.reject(new Error('not here'))
  const handlers = { ...NEVER, model: never, question: never, heard: () => [], finish: async () => null }
  const work = line.work(order('run-one'), handlers, new AbortController().signal, LONG_MS)
  await expect.poll(async () => (await say('work.next', {})).result, { interval: 10 }).toMatchObject({ run: 'run-one' })
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect([made, killed], 'it is not ended while it works').toEqual([2, 1])
  const finish = { end: 'answer', summary: '', reply: 'done', offers: [], checkpoint: null }
  await say('work.finish', { run: 'run-one', ...finish })
  expect(await work).toBeUndefined()
  await expect.poll(() => killed).toBe(2)
})
