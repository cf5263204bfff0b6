import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunView } from '@choiros/contract/run-view.ts'
import { readEvent } from '@choiros/contract/event.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import { openBubblewrap } from '@choiros/ports/sandbox/bubblewrap.ts'
import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { prepareToolchain } from '@choiros/supervisor/desk/toolchain.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { expectNothingLeft, expectRunsEnded } from '../support/run-ends.ts'
import { CHECKOUT, openRunHome, type RunHome } from '../support/run-home.ts'
import { startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'
import { createTrap, diceReviewer, diceScript, MOMENTS, SLEEP, type Place } from '../support/stop-places.ts'

const AT_ONCE_MS = 1500
const FOUND = { timeout: 20_000, interval: 10 }

/** The processes of this machine that run a command, in whatever sandbox. */
function processesThatRun(command: string): string[] {
  const commandOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    } catch {
      return '' // It ended while we looked.
    }
  }
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandOf(name) === command)
}

describe('Stop, at every moment of a run', { timeout: 90_000 }, () => {
  const shared = temporaryFolder()
  const trap = createTrap()
  let model: ScriptedModel
  let folder = ''
  let home: RunHome
  let computer: Computer
  /** Called when a landing has everything it needs. */
  let aboutToLand = () => {}

  const held = (host: SandboxHost): SandboxHost => ({
    ...host,
    async create(spec) {
      if (spec.role === 'associate') await trap.at('associate.start')
      return host.create(spec)
    },
    async runOnce(spec, exec, signal) {
      const place = exec.command.some((word) => word.endsWith('/render.mjs')) ? 'render' : 'verifiers'
      const [answer] = await Promise.all([host.runOnce(spec, exec, signal), trap.at(place)])
      return answer
    },
  })
  const open = () =>
    openRunHome(folder, {
      toolchainOf: shared,
      modelUrl: model.url,
      openHost: (sandboxes, toolchain) => held(openBubblewrap({ folder: sandboxes, toolchain: toolchain.folder })),
      machine: {
        reached(point) {
          if (point === 'run.task.after') void trap.at('task.given')
          if (point === 'run.land.after') void trap.at('landing.after')
        },
      },
      async beforeLanding(landing) {
        await trap.at('landing.before')
        aboutToLand()
        return landing
      },
    })
  const toComputer = () => ({ computer: computer.id })
  const ask = (name: string) => home.ask(computer, `roll the ${name} dice`)
  const prompt = (name: string) => home.prompt(computer, `roll the ${name} dice`)
  const tree = async () => (await home.run('tree', { at: null }, toComputer())).hash
  const undo = () => home.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null }, toComputer())
  const has = (path: string) => computer.queries.tree.entry(path) !== null
  const stop = async (run: RunId | null) => {
    const startMs = performance.now()
    const answer = await home.run('stop', { run }, toComputer())
    expect(performance.now() - startMs).toBeLessThan(AT_ONCE_MS)
    return answer
  }

  /** Events that say where a run is, as they are written. */
  const watch = async (run: RunId, signal: AbortSignal) => {
    for await (const stored of computer.log.follow(computer.head().seq, signal)) {
      const event = readEvent(stored)
      if (event.run !== run) continue
      if (event.type === 'budget.settle') void trap.at('director.answered')
      if (event.type === 'receipt.read') void trap.at('director.read')
      if (event.type === 'question.ask') void trap.at('question')
      if (event.type === 'task.plan') void trap.at('plan')
      if (event.type === 'tool.result') void trap.at('tool.after')
    }
  }
  /** Asks for the second dice and returns when they are as far as that. */
  const askUntil = async (place: Place): Promise<RunView> => {
    trap.set(place)
    const asked = await ask('second')
    const done = new AbortController()
    const watching = watch(asked.run, done.signal).catch(() => {})
    if (place === 'tool.inside') await expect.poll(() => processesThatRun(SLEEP), FOUND).toHaveLength(1)
    else await trap.arrived()
    done.abort()
    await watching
    return asked
  }

  /** Nothing of the run goes on, nothing is owed, and no file of it is there. */
  const expectNothingOf = async (run: RunId) => {
    const { host } = await home.equipment()
    expect(host.list().filter(({ role }) => role !== 'director')).toEqual([])
    await expect.poll(() => processesThatRun(SLEEP), FOUND).toEqual([])
    expect(readdirSync(join(computer.folder, 'sockets'))).toEqual(['director.sock'])
    const trees = join(computer.folder, 'trees')
    expect(existsSync(trees) ? readdirSync(trees).filter((name) => name.endsWith('.new')) : []).toEqual([])
    expect(computer.queries.openCalls()).toEqual([])
    const own = (await home.events(computer)).filter((event) => event.run === run)
    const callsOf = (type: string) =>
      own.filter((event) => event.type === type).map(({ data }) => (data as { call: string }).call)
    expect(callsOf('budget.settle')).toEqual(callsOf('budget.reserve'))
    expect([has('artifacts/second.md'), has('app/second.ts')]).toEqual([false, false])
  }
  const reopen = async () => {
    await home.close()
    await expectNothingLeft(folder, computer)
    home = open()
    computer = await home.computer()
  }

  beforeAll(async () => {
    model = await startScriptedModel(diceScript(trap))
    model.reviewer = diceReviewer(trap)
    await prepareToolchain(CHECKOUT, shared)
  })
  afterAll(async () => {
    await model?.close()
    removeFolders()
  })
  beforeEach(async () => {
    folder = temporaryFolder()
    home = open()
    computer = await home.addComputer('desk')
    return async () => {
      trap.open()
      aboutToLand = () => {}
      await home.close()
    }
  })

  test('while it is queued: it never begins, and the one before it lands', async () => {
    const empty = await tree()
    trap.set('director.model', 'first')
    const first = await ask('first')
    await trap.arrived()
    const second = await ask('second')
    expect(await stop(second.run)).toEqual({ stopped: [second.run] })
    expect(await home.run('run.get', { run: second.run }, toComputer())).toMatchObject({ status: 'cancelled' })
    trap.open()
    expect(await home.ended(computer, first)).toMatchObject({ status: 'landed' })
    expect((await home.events(computer)).filter(({ run }) => run === second.run).map(({ type }) => type)).toEqual([
      'message',
      'run.cancel',
    ])
    await expectNothingOf(second.run)
    await reopen()
    expect(await home.run('run.get', { run: second.run }, toComputer())).toMatchObject({
      status: 'cancelled',
      reason: 'stopped by you',
    })
    await expectRunsEnded(home, computer)
    await undo()
    expect(await tree()).toBe(empty)
  })

  test.each(MOMENTS)(
    '%s: it is cancelled for good, nothing of it is left, and Undo takes back what had landed before it',
    async (_, place) => {
      const empty = await tree()
      expect(await prompt('first')).toMatchObject({ status: 'landed' })
      const before = await tree()
      const { run } = await askUntil(place)
      expect(await stop(run)).toEqual({ stopped: [run] })
      // Said and meant: it is so before what was held goes on.
      expect(await home.run('run.get', { run }, toComputer())).toMatchObject({
        status: 'cancelled',
        reason: 'stopped by you',
      })
      expect(await tree()).toBe(before)
      trap.open()
      await (await home.runsOf(computer)).idle()
      expect(await tree()).toBe(before)
      await expectNothingOf(run)

      await reopen()
      expect(await home.run('run.get', { run }, toComputer())).toMatchObject({
        status: 'cancelled',
        reason: 'stopped by you',
      })
      expect(await tree()).toBe(before)
      await expectRunsEnded(home, computer)
      await undo()
      expect([await tree(), has('artifacts/first.md')]).toEqual([empty, false])
      await home.run('redo', {}, toComputer())
      expect(await tree()).toBe(before)
    },
  )

  test('the next wish works, whenever the one before it was stopped', async () => {
    for (const [, place] of MOMENTS) {
      const { run } = await askUntil(place)
      await stop(null)
      trap.open()
      expect(await prompt(`after${place.replace('.', '')}`)).toMatchObject({ status: 'landed' })
      await expectNothingOf(run)
    }
    const landed = MOMENTS.map(([, place]) => `artifacts/after${place.replace('.', '')}.md`)
    expect(landed.filter((path) => !has(path))).toEqual([])
    for (const path of landed.toReversed()) {
      await undo()
      expect([path, has(path)]).toEqual([path, false])
    }
  })

  test('right after the landing: it is too late, it stays, and Undo takes it back', async () => {
    expect(await prompt('first')).toMatchObject({ status: 'landed' })
    const before = await tree()
    const { run } = await askUntil('landing.after')
    await expect(stop(run)).rejects.toMatchObject({ code: 'run.unknown' })
    expect(await stop(null)).toEqual({ stopped: [] })
    trap.open()
    await (await home.runsOf(computer)).idle()
    const after = await tree()
    await reopen()
    expect(await home.run('run.get', { run }, toComputer())).toMatchObject({ status: 'landed' })
    expect([await tree(), has('app/second.ts')]).toEqual([after, true])
    await expectRunsEnded(home, computer)
    await undo()
    expect(await tree()).toBe(before)
    expect(await prompt('third')).toMatchObject({ status: 'landed' })
  })

  test('at the very moment of landing: it is stopped or it has landed, and what Stop answers is what is', async () => {
    const seen = new Set<string>()
    const runs = await home.runsOf(computer) // Asking for them later would take a moment of its own.
    for (let turns = 0; turns <= 12; turns++) {
      const stopping = Promise.withResolvers<RunId[]>()
      aboutToLand = () => {
        const pressed = async () => {
          for (let turn = 0; turn < turns; turn++) await Promise.resolve()
          return runs.stop(null)
        }
        pressed().then(stopping.resolve, stopping.reject)
      }
      const name = `at${turns}`
      const { run, status } = await prompt(name)
      const stopped = await stopping.promise
      expect([turns, stopped, has(`artifacts/${name}.md`)]).toEqual([
        turns,
        status === 'cancelled' ? [run] : [],
        status === 'landed',
      ])
      seen.add(status)
    }
    expect(seen).toEqual(new Set(['cancelled', 'landed']))
    aboutToLand = () => {}
    await expectRunsEnded(home, computer)
  })
})
