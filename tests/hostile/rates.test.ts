import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS, type CommandName, type InputOf } from '@choiros/contract/commands.ts'
import type { Caller } from '@choiros/contract/commands/command.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder, type TestHome } from '../support/home.ts'
import { write } from './damage.ts'

removeFoldersAfterEach()

const GEOMETRY = { x: 0.1, y: 0.1, width: 0.5, height: 0.5, state: 'normal' } as const
const codeOf = (error: unknown) => (error instanceof ChoirError ? error.code : String(error))
const seqOf = async (own: TestHome) => (await own.computer()).head().seq

describe('who may do what', () => {
  let folder: string
  let own: TestHome
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'choir-rates-'))
    own = openTestHome(folder)
    await own.run('files.change', { operations: [write('own.txt', 'mine')] })
  })
  afterAll(async () => {
    await own.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const callers = ['frame', 'desktop', 'cli', 'gateway'] as const satisfies readonly Caller[]
  for (const caller of callers) {
    const forbidden = (Object.keys(COMMANDS) as CommandName[]).filter(
      (name) => !(COMMANDS[name].from as readonly Caller[]).includes(caller),
    )
    for (const name of forbidden) {
      test(`the ${caller} may not ${name}, whatever it sends, and nothing happens`, async () => {
        const before = await seqOf(own)
        for (const input of [
          undefined,
          null,
          {},
          { to: 1 },
          { name: 'x' },
          { target: { kind: 'event', seq: 2 }, tree: null },
          'x'.repeat(100_000),
        ]) {
          const refused = own.run(name, input as InputOf<typeof name>, { caller })
          await expect(refused).rejects.toMatchObject({ code: 'request.refused' })
        }
        expect(await seqOf(own)).toBe(before)
      })
    }
  }

  test('what undoes, restores, erases, proves or makes computers is not for the desktop', () => {
    const owners: readonly CommandName[] = [
      'undo',
      'redo',
      'restore',
      'erase',
      'checkpoint',
      'fork',
      'verify',
      'replay',
      'computer.add',
      'status',
    ]
    for (const name of owners)
      expect([name, (COMMANDS[name].from as readonly string[]).includes('desktop')]).toEqual([name, false])
  })
})

describe('rates', () => {
  test('a desktop that writes in a loop is refused with the time to wait, while its owner is served', async () => {
    let nowMs = Date.now()
    const own = openTestHome(temporaryFolder(), { now: () => nowMs })
    await own.run('files.change', { operations: [write('own.txt', 'mine')] })
    const asDesktop = (index: number) =>
      own.run('files.change', { operations: [write(`loop/${index}.txt`, `${index}`)] }, { caller: 'desktop' })
    const outcomes = await Promise.allSettled(Array.from({ length: 400 }, (_, index) => asDesktop(index)))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    expect(refused).toHaveLength(100)
    expect(new Set(refused.map(codeOf))).toEqual(new Set(['rate.limited']))
    const { retryAfterMs } = (refused[0] as ChoirError).details as { retryAfterMs: number }
    expect(retryAfterMs).toBeGreaterThan(0)
    await own.run('files.change', { operations: [write('frame.txt', 'x')] }, { caller: 'frame' })
    await own.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null }, { caller: 'frame' })
    await expect(asDesktop(1000)).rejects.toMatchObject({ code: 'rate.limited' })
    nowMs += retryAfterMs
    await asDesktop(1000)
    await expect(asDesktop(1001)).rejects.toMatchObject({ code: 'rate.limited' })
    nowMs -= 60_000 // A clock that is set back gives nothing away and takes nothing.
    await expect(asDesktop(1002)).rejects.toMatchObject({ code: 'rate.limited' })
    await own.close()
  })

  test('looking is not rationed', async () => {
    const own = openTestHome(temporaryFolder())
    await own.run('files.change', { operations: [write('own.txt', 'mine')] })
    const looks = Array.from({ length: 1000 }, () =>
      own.run('files.list', { path: null, at: null }, { caller: 'desktop' }),
    )
    expect((await Promise.allSettled(looks)).filter(({ status }) => status === 'rejected')).toEqual([])
    await own.close()
  })

  test('one computer in a loop takes nothing from another', async () => {
    const own = openTestHome(temporaryFolder())
    for (const name of ['one', 'two']) await own.run('computer.add', { name: name as never })
    const loop = (computer: string, count: number) =>
      Promise.allSettled(
        Array.from({ length: count }, (_, index) =>
          own.run('files.change', { operations: [write(`${index}`, `${index}`)] }, { caller: 'desktop', computer }),
        ),
      )
    await loop('one', 350)
    expect((await loop('two', 250)).filter(({ status }) => status === 'rejected')).toEqual([])
    await own.close()
  })

  test('a window that is dragged for a second becomes a few events, and the last place is the one that counts', async () => {
    const own = openTestHome(temporaryFolder())
    await own.run('files.change', { operations: [write('own.txt', 'mine')] })
    await own.run('window.open', { window: 'w1', app: 'writer', title: 'Notes' })
    const before = await seqOf(own)
    const moves: Promise<unknown>[] = []
    for (let index = 0; index < 200; index++) {
      moves.push(
        own.run(
          'window.settle',
          { window: 'w1', device: 'wide', geometry: { ...GEOMETRY, x: index / 200 } },
          { caller: 'desktop' },
        ),
      )
      if (index % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await Promise.all(moves)
    expect((await seqOf(own)) - before).toBeLessThanOrEqual(8)
    expect(await own.run('window.list', {})).toMatchObject([{ window: 'w1', wide: { x: 199 / 200 } }])
    await own.close()
  })

  test('a flood for windows that are not there, or are closed meanwhile, is refused and writes nothing', async () => {
    const own = openTestHome(temporaryFolder())
    await own.run('files.change', { operations: [write('own.txt', 'mine')] })
    await own.run('window.open', { window: 'w1', app: 'writer', title: 'Notes' })
    const settle = (window: string) => own.run('window.settle', { window, device: 'narrow', geometry: GEOMETRY })
    const flood = Promise.allSettled([
      ...Array.from({ length: 50 }, (_, index) => settle(`none-${index}`)),
      settle('w1'),
    ])
    await own.run('window.close', { window: 'w1' })
    const before = await seqOf(own)
    expect((await flood).map((outcome) => (outcome.status === 'rejected' ? codeOf(outcome.reason) : 'done'))).toEqual(
      Array.from({ length: 51 }, () => 'path.unknown'),
    )
    expect(await seqOf(own)).toBe(before)
    await expect(
      own.run('window.settle', { window: 'w1', device: 'wide', geometry: { ...GEOMETRY, x: Number.NaN } }),
    ).rejects.toMatchObject({
      code: 'request.invalid',
    })
    await own.close()
  })

  test('at most 200 windows are open', async () => {
    const own = openTestHome(temporaryFolder())
    await own.run('files.change', { operations: [write('own.txt', 'mine')] })
    const open = (index: number) => own.run('window.open', { window: `w${index}`, app: 'writer', title: 'Notes' })
    const outcomes = await Promise.allSettled(Array.from({ length: 210 }, (_, index) => open(index)))
    expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [codeOf(outcome.reason)] : []))).toEqual(
      Array.from({ length: 10 }, () => 'quota.exceeded'),
    )
    await own.close()
  })
})
