import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BudgetReserve } from '@choiros/contract/events/account.ts'
import type { InputOf } from '@choiros/contract/commands.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { agentDraft } from '@choiros/supervisor/computer/drafts.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openTestHome } from '../support/open-home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import { startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'

/** Every call of the scripted model comes to this. */
const CALL_TOKENS = 120
const PRICES = { input: 3, output: 15 }
const CALL_MICROS = 100 * PRICES.input + 20 * PRICES.output
/** The longest answer that is asked for, and the shortest that is of use. */
const OUTPUT_TOKENS = 32_768
const OUTPUT_TOKENS_LEAST = 2048

describe('caps on what a model may cost', { timeout: 60_000 }, () => {
  let model: ScriptedModel
  let home: RunHome
  let computer: Computer
  let count = 0

  beforeAll(async () => {
    model = await startScriptedModel(() => ({ text: 'I have nothing to add today.' }))
    home = openRunHome(temporaryFolder(), { modelUrl: model.url })
  })
  beforeEach(async () => {
    computer = await home.addComputer(`c${++count}`)
  })
  afterEach(() =>
    home.run('model.set', {
      provider: 'openai-compatible',
      url: model.url,
      key: null,
      fast: 'a',
      strong: 'a',
      prices: null,
    }),
  )
  afterAll(async () => {
    await home?.close()
    await model?.close()
    removeFolders()
  })

  const set = (caps: InputOf<'budget.set'>) => home.run('budget.set', caps, { computer: computer.id })
  const get = () => home.run('budget.get', {}, { computer: computer.id })
  /** One wish is one call here. */
  const ask = async (): Promise<{ run: RunView; called: boolean }> => {
    const before = model.seen.length
    const run = await home.prompt(computer, 'what about the garden?')
    return { run, called: model.seen.length > before }
  }
  /** What the next call is reserved with, from the last one that was. */
  const reservation = async () => {
    const events = await home.events(computer)
    return events.findLast(({ type }) => type === 'budget.reserve')?.data as { tokens: number; micros: number | null }
  }
  const refusedBy = (cap: RegExp) => ({
    run: {
      status: 'discarded',
      reply: expect.stringMatching(
        new RegExp(`^I stopped: ${cap.source}.*Raise it under Model in the frame`),
      ) as string,
    },
    called: false,
  })

  test('until someone says otherwise there are caps for a run and a day, and none in all or in money', async () => {
    expect(await get()).toEqual({
      today: { tokens: 0, micros: 0 },
      computer: { tokens: 0 },
      run: null,
      caps: { run: 1_500_000, day: 10_000_000, computer: null, micros: null },
      priced: false,
    })
  })

  test('a cap that is lowered, raised and lowered again is kept exactly, down to the token', async () => {
    expect(await ask()).toMatchObject({ called: true })
    const { tokens } = await reservation()
    // The talk grows with each wish, and so does the next reservation: leave it room for that, and none for a second
    // call.
    for (const day of [CALL_TOKENS + tokens + 500, 2 * CALL_TOKENS + tokens + 1000]) {
      await set({ day: CALL_TOKENS })
      expect(await ask()).toMatchObject(
        refusedBy(/The cap of 120 tokens for today is reached: \d+ are used, and the next call could take/),
      )
      await set({ day })
      expect(await ask()).toMatchObject({ called: true })
    }
    expect(await get()).toMatchObject({
      today: { tokens: 3 * CALL_TOKENS },
      caps: { run: 1_500_000, day: 2 * CALL_TOKENS + tokens + 1000 },
    })
    // Where a long answer has no room left, a shorter one may have.
    const shortest = (await reservation()).tokens - OUTPUT_TOKENS + OUTPUT_TOKENS_LEAST
    await set({ run: shortest + 500 })
    expect(await ask()).toMatchObject({ called: true })
    expect((await reservation()).tokens).toBeLessThanOrEqual(shortest + 500)
    await set({ run: shortest - 1 })
    expect(await ask()).toMatchObject(refusedBy(/The cap of [\d,]+ tokens for this run is reached: 0 are used/))
  })

  test('a cap in all counts everything there ever was', async () => {
    await ask()
    await set({ computer: CALL_TOKENS + 1 })
    expect(await ask()).toMatchObject(refusedBy(/The cap of 121 tokens for this computer is reached: 120 are used/))
    await set({ computer: null })
    expect(await ask()).toMatchObject({ called: true })
  })

  test('a cap in money is kept where prices are known, reserved in full and settled by what was used', async () => {
    await set({ micros: 1 })
    expect(await ask()).toMatchObject({ called: true }) // Nobody can say what it costs.
    await home.run('model.set', {
      provider: 'openai-compatible',
      url: model.url,
      key: null,
      fast: 'a',
      strong: 'a',
      prices: PRICES,
    })
    expect(await ask()).toMatchObject(
      refusedBy(/The cap of 0\.00 in money for today is reached: 0\.00 are used, and the next call could take 0\.5\d/),
    )
    await set({ micros: 1_000_000 })
    expect(await ask()).toMatchObject({ called: true })
    expect((await reservation()).micros).toBeGreaterThan(OUTPUT_TOKENS * PRICES.output)
    expect(await get()).toMatchObject({ today: { micros: CALL_MICROS }, priced: true })
  })

  test('a desktop reads them and may not set them; every change is an event that no undo takes back', async () => {
    const asDesktop = { computer: computer.id, caller: 'desktop' } as const
    await expect(home.run('budget.set', { day: 10 }, asDesktop)).rejects.toMatchObject({ code: 'request.refused' })
    await set({ day: 1000 })
    await set({ day: 1000 })
    await set({ run: 10, micros: 5 })
    expect((await home.run('budget.get', {}, asDesktop)).caps).toEqual({
      run: 10,
      day: 1000,
      computer: null,
      micros: 5,
    })
    await home.run('restore', { to: 1 as never }, { computer: computer.id })
    expect((await get()).caps.day).toBe(1000)
    const caps = (await home.events(computer)).filter(({ type }) => type === 'budget.cap')
    expect(caps.map(({ data, via, source }) => [data, via, source])).toEqual([
      [{ run: 1_500_000, day: 1000, computer: null, micros: null }, 'cli', 'user'],
      [{ run: 10, day: 1000, computer: null, micros: 5 }, 'cli', 'user'],
    ])
    await expect(set({ day: -1 })).rejects.toMatchObject({ code: 'request.invalid' })
    await expect(set({ day: 1.5 })).rejects.toMatchObject({ code: 'request.invalid' })
  })
})

test('[L11] after a crash in a call its money counts in full, as its tokens do', async () => {
  const folder = temporaryFolder()
  const first = openTestHome(folder)
  await first.run('computer.add', { name: 'desk' as never })
  const before = await first.computer()
  const data = { call: 'b1', tier: 'strong' as const, model: 'm', tokens: 9000, micros: 30_000 }
  await before.append(() => ({ draft: agentDraft(before, 'r1' as RunId, BudgetReserve, data, 'system') }))
  await first.close()
  const second = openTestHome(folder)
  const { queries } = await second.computer()
  expect([queries.openCalls(), queries.tokensOfDay(Math.floor(Date.now() / 86_400_000))]).toEqual([
    [],
    { tokens: 9000, micros: 30_000 },
  ])
  await second.close()
})
