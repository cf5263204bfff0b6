import type { ComputerId, ComputerName, EventId, UserId } from '@choiros/contract/ids.ts'
import type { OpenLog } from '@choiros/ports/event-log/event-log.ts'
import type { Ownership } from '@choiros/ports/ownership/ownership.ts'
import type { Reached } from '../crash-points.ts'
import type { Signer } from '../signing/signing.ts'
import type { Base } from './base.ts'
import type { Quotas } from './quota.ts'

export interface ComputerIdentity {
  readonly id: ComputerId
  readonly name: ComputerName
  readonly user: UserId
}

/** What a computer needs from outside; `main.ts` alone knows what stands behind it. */
export interface Machine {
  /** A log is named after its computer's folder. */
  readonly openLog: OpenLog
  readonly ownership: Ownership
  readonly signer: Signer
  readonly reached: Reached
  readonly now: () => number
  readonly newEventId: (timeMs: number) => EventId
  readonly randomBytes: (count: number) => Uint8Array
  readonly bootId: string
  readonly snapshotEveryEvents: number
  /** How much a computer may hold, where that differs from the contract's limits. */
  readonly quotas?: Quotas
  /** What a new computer starts with. */
  readonly base: () => Base
  /** Reports a failure that nobody waits for. */
  readonly warn: (message: string, cause?: unknown) => void
}
