import { parseArgs } from 'node:util'
import { startRecorder } from './recorder.ts'
import { SCENARIOS } from './scenario.ts'

/**
 * Turns what a real model does into a scenario:
 *
 * node tests/scenarios/record.ts --upstream https://api.anthropic.com/v1 --name kitchen-timer
 * CHOIR_MODEL_PROVIDER=anthropic CHOIR_MODEL_URL=http://127.0.0.1:4010 CHOIR_MODEL_NAME=… CHOIR_MODEL_KEY=… npm start
 *
 * Ask for something in the desktop; tests/scenarios/kitchen-timer.json is written as the model answers (the next wish
 * goes to kitchen-timer-2.json). Then say in the file what it is about and how it ends. Neither key nor any other
 * header of the requests is in it.
 */
const { values } = parseArgs({
  options: {
    upstream: { type: 'string' },
    name: { type: 'string' },
    folder: { type: 'string', default: SCENARIOS },
    port: { type: 'string', default: '4010' },
  },
})
if (values.upstream === undefined || values.name === undefined) {
  console.error('Usage: node tests/scenarios/record.ts --upstream URL --name NAME [--folder DIR] [--port 4010]')
  process.exit(2)
}
const recorder = await startRecorder({
  upstream: values.upstream,
  name: values.name,
  folder: values.folder,
  port: Number(values.port),
})
console.log(
  `Recording what ${values.upstream} says. Start ChoirOS with CHOIR_MODEL_URL=${recorder.url}; Ctrl-C ends it.`,
)
process.once('SIGINT', () => {
  console.log(recorder.files.length === 0 ? 'Nothing was said.' : `Written: ${recorder.files.join(', ')}`)
  void recorder.close()
})
