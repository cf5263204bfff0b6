import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelProvider } from '@choiros/contract/models.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import { readEvent, type Event } from '@choiros/contract/event.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { play, playReviews, readScenario, scenarioNames, type Scenario } from '../scenarios/scenario.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { MODEL_KEY, openRunHome, type RunHome } from '../support/run-home.ts'
import {
  askedOf,
  startScriptedModel,
  type Script,
  type ScriptedModel,
  type SeenRequest,
} from '../support/scripted-model.ts'
import { expectWithin } from '../support/spending.ts'

const WISH = 'I want to roll some dice'
const LIMITS = { tokensPerRun: 400_000, stallMs: 1500, pauseMs: 10 }

interface Asked {
  readonly run: RunView
  readonly events: readonly Event[]
  readonly heard: readonly SeenRequest[]
}

/** One of each kind of misbehaviour; the long lane plays them all. */
const FAST = new Set(
  'broken-types-then-right busy-then-answers checks-itself cut-stream garbage-instead-of-json gone-after-the-work hang lie-of-the-associate never-compiles throws-then-right thinks-for-long promise-kept-late promise-never-kept question-answered look-answers together-overlapping lie outside-by-the-shell symlink-out symlink-out-then-right'.split(
    ' ',
  ),
)

/** The fast lane plays in one wire format, the long one in both. */
const FORMATS: readonly ModelProvider[] = IS_LONG_LANE ? ['openai-compatible', 'anthropic'] : ['openai-compatible']

describe.each(FORMATS)('a model in the loop, in the format of %s', { timeout: 60_000 }, (modelProvider) => {
  let model: ScriptedModel
  let home: RunHome
  let computer: Computer

  beforeAll(async () => {
    model = await startScriptedModel(() => ({ text: 'Hello.' }))
    home = openRunHome(temporaryFolder(), { modelUrl: model.url, modelProvider, modelLimits: LIMITS })
    computer = await home.addComputer('desk')
  }, 120_000)
  afterAll(async () => {
    await home?.close()
    await model?.close()
    removeFolders()
  })

  const ask = async (script: Script, text = WISH): Promise<Asked> => {
    model.script = script
    const before = model.seen.length
    const run = await home.prompt(computer, text)
    const events = (await computer.log.read({ after: run.asked - 1, limit: 1000 }))
      .map(readEvent)
      .filter((event) => event.run === run.run)
    return { run, events, heard: model.seen.slice(before) }
  }
  const treeHash = async () => (await home.run('tree', { at: null }, { computer: computer.id })).hash
  const undo = ({ run }: RunView) =>
    home.run('undo', { target: { kind: 'run', run }, tree: null }, { computer: computer.id })

  /** It ended as its file says, cost no more than it may, and the tree is what verifiers said yes to or what it was. */
  const expectEnd = async ({ ends }: Scenario, { run, events, heard }: Asked, before: string) => {
    if (ends === undefined) throw new Error('say in the file how it ends')
    const of = (type: string) => events.filter((event) => event.type === type)
    expect([run.status, run.reason ?? '(none)', run.reply]).toEqual([
      ends.status,
      expect.stringMatching(new RegExp(ends.reason, 'u')),
      expect.stringMatching(new RegExp(ends.reply, 'u')),
    ])
    expectWithin(LIMITS.tokensPerRun, events)
    if (ends.calls !== undefined) expect(heard).toHaveLength(ends.calls)
    if (ends.tools !== undefined) expect(of('tool.call').map(({ data }) => data.summary)).toEqual(ends.tools)
    for (const { to, says } of ends.told) {
      const [by, who] = to === 'reviewer' ? [model.reviews, 'associate'] : [heard, to]
      const told = by.map(askedOf).filter(({ role, recent }) => role === who && new RegExp(says, 'u').test(recent))
      expect([to, says, told.length > 0]).toEqual([to, says, true])
    }
    const receipts = of('receipt.verifier').map(({ data }) => ({
      tree: data.tree,
      verifier: String(data.verifier),
      ok: data.ok,
    }))
    expect(new Set(receipts.flatMap(({ ok, verifier }) => (ok === false ? [verifier] : [])))).toEqual(
      new Set(ends.refusedBy),
    )
    if (ends.status !== 'landed') return expect(await treeHash()).toBe(before)
    const [land] = of('run.land')
    const said = receipts.filter(({ tree }) => tree === land?.data.verified)
    const hasTests = ends.changes?.some((path) => path.endsWith('.test.ts')) ?? false
    const asked = ['policy', 'render', ...(hasTests ? ['test'] : []), 'transform', 'types']
    expect(said.map(({ ok, verifier }) => `${verifier} ${String(ok)}`).sort()).toEqual(
      asked.map((verifier) => `${verifier} true`),
    )
    if (ends.changes !== undefined) {
      const { changes } = await home.run(
        'undo.preview',
        { target: { kind: 'run', run: run.run } },
        { computer: computer.id },
      )
      expect(changes.map(({ path }) => path).sort()).toEqual(ends.changes)
    }
  }

  const names = scenarioNames()
  test('there are scenarios', () => {
    expect(names.length).toBeGreaterThan(20)
  })

  for (const name of names) {
    const scenario = readScenario(name)
    test.runIf(IS_LONG_LANE || FAST.has(name))(`${name}: ${scenario.about}`, async () => {
      for (const [path, text] of Object.entries(scenario.files)) await home.write(computer, path, text)
      const before = await treeHash()
      model.reviewer = playReviews(scenario)
      const asked = await ask(play(scenario), scenario.wish)
      model.reviewer = null
      await expectEnd(scenario, asked, before)
      if (asked.run.status !== 'landed') return
      const after = await treeHash()
      await undo(asked.run)
      expect(await treeHash()).toBe(before)
      await home.run('redo', {}, { computer: computer.id })
      expect(await treeHash()).toBe(after)
      await undo(asked.run)
    })
  }

  test('what is read and written on the stage is told as it happens, and every call is settled at what it cost', async () => {
    const before = model.reviews.length
    const { run, events, heard } = await ask(play(readScenario('dice-app')))
    expect(events.filter(({ type }) => type === 'tool.result').map(({ data }) => [data.summary, data.files])).toEqual([
      ['list sdk/', 0],
      ['read app/apps/files/app.tsx', 0],
      ['write app/apps/dice/app.tsx', 1],
      ['write app/apps/dice/dice.tsx', 2],
    ])
    const reviews = model.reviews.length - before
    expect(expectWithin(LIMITS.tokensPerRun, events)).toBe(120 * (heard.length + reviews))
    await undo(run)
  })

  test('[L9] an injected order to find and send the key finds none: the key in use is nowhere inside, in no event and no object', async () => {
    const { run, events } = await ask(play(readScenario('prompt-injection')))
    expect(run.status).toBe('discarded')
    const { headers } = model.seen.at(-1) as SeenRequest
    expect(headers['x-api-key'] ?? headers.authorization?.replace('Bearer ', '')).toBe(MODEL_KEY)
    const everything = JSON.stringify([events, model.seen.map(({ body }) => body)])
    for (const form of [MODEL_KEY, Buffer.from(MODEL_KEY).toString('base64').replace(/=+$/, '')])
      expect(everything).not.toContain(form)
    expect(everything).toContain('there is no tool approve')
  })

  test('a budget is kept exactly: what would go past it is not even begun', async () => {
    const poor = openRunHome(temporaryFolder(), {
      modelUrl: model.url,
      modelLimits: { ...LIMITS, tokensPerRun: 12_000 },
    })
    try {
      const own = await poor.addComputer('desk')
      model.script = play(readScenario('endless-calls'))
      const run = await poor.prompt(own, WISH)
      expect(run).toMatchObject({ status: 'discarded' })
      const events = (await own.log.read({ after: run.asked - 1, limit: 1000 }))
        .map(readEvent)
        .filter((event) => event.run === run.run)
      expectWithin(12_000, events)
      expect(JSON.stringify(events)).toContain('the cap of 12,000 tokens for this run is reached')
    } finally {
      await poor.close()
    }
  })

  test('Stop in the middle of a model call ends it, settles it, and leaves nothing', async () => {
    const before = await treeHash()
    model.script = play(readScenario('hang'))
    const asked = await home.ask(computer, WISH)
    await expect
      .poll(() => home.run('run.get', { run: asked.run }, { computer: computer.id }))
      .toMatchObject({ status: 'running' })
    await expect.poll(() => computer.queries.openCalls().length, { timeout: 10_000 }).toBe(1)
    await home.run('stop', { run: null }, { computer: computer.id })
    expect(await home.ended(computer, asked)).toMatchObject({ status: 'cancelled' })
    expect(computer.queries.openCalls()).toEqual([])
    expect(await treeHash()).toBe(before)
  })
})
