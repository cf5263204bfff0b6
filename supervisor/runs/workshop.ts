import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { Toolchain } from '../desk/toolchain.ts'
import type { Trees } from '../tree/trees.ts'

/** What runs need to work; made when the first run is asked for. */
export interface Workshop {
  readonly host: SandboxHost
  readonly toolchain: Toolchain
  readonly trees: Trees
}
