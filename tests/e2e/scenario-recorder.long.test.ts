import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { ModelProvider } from '@choiros/contract/models.ts'
import { prepareToolchain } from '@choiros/supervisor/desk/toolchain.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRecorder, type Recorder } from '../scenarios/recorder.ts'
import { play, readScenario, type Scenario } from '../scenarios/scenario.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { CHECKOUT, MODEL_KEY, openRunHome } from '../support/run-home.ts'
import { startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'

const LIMITS = { stallMs: 1500, pauseMs: 10 }

describe('the recorder', { timeout: 90_000 }, () => {
  const shared = temporaryFolder()
  let model: ScriptedModel
  let recorder: Recorder
  let folder = ''

  beforeAll(async () => {
    await prepareToolchain(CHECKOUT, shared)
    model = await startScriptedModel(() => ({ text: 'Hello.' }))
  })
  afterAll(async () => {
    await model?.close()
    removeFolders()
  })

  const record = async (upstream = model.url) => {
    folder = temporaryFolder()
    recorder = await startRecorder({ upstream, folder, name: 'recorded' })
    return recorder
  }
  const recorded = (index: number) => readScenario(basename(recorder.files[index] ?? '', '.json'), folder)
  /** One wish on a computer of its own: what stands there in the end. */
  const treeAfter = async (modelUrl: string, modelProvider: ModelProvider, wishes: readonly string[]) => {
    const home = openRunHome(temporaryFolder(), { toolchainOf: shared, modelUrl, modelProvider, modelLimits: LIMITS })
    try {
      const computer = await home.addComputer('desk')
      const ends: string[] = []
      for (const wish of wishes) ends.push((await home.prompt(computer, wish)).status)
      return { ends, tree: (await home.run('tree', { at: null }, { computer: computer.id })).hash }
    } finally {
      await home.close()
    }
  }
  /** What is played does not depend on how it is written down. */
  const said = ({ wish, director, associates }: Scenario) => {
    const plain = (talk: Scenario['director']) => talk.map((answer) => ({ ...answer, usage: undefined }))
    return { wish, director: plain(director), associates: associates.map(plain) }
  }

  test.each<[ModelProvider, string]>([
    ['openai-compatible', 'broken-types-then-right'],
    ['anthropic', 'busy-for-the-associate'],
  ])('by %s: %s, recorded and played again, gives the same tree', async (provider, name) => {
    const original = readScenario(name)
    model.script = play(original)
    const { url, close } = await record()
    const first = await treeAfter(url, provider, [original.wish])
    await close()
    expect(first.ends).toEqual(['landed'])
    expect(said(recorded(0))).toEqual(said(original))
    model.script = play(recorded(0))
    expect(await treeAfter(model.url, provider, [original.wish])).toEqual(first)
  })

  test('each wish is a file of its own, and no key is in any, not even one that the model says', async () => {
    let wishes = 0
    model.script = ({ headers }) => ({ text: `${++wishes}: I was told ${headers.authorization ?? 'nothing'}` })
    const { url, files, close } = await record()
    await treeAfter(url, 'openai-compatible', ['Why is the sky blue?', 'Why is the sea green?'])
    await close()
    expect([0, 1].map((index) => said(recorded(index)))).toEqual([
      { wish: 'Why is the sky blue?', director: [{ text: '1: I was told Bearer [key]' }], associates: [] },
      { wish: 'Why is the sea green?', director: [{ text: '2: I was told Bearer [key]' }], associates: [] },
    ])
    for (const file of files)
      expect(readFileSync(file, 'utf8')).not.toMatch(new RegExp(`${MODEL_KEY}|user-agent|authorization`, 'i'))
  })

  test('bytes pass unchanged and as they come; a hang, a cut, a refusal and input that is no JSON are written down as such', async () => {
    const { url, close } = await record()
    const body = JSON.stringify({
      messages: [{ role: 'user', content: 'The person says: "hm"\n\nFiles:' }],
      tools: [{ name: 'look' }],
    })
    const post = (to: string, signal?: AbortSignal) =>
      fetch(`${to}/chat/completions`, { method: 'POST', body, ...(signal ? { signal } : {}) })

    model.script = () => ({
      text: 'Ein Gruß aus München \u{1f600}',
      uses: [{ name: 'edit', raw: '{"instruction": "make' }],
    })
    const [direct, through] = [await post(model.url), await post(url)]
    expect([through.status, through.headers.get('content-type'), await through.text()]).toEqual([
      200,
      'text/event-stream',
      await direct.text(),
    ])
    model.script = () => ({ text: 'I will make you a beautiful dice app', cut: true })
    await expect(post(url).then((answer) => answer.text())).rejects.toThrow('terminated')
    model.script = () => ({ hang: true })
    const gone = new AbortController()
    const hanging = await post(url, gone.signal) // The headers come through although nothing follows.
    gone.abort()
    expect(hanging.status).toBe(200)
    await expect.poll(() => recorder.files.length).toBe(3)
    model.script = () => ({ status: 401, body: 'no such key: sk-secret' })
    const refused = await post(url)
    expect([refused.status, await refused.text()]).toEqual([401, 'no such key: sk-secret'])
    await close()

    expect([0, 1, 2, 3].map((index) => said(recorded(index)).director)).toEqual([
      [{ text: 'Ein Gruß aus München \u{1f600}', uses: [{ name: 'edit', raw: '{"instruction": "make' }] }],
      [{ text: expect.stringMatching(/^I will make/) as string, cut: true }],
      [{ hang: true }],
      [{ status: 401 }],
    ])
  })
})
