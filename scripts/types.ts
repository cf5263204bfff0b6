import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { browserTypes } from './browser-types.ts'

/** Writes the contract's types where browsers' code can see them; with --check it only says whether they are as they should be. */
const MADE = [
  ['desktop', 'desktop/sdk/contract.ts'],
  ['frame', 'control-plane/frame/contract.ts'],
] as const

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
for (const [caller, file] of MADE) {
  const text = execFileSync('node_modules/.bin/oxfmt', [`--stdin-filepath=${file}`], { input: browserTypes(caller), encoding: 'utf8' })
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stdout.write(`${file} is not what the contract says: run "npm run types"\n`)
    process.exitCode = 1
  }
}
