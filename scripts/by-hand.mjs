import { runNode, useOwnCommands } from './run-node.mjs'
import { setup } from './setup.mjs'

await setup('test')
useOwnCommands()
process.exit(await runNode(['evals/by-hand-main.ts', ...process.argv.slice(2)]))
