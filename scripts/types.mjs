import { becomeNode, useOwnCommands } from './run-node.mjs'
import { setup } from './setup.mjs'

await setup('check')
useOwnCommands()
await becomeNode(['scripts/types.ts', ...process.argv.slice(2)])
