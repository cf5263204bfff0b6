import { join } from 'node:path'
import { becomeNode, callersFolder } from './run-node.mjs'
import { ROOT, setup } from './setup.mjs'
import { SMALL_HEAP } from './small-heap.mjs'

await setup('start')
await becomeNode([SMALL_HEAP, join(ROOT, 'scripts', 'launch.ts'), ...process.argv.slice(2)], {
  cwd: callersFolder('start'),
})
