import { parseArgs } from 'node:util'
import { launchBrowser } from '../tests/support/browsers.ts'
import { lineOf, runTask, summaryOf, type EvalResult } from './harness.ts'
import { TASKS } from './tasks.ts'

/**
 * `npm run eval`: thirty things a person might ask, on a computer each, with the model of CHOIR_MODEL_… or with recipes
 * alone.
 */
const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const chosen = TASKS.filter(
  ({ name, group }) => positionals.length === 0 || positionals.some((word) => name.includes(word) || group === word),
)
if (chosen.length === 0) {
  process.stderr.write(`no task is called that; there are: ${TASKS.map(({ name }) => name).join(', ')}\n`)
  process.exit(1)
}
const browser = await launchBrowser('chromium')
const results: EvalResult[] = []
try {
  for (const task of chosen) {
    const result = await runTask(task, browser)
    results.push(result)
    if (!values.json) process.stdout.write(`${lineOf(result)}\n`)
  }
} finally {
  await browser.close()
}
if (values.json)
  process.stdout.write(
    `${JSON.stringify(
      results.map(({ task, ...rest }) => ({ name: task.name, group: task.group, ...rest })),
      null,
      2,
    )}\n`,
  )
else process.stdout.write(`\n${process.env.CHOIR_MODEL_NAME ?? 'no model, recipes alone'}: ${summaryOf(results)}\n`)
