import { runNode, useOwnCommands } from './run-node.mjs'
import { setup } from './setup.mjs'

await setup('test')
useOwnCommands()
process.exit(await runNode(['node_modules/vitest/vitest.mjs', 'run', '--project=long', '--passWithNoTests', ...process.argv.slice(2)]))
