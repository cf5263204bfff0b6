import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunId } from '@choiros/contract/ids.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { choirHere, startSupervisor } from '../support/choir.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import {
  askedOf,
  startScriptedModel,
  type Script,
  type Scripted,
  type ScriptedModel,
} from '../support/scripted-model.ts'

const WISH = 'I want to roll some dice'
const APP = 'app/apps/dice/app.tsx'
const GOOD = `import { defineApp } from '@choiros/sdk/app.ts'
import { FACE } from './face.ts'

function Dice() {
  return <button type="button">{FACE}</button>
}

export default defineApp({ id: 'dice', title: 'Dice', glyph: '⚄', size: { width: 320, height: 240 }, Content: Dice })
`
const use = (name: string, input: unknown): Scripted => ({ uses: [{ name, input }] })
const writeApp = use('write', { path: APP, text: GOOD })
const writeFace = use('write', { path: 'app/apps/dice/face.ts', text: "export const FACE = 'six'\n" })
const edit = use('edit', { instruction: 'make a dice app' })

/** Each side says its answers in turn, and the last one again and again. */
function talk(director: readonly Scripted[], associate: readonly Scripted[]): Script {
  const given = { director: 0, associate: 0 }
  return (request) => {
    const { role } = askedOf(request)
    const answers = role === 'director' ? director : associate
    return answers[Math.min(given[role]++, answers.length - 1)] ?? { text: '' }
  }
}

describe('[L4] what a run leaves behind without landing', { timeout: 90_000 }, () => {
  let model: ScriptedModel
  let home: RunHome
  let computer: Computer
  const folder = temporaryFolder()

  beforeAll(async () => {
    model = await startScriptedModel(() => ({ text: 'Hello.' }))
    home = openRunHome(folder, { modelUrl: model.url, modelLimits: { stallMs: 1500, pauseMs: 10 } })
    computer = await home.addComputer('desk')
  }, 120_000)
  afterAll(async () => {
    await home?.close()
    await model?.close()
    removeFolders()
  })

  const as = () => ({ computer: computer.id })
  const treeHash = async () => (await home.run('tree', { at: null }, as())).hash
  const goOn = async (run: RunId) => home.ended(computer, await home.run('run.continue', { run }, as()))
  const fileOf = (run: RunId) => join(computer.folder, PLACES.drafts, `${run}.json`)

  /** Stopped in the middle, with one file written and the next answer still to come. */
  const stopped = async () => {
    model.script = talk([edit], [writeApp, { hang: true }])
    const asked = await home.ask(computer, WISH)
    await expect
      .poll(async () => (await home.events(computer)).some((e) => e.run === asked.run && e.type === 'tool.result'), {
        timeout: 30_000,
      })
      .toBe(true)
    await home.run('stop', { run: asked.run }, as())
    await (await home.runsOf(computer)).idle()
    return home.run('run.get', { run: asked.run }, as())
  }

  test('a stopped run leaves the tree as it was and its stage as a draft, which the next one goes on with', async () => {
    const before = await treeHash()
    const first = await stopped()
    expect(first).toMatchObject({ status: 'cancelled', draft: { files: 1 } })
    expect(await treeHash()).toBe(before)
    model.script = talk([edit, { text: 'You have a dice app now.' }], [writeFace, { text: 'There is a dice app now.' }])
    const asked = model.seen.length
    const second = await goOn(first.run)
    expect(second).toMatchObject({ status: 'landed', text: WISH, draft: null })
    expect(await home.read(computer, APP)).toBe(GOOD)
    const [director, associate] = model.seen.slice(asked).map((request) => askedOf(request).all)
    expect(director).toContain('go on with what it left')
    expect(director).toMatch(/The last task that was given for it: .{1,3}make a dice app/)
    expect(associate).toContain('What an earlier attempt left in your folder')
    expect(await home.run('run.get', { run: first.run }, as())).toMatchObject({ draft: null })
    expect([existsSync(fileOf(first.run)), existsSync(fileOf(second.run))]).toEqual([false, false])
    await home.run('undo', { target: { kind: 'run', run: second.run }, tree: null }, as())
    expect(await treeHash()).toBe(before)
  })

  test('“go on”, said in words, means the newest run that left something; where nothing is left it is a wish like any other', async () => {
    const first = await stopped()
    model.script = talk([edit, { text: 'You have a dice app now.' }], [writeFace, { text: 'There is a dice app now.' }])
    const second = await home.prompt(computer, 'Mach weiter!')
    expect(second).toMatchObject({ status: 'landed', text: WISH, draft: null })
    expect(await home.run('run.get', { run: first.run }, as())).toMatchObject({ draft: null })
    await home.run('undo', { target: { kind: 'run', run: second.run }, tree: null }, as())
    model.script = () => ({ text: 'With what?' })
    expect(await home.prompt(computer, 'go on')).toMatchObject({ status: 'answered', text: 'go on' })
  })

  test('what the person does meanwhile stays: the draft is merged with it, and gives way where it cannot be', async () => {
    const first = await stopped()
    await home.write(computer, APP, '// mine\n')
    model.script = talk([edit, { text: 'Done.' }], [writeFace, { text: 'There is a face now.' }])
    const second = await goOn(first.run)
    expect(await home.read(computer, APP)).toBe('// mine\n')
    await home.run('undo', { target: { kind: 'run', run: second.run }, tree: null }, as()).catch(() => {})
    await home.run('files.change', { operations: [{ op: 'remove', path: 'app/apps/dice' as never }] }, as())
  })

  test('within one run the next task goes on where the last one ended, unless it is to begin anew', async () => {
    const broken = use('write', { path: APP, text: 'export default 5 +' })
    const tried = [broken, { text: 'Done.' }, { text: 'Done.' }, { text: 'Done.' }, { text: 'Done.' }]
    const seen: string[] = []
    for (const fresh of [false, true]) {
      const again = use('edit', { instruction: 'try it again', fresh })
      model.script = talk(
        [edit, again, { text: 'It cannot be done.' }],
        [...tried, use('list', { folder: 'app/apps/dice' }), { text: 'No.' }],
      )
      const before = model.seen.length
      await home.prompt(computer, WISH)
      seen.push(
        ...model.seen
          .slice(before)
          .map(askedOf)
          .filter(({ role, turn, all }) => role === 'associate' && turn === 0 && all.includes('try it again'))
          .map(({ all }) => all),
      )
    }
    expect(seen.map((text) => text.includes('What an earlier attempt left in your folder'))).toEqual([true, false])
  })

  test('it can be dropped; one that is gone or damaged is nobody’s, and says so', async () => {
    const dropped = await stopped()
    expect(await home.run('run.drop', { run: dropped.run }, as())).toMatchObject({ draft: null })
    await expect(home.run('run.continue', { run: dropped.run }, as())).rejects.toMatchObject({ code: 'run.unknown' })
    for (const spoil of [
      (file: string) => rmSync(file),
      (file: string) => writeFileSync(file, '{"base":1,"changes":[],"objects":{}}'),
    ]) {
      const { run } = await stopped()
      spoil(fileOf(run))
      await expect(home.run('run.continue', { run }, as())).rejects.toMatchObject({ code: 'run.unknown' })
      expect(await home.run('run.get', { run }, as())).toMatchObject({ draft: null })
    }
  })
})

test('[L4] kill -9 in the middle of a task: the stage is taken up again', { timeout: 120_000 }, async () => {
  const model = await startScriptedModel(talk([edit], [writeApp, { hang: true }]))
  const VARIABLES = {
    CHOIR_MODEL_PROVIDER: 'openai-compatible',
    CHOIR_MODEL_URL: model.url,
    CHOIR_MODEL_NAME: 'scripted',
  }
  Object.assign(process.env, VARIABLES)
  const home = temporaryFolder()
  const runs = async () =>
    (await choirHere(home, ['runs', '--json'])).json() as { run: string; status: string; draft: unknown }[]
  try {
    const supervisor = await startSupervisor(home)
    await choirHere(home, ['computer', 'add', 'desk'])
    await choirHere(home, ['prompt', WISH])
    await expect
      .poll(async () => (await choirHere(home, ['events', '--json'])).text.includes('"tool.result"'), {
        timeout: 30_000,
      })
      .toBe(true)
    await supervisor.stop('SIGKILL')
    const again = await startSupervisor(home)
    try {
      const [run] = await runs()
      expect(run).toMatchObject({ status: 'discarded', draft: { files: 1 } })
      model.script = talk(
        [edit, { text: 'You have a dice app now.' }],
        [writeFace, { text: 'There is a dice app now.' }],
      )
      await choirHere(home, ['runs', '--continue', run?.run ?? '', '--wait'])
      expect((await runs())[0]).toMatchObject({ status: 'landed', draft: null })
      expect((await choirHere(home, ['cat', APP])).text).toBe(GOOD)
      expect(((await choirHere(home, ['verify', '--json'])).json() as { ok: boolean }).ok).toBe(true)
    } finally {
      await again.stop()
    }
  } finally {
    for (const name of Object.keys(VARIABLES)) delete process.env[name]
    await model.close()
  }
})
