import { randomBytes } from 'node:crypto'
import { labelFrom } from '@choiros/contract/ids.ts'
import { openSyscalls } from '@choiros/guest/syscall-client.ts'
import { openStageFolder } from './stage-folder.ts'
import { createEyes } from './tools/see.ts'
import { doTask } from './work.ts'

/** The Associate: started for one task, with its own copy of the tree, and gone after it. */
const STAGE = '/stage'
const PARTS = '/opt/choir/parts'
const SDK = '/opt/choir/sdk'
const BASE = '/base'

const calls = openSyscalls()
const { task, reports, draft, context, memory } = await calls.call('task.get', {})
const options = {
  calls,
  reports,
  draft,
  context,
  memory,
  stage: openStageFolder(STAGE, PARTS),
  sdk: openStageFolder(SDK, PARTS),
  base: openStageFolder(BASE, PARTS),
  folder: STAGE,
  verifier: (name: string) => ['/opt/choir/node', `/opt/choir/verify/${name}.mjs`],
  eyes: createEyes(['/opt/choir/node', '/opt/choir/agents/eyes.mjs', STAGE], '/tmp'),
  newId: () => labelFrom(randomBytes(16)),
}
await doTask(task, options)
// Its eyes are a browser that would keep it alive for as long as its task may last. The sandbox takes them with it.
process.exit(0)
