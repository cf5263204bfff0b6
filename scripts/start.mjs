import { join } from 'node:path'
import { becomeNode } from './run-node.mjs'
import { ROOT, setup } from './setup.mjs'

await setup('start')
await becomeNode([join(ROOT, 'supervisor', 'main.ts'), ...process.argv.slice(2)], { cwd: callersFolder() })

/** A relative --home must mean the same with and without npm. */
function callersFolder() {
  return process.env['npm_lifecycle_event'] === 'start' ? process.env['INIT_CWD'] : undefined
}
