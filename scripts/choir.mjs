import { join } from 'node:path'
import { becomeNode } from './run-node.mjs'
import { ROOT, setup } from './setup.mjs'

await setup('start')
await becomeNode([join(ROOT, 'command-line', 'main.ts'), ...process.argv.slice(2)], { cwd: callersFolder() })

/**
 * npm goes to the checkout before it runs a script: `choir export backup` would write there instead of where the user stands.
 * Only under `npm run choir`: any other npm script above us (a test) has an INIT_CWD that is not our caller's.
 */
function callersFolder() {
  return process.env['npm_lifecycle_event'] === 'choir' ? process.env['INIT_CWD'] : undefined
}
