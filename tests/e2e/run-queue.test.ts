import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from '@choiros/contract/limits.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { openBubblewrap } from '@choiros/ports/sandbox/bubblewrap.ts'
import type { Sandbox, SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { plant, plantAgents } from '../support/plant.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'

const note = (name: string) => plant({ writes: [{ path: `artifacts/${name}.txt`, text: name }] })
const slow = (name: string, waitMs: number) =>
  plant({ writes: [{ path: `artifacts/${name}.txt`, text: name }], waitMs })

describe('the queue of runs', { timeout: 60_000 }, () => {
  const shared = temporaryFolder()
  let home: RunHome
  let computer: Computer
  let sandboxes: Sandbox[] = []
  let broken: string | null = null
  let count = 0

  const remember = (host: SandboxHost): SandboxHost => ({
    ...host,
    async create(spec) {
      if (broken !== null) throw new ChoirError('sandbox.unavailable', broken)
      const sandbox = await host.create(spec)
      sandboxes.push(sandbox)
      return sandbox
    },
  })
  const newest = (role: string) => sandboxes.findLast((sandbox) => sandbox.role === role)
  const until = async (role: string) => {
    await expect.poll(() => newest(role) !== undefined, { timeout: 10_000, interval: 10 }).toBe(true)
    return newest(role)
  }
  const has = (path: string) =>
    home
      .run('files.stat', { path: path as never, at: null }, { computer: computer.id })
      .then(({ entry }) => entry !== null)

  beforeAll(async () => {
    await plantAgents(shared)
    home = openRunHome(shared, {
      openHost: (folder, toolchain) => remember(openBubblewrap({ folder, toolchain: toolchain.folder })),
      machine: { warn: () => {} },
    })
  })
  beforeEach(async () => {
    sandboxes = []
    broken = null
    computer = await home.addComputer(`c${++count}`)
  })
  afterAll(async () => {
    await home.close()
    removeFolders()
  })

  test('wishes are worked on one at a time, in the order they came', async () => {
    const asked = [
      await home.ask(computer, note('a')),
      await home.ask(computer, note('b')),
      await home.ask(computer, note('c')),
    ]
    for (const run of asked) expect(await home.ended(computer, run)).toMatchObject({ status: 'landed' })
    const ours = (await home.events(computer))
      .filter(({ type }) => type === 'run.start' || type === 'run.land')
      .map(({ type, run }) => [type, run])
    expect(ours).toEqual(asked.flatMap(({ run }) => [['run.start', run], ['run.land', run]])) // prettier-ignore
  })

  test('stop ends the one at work and those that wait, and nothing of them is there', async () => {
    const first = await home.ask(computer, slow('a', 30_000))
    const second = await home.ask(computer, note('b'))
    const third = await home.ask(computer, note('c'))
    const associate = await until('associate')
    expect(await home.run('stop', { run: second.run }, { computer: computer.id })).toEqual({ stopped: [second.run] })
    expect(await home.run('stop', { run: first.run }, { computer: computer.id })).toEqual({ stopped: [first.run] })
    expect(await home.ended(computer, third)).toMatchObject({ status: 'landed' })
    for (const run of [first, second])
      expect(await home.ended(computer, run)).toMatchObject({
        status: 'cancelled',
        reason: expect.stringContaining('stopped') as string,
      })
    expect([await has('artifacts/a.txt'), await has('artifacts/b.txt'), await has('artifacts/c.txt')]).toEqual([
      false,
      false,
      true,
    ])
    await associate?.ended
    await expect(home.run('stop', { run: first.run }, { computer: computer.id })).rejects.toMatchObject({
      code: 'run.unknown',
    })
    expect(await home.run('stop', { run: null }, { computer: computer.id })).toEqual({ stopped: [] })
  })

  test('only so many may wait', async () => {
    const asked = []
    for (let index = 0; index <= LIMITS.runsQueuedMax; index++)
      asked.push(await home.ask(computer, slow(`a${index}`, 30_000)))
    await expect(home.ask(computer, note('more'))).rejects.toMatchObject({
      code: 'rate.limited',
      message: expect.stringContaining('waiting') as string,
    })
    await home.run('stop', { run: null }, { computer: computer.id })
    for (const run of asked) expect(await home.ended(computer, run)).toMatchObject({ status: 'cancelled' })
    expect(await home.prompt(computer, note('after'))).toMatchObject({ status: 'landed' })
  })

  test('a Director that dies at work: the run is discarded with a reason, its Associate is gone, the next wish works', async () => {
    const run = await home.ask(computer, slow('a', 30_000))
    const associate = await until('associate')
    await newest('director')?.kill()
    expect(await home.ended(computer, run)).toMatchObject({
      status: 'discarded',
      reason: expect.stringContaining('Director') as string,
    })
    expect(await Promise.race([associate?.ended.then(() => 'gone'), delay(500, 'still there')])).toBe('gone')
    expect(await home.prompt(computer, note('b'))).toMatchObject({ status: 'landed' })
    expect(await has('artifacts/a.txt')).toBe(false)
    const last = (await home.events(computer)).findLast((event) => event.run === run.run)
    expect(last?.type).toBe('message') // Nothing was done for it after its end was told.
  })

  test('a Director that dies while it waits is started again', async () => {
    expect(await home.prompt(computer, note('a'))).toMatchObject({ status: 'landed' })
    await delay(100)
    await newest('director')?.kill()
    expect(await home.prompt(computer, note('b'))).toMatchObject({ status: 'landed' })
  })

  test('an Associate that never finishes is ended by its time', async () => {
    const ended = await home.prompt(
      computer,
      plant({ writes: [{ path: 'artifacts/a.txt', text: 'a' }], waitMs: 60_000, budgetS: 1 }),
    )
    expect(ended).toMatchObject({ status: 'discarded', reason: expect.stringContaining('longer than 1 s') as string })
    expect(await has('artifacts/a.txt')).toBe(false)
  })

  test('an Associate that is killed: the run is discarded, the next wish works', async () => {
    const run = await home.ask(computer, slow('a', 30_000))
    await (await until('associate'))?.kill()
    expect(await home.ended(computer, run)).toMatchObject({
      status: 'discarded',
      reason: expect.stringMatching(/sandbox|Associate/) as string,
    })
    expect(await home.prompt(computer, note('b'))).toMatchObject({ status: 'landed' })
    expect(await has('artifacts/a.txt')).toBe(false)
  })

  test('where no sandbox can be started the person is told why, and it works when it can', async () => {
    broken = 'bubblewrap is missing: install it with "apt-get install bubblewrap"'
    expect(await home.prompt(computer, note('a'))).toMatchObject({
      status: 'discarded',
      reason: expect.stringContaining('apt-get install') as string,
    })
    const messages = (await home.events(computer))
      .filter(({ type }) => type === 'message')
      .map(({ data }) => (data as { text: string }).text)
    expect(messages.at(-1)).toMatch(/could not be done: bubblewrap is missing/)
    broken = null
    expect(await home.prompt(computer, note('a'))).toMatchObject({ status: 'landed' })
  })

  test('closing ends what is at work and leaves neither sockets nor trees', async () => {
    const run = await home.ask(computer, slow('a', 30_000))
    await until('associate')
    await (await home.runsOf(computer)).close()
    expect(await home.run('run.get', { run: run.run }, { computer: computer.id })).toMatchObject({
      status: 'cancelled',
    })
    expect(existsSync(join(computer.folder, 'sockets'))).toBe(false)
    expect(existsSync(join(computer.folder, 'trees')) ? readdirSync(join(computer.folder, 'trees')) : []).toEqual([])
  })
})
