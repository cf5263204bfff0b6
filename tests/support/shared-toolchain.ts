import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { prepareToolchain } from '@choiros/supervisor/desk/toolchain.ts'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const VARIABLE = 'CHOIR_TEST_TOOLCHAIN'

/**
 * Runs once before all tests of a lane: makes a place for the one toolchain that they share. Copying 200 MB for every
 * home would be most of what a start costs.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'choir-toolchain-'))
  process.env[VARIABLE] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/**
 * Gives a new home the shared toolchain, which the first caller makes. A home that has one keeps it. `change`: makes a
 * different one, under its own `kind`.
 */
export async function lendToolchain(
  home: string,
  kind = 'plain',
  change: (toolchain: string) => Promise<void> = async () => {},
): Promise<void> {
  const folder = process.env[VARIABLE]
  if (folder === undefined) throw new Error('this test is not run by vitest.config.ts')
  if (existsSync(join(home, 'toolchain'))) return
  const ready = join(folder, kind)
  if (!existsSync(ready)) await makeOnce(ready, change)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  if (!existsSync(join(home, 'toolchain'))) symlinkSync(join(ready, 'toolchain'), join(home, 'toolchain'))
}

async function makeOnce(ready: string, change: (toolchain: string) => Promise<void>): Promise<void> {
  const making = `${ready}.new`
  try {
    mkdirSync(making)
  } catch {
    while (!existsSync(ready)) {
      if (!existsSync(making)) return makeOnce(ready, change) // The process that was making it has failed.
      await delay(50)
    }
    return
  }
  try {
    await change((await prepareToolchain(CHECKOUT, making)).folder)
    renameSync(making, ready)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    throw new Error(`the toolchain could not be made in ${dirname(ready)}`, { cause: error })
  }
}
