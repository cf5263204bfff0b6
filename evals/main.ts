import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../tests/support/browsers.ts'
import { setup } from '../tests/support/shared-toolchain.ts'
import { startByHand } from './by-hand.ts'
import { runTask, type EvalResult } from './harness.ts'
import { jsonOf, lineOf, tableOf } from './report.ts'
import { TASKS } from './tasks.ts'

/**
 * `npm run eval`: sixty things a person might ask, on a computer each, with the model of CHOIR_MODEL_… or with recipes
 * alone. See docs/evals.md.
 */
const { values, positionals } = parseArgs({
  options: {
    'json': { type: 'boolean', default: false },
    'pictures': { type: 'string' },
    'by-hand': { type: 'string' },
  },
  allowPositionals: true,
})
const chosen = TASKS.filter(
  ({ name, group }) => positionals.length === 0 || positionals.some((word) => name.includes(word) || group === word),
)
if (chosen.length === 0) {
  process.stderr.write(`no task is called that; there are: ${TASKS.map(({ name }) => name).join(', ')}\n`)
  process.exit(1)
}
// A person plays the model: requests and answers are files in this folder.
const byHand = values['by-hand'] === undefined ? null : await playByHand(resolve(values['by-hand']))
const removeToolchain = setup() // All computers share it: making one takes longer than many tasks.
const browser = await launchBrowser('chromium')
const results: EvalResult[] = []
try {
  for (const task of chosen) {
    const result = await runTask(task, browser, { pictures: values.pictures })
    results.push(result)
    // With --json the lines are for whoever waits; the output is one JSON text.
    ;(values.json ? process.stderr : process.stdout).write(`${lineOf(result)}\n`)
  }
} finally {
  await browser.close()
  removeToolchain()
  await byHand?.close()
}
if (values.json) process.stdout.write(`${jsonOf(results)}\n`)
else process.stdout.write(`\n${process.env.CHOIR_MODEL_NAME ?? 'no model, recipes alone'}\n\n${tableOf(results)}\n`)

async function playByHand(folder: string) {
  const hand = await startByHand(folder, { told: (line) => process.stderr.write(`${line}\n`) })
  Object.assign(process.env, {
    CHOIR_MODEL_PROVIDER: 'openai-compatible',
    CHOIR_MODEL_URL: hand.url,
    CHOIR_MODEL_NAME: 'by-hand',
  })
  process.stderr.write(`You are the model now: requests and answers are files in ${folder}\n`)
  return hand
}
