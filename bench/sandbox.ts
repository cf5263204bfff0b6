import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBubblewrap } from '@choiros/ports/sandbox/bubblewrap.ts'
import { prepareToolchain } from '@choiros/supervisor/desk/toolchain.ts'
import { mkdirSync } from 'node:fs'
import { interleave, time } from './measure.ts'
import type { Section } from './report.ts'

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))
const EXEC = {
  command: ['/opt/choir/node', '-e', '0'],
  cwd: '/tmp',
  environment: {},
  wallClockMs: 30_000,
  outputBytesMax: 1024,
}

export async function run(folder: string): Promise<Section> {
  const home = join(folder, 'sandbox-home')
  mkdirSync(home)
  const toolchain = await prepareToolchain(CHECKOUT, home)
  const host = openBubblewrap({ folder: join(home, 'sandboxes'), toolchain: toolchain.folder })
  let count = 0
  const pair = await interleave(
    async () => {
      const spec = {
        name: `bench-${count++}`,
        role: 'associate',
        mounts: [],
        scratch: [],
        syscallSocket: null,
      } as const
      let ended: Promise<void> | undefined
      const ms = await time(async () => {
        const sandbox = await host.create(spec)
        await sandbox.exec(EXEC)
        ended = sandbox.kill()
      })
      await ended
      return ms
    },
    () => time(() => execFileSync(process.execPath, ['-e', '0'], { env: {} })),
  )
  await host.close()
  return {
    rows: [
      {
        promise: 'sandbox create → first `node -e 0`, full profile, cold',
        against: 'bare `node -e 0`',
        ...pair,
        timeAtMost: 5,
      },
    ],
    memory: [],
    notes: [
      'Ours starts the sandbox, waits for its guest agent, and runs `node -e 0` through it. There is no warm pool yet.',
    ],
  }
}
