import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { Toolchain } from '../desk/toolchain.ts'
import type { Trees } from '../tree/trees.ts'

/** What runs are worked on with: made when the first is asked for. */
export interface Workshop {
  readonly host: SandboxHost
  readonly toolchain: Toolchain
  readonly trees: Trees
}
