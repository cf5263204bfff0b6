// Every suite that needs a browser, in browsers of months ago.
import { olderBrowsers } from './older-browsers.mjs'
import { runNode, useOwnCommands } from './run-node.mjs'
import { setup } from './setup.mjs'

await setup('test')
useOwnCommands()
const older = olderBrowsers()
if (older === null) process.exit(1)
Object.assign(process.env, older, { CHOIR_LANE: 'long' })
const VITEST = ['node_modules/vitest/vitest.mjs', 'run']
const files = process.argv.slice(2)
if (files.length > 0) process.exit(await runNode([...VITEST, '--project=normal', ...files]))
const normal = await runNode([...VITEST, '--project=normal', '.browser.test.ts'])
process.exit((await runNode([...VITEST, '--project=long', '.browser.long.test.ts'])) || normal)
