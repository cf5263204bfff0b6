import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { howTo, startByHand } from './by-hand.ts'

/** `npm run by-hand -- FOLDER`: a person plays the language model. See docs/evals.md. */
const { values, positionals } = parseArgs({
  options: { port: { type: 'string', default: '0' } },
  allowPositionals: true,
})
const [folder] = positionals
if (folder === undefined) {
  process.stderr.write('say where requests and answers are to be: npm run by-hand -- FOLDER [--port NUMBER]\n')
  process.exit(1)
}
const { url } = await startByHand(resolve(folder), {
  port: Number(values.port),
  told: (line) => process.stdout.write(`${line}\n`),
})
process.stdout.write(howTo(url, resolve(folder)))
