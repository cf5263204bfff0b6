import { runNode, useOwnCommands } from './run-node.mjs'
import { setup } from './setup.mjs'

await setup('start')
useOwnCommands()
process.exit(await runNode(['bench/main.ts', ...process.argv.slice(2)]))
