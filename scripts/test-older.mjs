// Every suite that needs a browser, in browsers of months ago.
import { olderBrowsers } from './older-browsers.mjs'
import { runNode, useOwnCommands } from './run-node.mjs'
import { setup } from './setup.mjs'

await setup('test')
useOwnCommands()
const older = olderBrowsers()
if (older === null) process.exit(1)
Object.assign(process.env, older, { CHOIR_LANE: 'long' })
const files = process.argv.length > 2 ? process.argv.slice(2) : ['.browser.test.ts']
process.exit(await runNode(['node_modules/vitest/vitest.mjs', 'run', '--project=normal', ...files]))
