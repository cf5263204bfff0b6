import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { Toolchain } from '../desk/toolchain.ts'
import type { Trees } from './trees.ts'

/** What runs are worked on with: made when the first is asked for. */
export interface Workshop {
  readonly host: SandboxHost
  readonly toolchain: Toolchain
  readonly trees: Trees
}

/** Where runs keep, beside a computer's log, what they need only while they work. */
export const WORK_PLACES = { trees: 'trees', sockets: 'sockets' } as const

export function clearWorkPlaces(computerFolder: string): void {
  for (const place of Object.values(WORK_PLACES)) rmSync(join(computerFolder, place), { recursive: true, force: true })
}
