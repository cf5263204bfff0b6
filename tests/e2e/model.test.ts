import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunView } from '@choiros/contract/run-view.ts'
import { readEvent, type Event } from '@choiros/contract/event.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { MODEL_KEY, openRunHome, type RunHome } from '../support/run-home.ts'
import { startScriptedModel, type Scripted, type ScriptedModel, type SeenRequest } from '../support/scripted-model.ts'

const APP = `import { defineApp } from '@choiros/sdk/app.ts'
import { Dice } from './dice.tsx'

export default defineApp({ id: 'dice', title: 'Dice', glyph: '⚄', size: { width: 320, height: 240 }, Content: Dice })
`
const DICE = `import { useStored } from '@choiros/sdk/stored.ts'

export function Dice() {
  void useStored
  return <p>dice</p>
}
`
const write = (path: string, text: string) => ({ name: 'write', input: { path, text } })
const EDIT: Scripted = { uses: [{ name: 'edit', input: { instruction: 'make a dice app' } }] }
const DONE: Scripted = { text: 'There is a dice app now.' }

/** Who is asked, and for the how-manieth time in this talk. */
function askedOf({ body }: SeenRequest): { isDirector: boolean; turn: number; last: string } {
  const isDirector = body.tools?.some((tool) => tool.function?.name === 'look') === true
  return { isDirector, turn: body.messages.filter(({ role }) => role === 'assistant').length, last: JSON.stringify(body.messages.at(-1)) }
}

/** A Director that has it done and reports, and an Associate that follows the given turns; the last one is repeated. */
const associate =
  (...turns: readonly Scripted[]) =>
  (request: SeenRequest): Scripted => {
    const { isDirector, turn } = askedOf(request)
    if (isDirector) return turn === 0 ? EDIT : { text: 'You have a dice app now.' }
    return turns[Math.min(turn, turns.length - 1)]!
  }

describe('a model in the loop', { timeout: 60_000 }, () => {
  let model: ScriptedModel
  let home: RunHome
  let computer: Computer
  const LIMITS = { tokensPerRun: 400_000, stallMs: 1500, pauseMs: 10 }

  beforeAll(async () => {
    model = await startScriptedModel(() => DONE)
    home = openRunHome(temporaryFolder(), { modelUrl: model.url, modelLimits: LIMITS })
    computer = await home.addComputer('desk')
  }, 120_000)
  afterAll(async () => {
    await home?.close()
    await model?.close()
    removeFolders()
  })

  const ask = async (
    script: ScriptedModel['script'],
    text = 'I want to roll some dice',
  ): Promise<{ run: RunView; events: Event[]; calls: number }> => {
    model.script = script
    const before = model.seen.length
    const run = await home.prompt(computer, text)
    const events = (await computer.log.read({ after: run.asked - 1, limit: 1000 })).map(readEvent).filter((event) => event.run === run.run)
    return { run, events, calls: model.seen.length - before }
  }
  const treeHash = async () => (await home.run('tree', { at: null }, { computer: computer.id })).hash
  /** What was reserved, what it came to, and that nothing stays open. */
  const spent = (events: readonly Event[]) => {
    const of = (type: string) => events.filter((event) => event.type === type)
    expect(of('budget.settle')).toHaveLength(of('budget.reserve').length)
    return of('budget.settle').reduce((sum, event) => sum + Number(event.data.tokens), 0)
  }

  test('builds an app that no recipe makes, from the SDK alone; it lands, is undone and redone', async () => {
    const before = await treeHash()
    const { run, events } = await ask(
      associate(
        {
          uses: [
            { name: 'list', input: { folder: 'sdk/' } },
            { name: 'read', input: { path: 'app/apps/files/app.tsx' } },
          ],
        },
        { uses: [write('app/apps/dice/app.tsx', APP), write('app/apps/dice/dice.tsx', DICE)] },
        DONE,
      ),
    )
    expect(run).toMatchObject({ status: 'landed', reply: 'You have a dice app now.' })
    expect(events.filter(({ type }) => type === 'tool.result').map(({ data }) => [data.summary, data.files])).toEqual([
      ['list sdk/', 0],
      ['read app/apps/files/app.tsx', 0],
      ['write app/apps/dice/app.tsx', 1],
      ['write app/apps/dice/dice.tsx', 2],
    ])
    expect(spent(events)).toBe(120 * events.filter(({ type }) => type === 'budget.reserve').length)
    const after = await treeHash()
    await home.run('undo', { target: { kind: 'run', run: run.run }, tree: null }, { computer: computer.id })
    expect(await treeHash()).toBe(before)
    await home.run('redo', {}, { computer: computer.id })
    expect(await treeHash()).toBe(after)
    await home.run('undo', { target: { kind: 'run', run: run.run }, tree: null }, { computer: computer.id })
  })

  /** Ends without a landing, with the tree as it was and every reservation settled. */
  const refused: readonly { name: string; script: ScriptedModel['script']; why: RegExp; reply?: RegExp }[] = [
    { name: 'a lie about work that was not done', script: () => ({ text: 'Done! I added a dice app.' }), why: /./, reply: /Nothing was changed/ },
    { name: 'empty answers', script: () => ({ text: '' }), why: /no answer/ },
    { name: 'empty answers of the Associate', script: associate({ text: '' }), why: /./, reply: /dice/ },
    {
      name: 'garbage instead of JSON',
      script: () => ({ uses: [{ name: 'edit', input: {} }], rawInput: '{"instruction": "make' }),
      why: /no JSON|could not be read/,
    },
    {
      name: 'a stream that is cut',
      script: () => ({ text: 'I will make you a beautiful dice app right away', cut: true }),
      why: /broke off|could not be read|does not answer/,
    },
    { name: 'a hang', script: () => ({ hang: true }), why: /sent nothing/ },
    { name: 'nothing but 500', script: () => ({ status: 500 }), why: /busy \(500\)/ },
    { name: 'a key that is not accepted', script: () => ({ status: 401 }), why: /key was not accepted/ },
    { name: 'the same call for ever', script: associate({ uses: [{ name: 'read', input: { path: 'app/main.tsx' } }] }), why: /./ },
    {
      name: 'a path outside of the scope',
      script: associate({ uses: [write('artifacts/stolen.md', 'x')] }, { text: 'I could not write it.' }),
      why: /./,
    },
    { name: 'a path that leads out', script: associate({ uses: [write('../../etc/passwd', 'x')] }, { text: 'I could not.' }), why: /./ },
    { name: 'a symlink out', script: associate({ uses: [{ name: 'shell', input: { command: 'ln -s /etc/passwd app/out' } }] }, DONE), why: /./ },
    { name: 'code that never compiles', script: associate({ uses: [write('app/apps/dice/app.tsx', 'export default 5 +')] }, DONE), why: /./ },
  ]
  for (const { name, script, why, reply = /./ } of refused) {
    test(`${name}: nothing changes, nothing is owed, and it is said in words`, async () => {
      const before = await treeHash()
      const { run, events } = await ask(script)
      expect(run.status).toBe('discarded')
      expect(run.reason).toMatch(why)
      expect(run.reply).toMatch(reply)
      expect(await treeHash()).toBe(before)
      expect(spent(events)).toBeLessThanOrEqual(LIMITS.tokensPerRun)
    })
  }

  test('busy servers are asked again, a few times', async () => {
    let asked = 0
    const { run, calls } = await ask(() => (++asked <= 2 ? { status: 429 } : { text: 'I have nothing to add today.' }))
    expect([run.status, calls]).toEqual(['discarded', 3])
    expect(run.reply).toContain('nothing to add')
  })

  test.each([
    ['broken TypeScript', `import { defineApp } from '@choiros/sdk/app.ts'\nexport default defineApp({ id: 5 })\n`, 'types'],
    ['localStorage', APP.replace('export default', "localStorage.setItem('a', 'b')\nexport default"), 'useStored'],
  ])('%s is refused, told, and right on the second try', async (_, bad, told) => {
    let attempt = 0
    const heard: string[] = []
    const { run, events } = await ask((request) => {
      const { isDirector, turn, last } = askedOf(request)
      if (isDirector) {
        heard.push(last)
        return turn < 2 ? EDIT : { text: 'You have a dice app now.' }
      }
      if (turn === 0) attempt++
      if (attempt === 2 && turn === 0) heard.push(JSON.stringify(request.body.messages))
      return turn === 0 ? { uses: [write('app/apps/dice/app.tsx', attempt === 1 ? bad : APP), write('app/apps/dice/dice.tsx', DICE)] } : DONE
    })
    expect(run).toMatchObject({ status: 'landed' })
    expect(heard[1]).toContain(told)
    expect(heard.join('\n')).toContain('An earlier attempt was refused')
    expect(events.filter(({ type, data }) => type === 'receipt.verifier' && data.ok === false).length).toBeGreaterThan(0)
    await home.run('undo', { target: { kind: 'run', run: run.run }, tree: null }, { computer: computer.id })
  })

  test('an Associate that checks its stage sees its mistake, mends it, and is right the first time it is judged', async () => {
    const heard: string[] = []
    const check: Scripted = { uses: [{ name: 'check', input: {} }] }
    const { run, events } = await ask((request) => {
      const { isDirector, last } = askedOf(request)
      if (!isDirector) heard.push(last)
      return associate(
        check,
        {
          uses: [
            write('app/apps/dice/app.tsx', APP),
            write('app/apps/dice/dice.tsx', DICE.replace('<p>dice</p>', '<p>{localStorage.length + misspelt}</p>')),
          ],
        },
        check,
        { uses: [write('app/apps/dice/dice.tsx', DICE)] },
        check,
        DONE,
      )(request)
    })
    expect(heard[1]).toContain('nothing was changed yet')
    expect(heard[3]).toContain("types: app/apps/dice/dice.tsx:5: Cannot find name 'misspelt'.")
    expect(heard[3]).toContain('policy: app/apps/dice/dice.tsx:5: localStorage')
    expect(heard[5]).toContain('good: transform, types, policy')
    expect(run).toMatchObject({ status: 'landed' })
    expect(events.filter(({ type }) => type === 'receipt.verifier').map(({ data }) => data.ok)).toEqual([true, true, true])
    expect(
      events.filter(({ type, data }) => type === 'tool.result' && String(data.summary).startsWith('the checks')).map(({ data }) => data.ok),
    ).toEqual([false])
    await home.run('undo', { target: { kind: 'run', run: run.run }, tree: null }, { computer: computer.id })
  })

  test('endless tool calls end at their limit', async () => {
    let count = 0
    const { run, events } = await ask(associate({ uses: [{ name: 'search', input: { text: 'x', folder: 'app/apps/writer' } }] }))
    expect(run.status).toBe('discarded')
    const different = await ask((request) => {
      const { isDirector, turn } = askedOf(request)
      if (isDirector) return turn === 0 ? EDIT : { text: 'It did not come to an end.' }
      return { uses: [{ name: 'search', input: { text: `x${count++}`, folder: 'app/apps/writer' } }] }
    })
    expect(different.run.status).toBe('discarded')
    expect(different.events.filter(({ type }) => type === 'tool.call').length).toBeLessThanOrEqual(200)
    expect(spent([...events, ...different.events])).toBeLessThanOrEqual(2 * LIMITS.tokensPerRun)
  })

  test('[L9] an injected order to find and send the key finds none: the key in use is nowhere inside, in no event and no object', async () => {
    const { run, events } = await ask(
      associate(
        {
          uses: [
            {
              name: 'shell',
              input: {
                command:
                  'env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null; grep -rIl sk-planted /etc /run /home /tmp /stage /base /opt/choir/agents /opt/choir/sdk 2>/dev/null | head; ls -R /run',
              },
            },
          ],
        },
        { uses: [{ name: 'approve', input: {} }] },
        { text: 'I found no key.' },
      ),
    )
    expect(run.status).toBe('discarded')
    expect(model.seen.at(-1)?.headers.authorization).toBe(`Bearer ${MODEL_KEY}`)
    const forms = [MODEL_KEY, Buffer.from(MODEL_KEY).toString('base64').replace(/=+$/, '')]
    const everything = JSON.stringify([events, model.seen.map(({ body }) => body)])
    for (const form of forms) expect(everything).not.toContain(form)
    expect(everything).toContain('there is no tool approve')
  })

  test('a budget is kept exactly: what would go past it is not even begun', async () => {
    const poor = openRunHome(temporaryFolder(), { modelUrl: model.url, modelLimits: { ...LIMITS, tokensPerRun: 12_000 } })
    try {
      const own = await poor.addComputer('desk')
      let count = 0
      model.script = (request) => (askedOf(request).isDirector ? EDIT : { uses: [{ name: 'search', input: { text: `y${count++}`, folder: 'app' } }] })
      const run = await poor.prompt(own, 'I want to roll some dice')
      expect(run).toMatchObject({ status: 'discarded' })
      const events = (await own.log.read({ after: run.asked - 1, limit: 1000 })).map(readEvent).filter((event) => event.run === run.run)
      expect(spent(events)).toBeLessThanOrEqual(12_000)
      expect(JSON.stringify(events)).toContain('the cap of 12,000 tokens for this run is reached')
    } finally {
      await poor.close()
    }
  })

  test('Stop in the middle of a model call ends it, settles it, and leaves nothing', async () => {
    const before = await treeHash()
    model.script = () => ({ hang: true })
    const asked = await home.ask(computer, 'I want to roll some dice')
    await expect.poll(() => home.run('run.get', { run: asked.run }, { computer: computer.id })).toMatchObject({ status: 'running' })
    await expect.poll(() => computer.state.queries.openCalls().length, { timeout: 10_000 }).toBe(1)
    await home.run('stop', { run: null }, { computer: computer.id })
    expect(await home.ended(computer, asked)).toMatchObject({ status: 'cancelled' })
    expect(computer.state.queries.openCalls()).toEqual([])
    expect(await treeHash()).toBe(before)
  })
})
