import { runNode, useOwnCommands } from './run-node.mjs'
import { setup } from './setup.mjs'

await setup('test')
useOwnCommands()
const check = await runNode(['scripts/check.ts'])
process.exit(
  check || (await runNode(['node_modules/vitest/vitest.mjs', 'run', '--project=normal', ...process.argv.slice(2)])),
)
