import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { callerTypes, sharedTypes } from './browser-types.ts'

/**
 * Writes the contract's types where browser code can import them; with --check it only says whether they are up to
 * date.
 */
const shared = sharedTypes(['desktop', 'frame'])
const MADE = {
  'core/everywhere/contract.ts': shared.contract,
  'core/everywhere/event-data.ts': shared.events,
  'desktop/sdk/contract.ts': callerTypes('desktop', shared),
  'control-plane/frame/contract.ts': callerTypes('frame', shared),
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
for (const [file, input] of Object.entries(MADE)) {
  const text = execFileSync('node_modules/.bin/oxfmt', [`--stdin-filepath=${file}`], { input, encoding: 'utf8' })
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stdout.write(`${file} is not what the contract says: run "npm run types"\n`)
    process.exitCode = 1
  }
}
