import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../tests/support/browsers.ts'
import { startScriptedModel, type ScriptedModel } from '../tests/support/scripted-model.ts'
import { runTask, summaryOf } from './harness.ts'
import { TASKS } from './tasks.ts'

const task = (name: string) => TASKS.find((one) => one.name === name)!
const DICE = `import { defineApp } from '@choiros/sdk/app.ts'

export default defineApp({ id: 'dice', title: 'Dice', glyph: '⚄', size: { width: 320, height: 240 }, Content: () => <p>dice</p> })
`

describe('the eval harness', { timeout: 120_000 }, () => {
  let browser: Browser
  let model: ScriptedModel
  beforeAll(async () => {
    browser = await launchBrowser('chromium')
    model = await startScriptedModel(({ body }) => {
      const isDirector = body.tools?.some((tool) => tool.function?.name === 'look') === true
      const turn = body.messages.filter(({ role }) => role === 'assistant').length
      if (isDirector)
        return turn === 0
          ? { uses: [{ name: 'edit', input: { instruction: 'make a dice app' } }] }
          : { text: 'You have a dice app now.' }
      return turn === 0
        ? { uses: [{ name: 'write', input: { path: 'app/apps/dice/app.tsx', text: DICE } }] }
        : { text: 'There is a dice app.' }
    })
    Object.assign(process.env, {
      CHOIR_MODEL_PROVIDER: 'openai-compatible',
      CHOIR_MODEL_URL: model.url,
      CHOIR_MODEL_NAME: 'scripted',
    })
  })
  afterAll(async () => {
    for (const name of ['CHOIR_MODEL_PROVIDER', 'CHOIR_MODEL_URL', 'CHOIR_MODEL_NAME']) delete process.env[name]
    await browser.close()
    await model.close()
  })

  test('has thirty tasks with names of their own, of every group', () => {
    expect(TASKS).toHaveLength(30)
    expect(new Set(TASKS.map(({ name }) => name)).size).toBe(30)
    expect(new Set(TASKS.map(({ group }) => group)).size).toBe(6)
  })

  test('knows what was done from what was not, by files and page, and counts what it cost', async () => {
    const results = [
      await runTask(task('dice'), browser),
      await runTask(task('calculator'), browser),
      await runTask(task('accent by name'), browser),
    ]
    expect(results.map(({ problem }) => problem)).toEqual([null, expect.stringContaining('no app like'), null])
    expect(results.map(({ tokens }) => tokens)).toEqual([480, 480, 0])
    expect(summaryOf(results)).toMatch(/^2 of 3 done, .* 960 tokens$/)
  })
})
