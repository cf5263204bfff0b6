import { olderBrowsers } from './older-browsers.mjs'
import { runNode, useOwnCommands } from './run-node.mjs'
import { setup } from './setup.mjs'

await setup('test')
useOwnCommands()
const VITEST = ['node_modules/vitest/vitest.mjs', 'run']
const files = process.argv.slice(2)
const long = await runNode([...VITEST, '--project=long', '--passWithNoTests', ...files])
if (long !== 0 || files.length > 0) process.exit(long)
// What a hostile desktop tries must fail in the oldest browsers that a person may have, not only in the newest.
const older = olderBrowsers()
if (older === null) process.exit(0)
Object.assign(process.env, older, { CHOIR_LANE: 'long' })
process.exit(
  await runNode([...VITEST, '--project=normal', 'hostile-desktop.browser', 'gate.browser', 'secrets.browser']),
)
