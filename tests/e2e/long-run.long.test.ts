import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { ModelProvider } from '@choiros/contract/models.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import { askedOf, isTalk, startScriptedModel, type Scripted, type ScriptedModel } from '../support/scripted-model.ts'

const STEPS = 200
const APP = 'app/apps/long/app.tsx'
const SOURCE = `import { defineApp } from '@choiros/sdk/app.ts'

function Long() {
  return <p>It was a long way.</p>
}

export default defineApp({ id: 'long', title: 'Long', glyph: '⚄', size: { width: 320, height: 240 }, Content: Long })
`
const use = (name: string, input: unknown): Scripted => ({ uses: [{ name, input }] })

describe.each<ModelProvider>(['openai-compatible', 'anthropic'])(
  'a run of two hundred steps, by %s',
  (modelProvider) => {
    let model: ScriptedModel
    let home: RunHome
    let computer: Computer

    beforeAll(async () => {
      model = await startScriptedModel(() => ({ text: 'Hello.' }))
      const modelLimits = { tokensPerRun: 1_000_000_000, tokensPerDay: 1_000_000_000, stallMs: 10_000 }
      home = openRunHome(temporaryFolder(), { modelUrl: model.url, modelProvider, modelLimits })
      computer = await home.addComputer('desk')
      await home.write(computer, 'artifacts/long.txt', `${'all work and no play\n'.repeat(1500)}the last line\n`)
    }, 120_000)
    afterAll(async () => {
      await home?.close()
      await model?.close()
      removeFolders()
    })

    test('stays within what a model can read, keeps its task and its newest files word for word, and lands', async () => {
      let steps = 0
      let retold = 0
      const sizes: number[] = []
      model.script = (request) => {
        // Whoever retells what was done so far has no tools.
        if (!isTalk(request)) {
          retold++
          return { text: 'I have read the long document many times.', pieceMs: 0 }
        }
        const { role, turn, all } = askedOf(request)
        if (role === 'director')
          return turn === 0 ? use('edit', { instruction: 'read long.txt, then make the app Long' }) : { text: 'There.' }
        const chars = JSON.stringify(request.body.messages).length
        const usage = { input: Math.round(chars / 3), output: 20 }
        sizes.push(chars)
        expect(all).toContain('then make the app Long')
        if (++steps === STEPS) return use('write', { path: APP, text: SOURCE })
        if (steps > STEPS) return { text: 'There is the app Long.' }
        return {
          ...use('read', { path: 'artifacts/long.txt', from_line: (steps % 700) + 1, lines: 800 }),
          usage,
          pieceMs: 0,
        }
      }
      const run = await home.prompt(computer, 'I want a long way')
      expect(run).toMatchObject({ status: 'landed', reply: 'There.' })
      expect(sizes).toHaveLength(STEPS + 1)
      expect(Math.max(...sizes) / 3).toBeLessThan(LIMITS.contextTokensMax * 1.2)
      expect(retold).toBe(0) // Old results are left out first, and that is enough here.
    }, 300_000)
  },
)
