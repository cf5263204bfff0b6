import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../tests/support/browsers.ts'
import { askedOf, startScriptedModel, type ScriptedModel } from '../tests/support/scripted-model.ts'
import { runTask, type EvalResult } from './harness.ts'
import { jsonOf, lineOf, tableOf } from './report.ts'
import { GROUPS } from './task.ts'
import { TASKS } from './tasks.ts'

const task = (name: string) => TASKS.find((one) => one.name === name)!

const app = (id: string, title: string, code: string) => ({
  path: `app/apps/${id}/app.tsx`,
  text: `import { useState } from 'react'
import { defineApp } from '@choiros/sdk/app.ts'

function Content() {
${code}
}

export default defineApp({ id: '${id}', title: '${title}', glyph: '⚄', size: { width: 360, height: 300 }, Content })
`,
})

const DICE = `  const [rolls, setRolls] = useState<readonly string[]>([])
  const roll = () => setRolls([\`\${die()} and \${die()}\`, ...rolls].slice(0, 10))
  return (
    <div>
      <button type="button" onClick={roll}>Roll</button>
      <ol>{rolls.map((one, index) => <li key={index}>{one}</li>)}</ol>
    </div>
  )
}

function die(): number {
  return 1 + Math.floor(Math.random() * 6)`

/** Multiplies and does not divide. */
const CALCULATOR = `  const [text, setText] = useState('')
  const product = () => setText(String(text.split('×').reduce((left, right) => left * Number(right), 1)))
  return (
    <div>
      <output>{text}</output>
      {['7', '8', '9', '2', '×', '÷'].map((key) => (
        <button type="button" key={key} onClick={() => setText(text + key)}>{key}</button>
      ))}
      <button type="button" onClick={() => setText('')}>C</button>
      <button type="button" onClick={product}>=</button>
    </div>
  )`

/** Right, and wider than a phone. */
const CONVERTER = `  const [km, setKm] = useState('')
  return (
    <div style={{ width: '700px' }}>
      <label>Kilometres <input value={km} onChange={({ target }) => setKm(target.value)} /></label>
      <p role="status">{(Number(km) * 0.621371).toFixed(2)} miles</p>
    </div>
  )`

const ANSWERS: Readonly<Record<string, { readonly path: string; readonly text: string }>> = {
  dice: app('dice', 'Dice', DICE),
  calculator: app('calculator', 'Calculator', CALCULATOR),
  kilometres: app('converter', 'Converter', CONVERTER),
}

describe('the eval harness', { timeout: 240_000 }, () => {
  let browser: Browser
  let model: ScriptedModel
  const pictures = mkdtempSync(join(tmpdir(), 'choir-eval-pictures-'))
  beforeAll(async () => {
    browser = await launchBrowser('chromium')
    model = await startScriptedModel((request) => {
      const { role, turn, all } = askedOf(request)
      const file = Object.entries(ANSWERS).find(([word]) => all.includes(word))?.[1]
      if (role === 'director')
        return turn === 0 && file !== undefined
          ? { uses: [{ name: 'edit', input: { instruction: all.slice(0, 1500) } }] }
          : { text: 'It is there now.' }
      return turn === 0 && file !== undefined ? { uses: [{ name: 'write', input: file }] } : { text: 'It is written.' }
    })
    Object.assign(process.env, {
      CHOIR_MODEL_PROVIDER: 'openai-compatible',
      CHOIR_MODEL_URL: model.url,
      CHOIR_MODEL_NAME: 'scripted',
    })
  })
  afterAll(async () => {
    for (const name of ['CHOIR_MODEL_PROVIDER', 'CHOIR_MODEL_URL', 'CHOIR_MODEL_NAME']) delete process.env[name]
    rmSync(pictures, { recursive: true, force: true })
    await browser.close()
    await model.close()
  })

  test('has sixty tasks with names of their own, ten of every class', () => {
    expect(new Set(TASKS.map(({ name }) => name)).size).toBe(60)
    expect(GROUPS.map((group) => TASKS.filter((one) => one.group === group).length)).toEqual([10, 10, 10, 10, 10, 10])
  })

  test('grades by what the page does: well, right but too wide, partly right, not there; and counts what it took', async () => {
    const results: EvalResult[] = []
    for (const name of ['dice', 'unit converter', 'calculator', 'month calendar', 'accent by name'])
      results.push(await runTask(task(name), browser, { pictures }))
    expect(results.map(({ grade, problem }) => [grade, problem])).toEqual([
      [3, null],
      [2, 'at 390 pixels the window is too wide'],
      [1, '9 ÷ 2 is not 4.5'],
      [0, expect.stringContaining('no app like')],
      [3, null],
    ])
    const [dice, , , , accent] = results
    expect(dice).toMatchObject({ calls: expect.any(Number), steps: 1 })
    expect(dice!.calls).toBeGreaterThan(2)
    expect(dice!.tokens).toBe(dice!.calls * 120)
    expect(accent).toMatchObject({ calls: 0, tokens: 0 })
    expect(readdirSync(pictures)).toHaveLength(10)
    expect(existsSync(join(pictures, 'new-apps-dice-narrow.png'))).toBe(true)
    expect(lineOf(results[2]!)).toMatch(/^1 {2}new apps {3}calculator .* 9 ÷ 2 is not 4\.5$/)
    expect(tableOf(results).split('\n')).toEqual([
      '| class | passed | mean grade | model calls | steps | tokens | cost | seconds |',
      '|---|---:|---:|---:|---:|---:|---:|---:|',
      expect.stringMatching(/^\| looks \| 1 of 1 \| 3\.00 \| 0 \| 1 \| 0 \| – \| [\d.]+ \|$/),
      expect.stringMatching(/^\| new apps \| 2 of 4 \| 1\.50 \| \d+ \| 3 \| [\d,]+ \| – \| [\d.]+ \|$/),
      expect.stringMatching(/^\| all \| 3 of 5 \| 1\.80 \|/),
    ])
    expect(JSON.parse(jsonOf(results))).toMatchObject([{ name: 'dice', group: 'new apps', grade: 3 }, {}, {}, {}, {}])
  })
})
