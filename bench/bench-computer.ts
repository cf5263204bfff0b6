import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ComputerId, ComputerName, eventIdFrom, UserId } from '@choiros/contract/ids.ts'
import { openSqliteEventLog } from '@choiros/ports/event-log/sqlite.ts'
import { openLocalObjects } from '@choiros/ports/objects/local.ts'
import { openComputer, type Computer, type ComputerIdentity, type Machine } from '@choiros/supervisor/computer/computer.ts'
import { EMPTY_BASE } from '@choiros/supervisor/computer/base.ts'
import { pooledRandom } from '@choiros/supervisor/home/pooled-random.ts'
import { openSigner } from '@choiros/supervisor/signing/signing.ts'

export const IDENTITY: ComputerIdentity = { id: ComputerId.parse('bench'), name: ComputerName.parse('bench'), user: UserId.parse('bench') }

/** Everything as `supervisor/main.ts` sets it up, in this process. */
export function createMachine(folder: string): Machine {
  mkdirSync(folder, { recursive: true })
  return {
    openLog: openSqliteEventLog,
    openObjects: openLocalObjects,
    signer: openSigner(join(folder, 'signing.pem')),
    reached: () => {},
    now: Date.now,
    newEventId: (timeMs) => eventIdFrom(timeMs, pooledRandom(10)),
    randomBytes: (count) => randomBytes(count),
    bootId: 'bench',
    snapshotEveryEvents: 20_000,
    base: () => EMPTY_BASE,
    warn(message, cause) {
      throw new Error(message, { cause })
    },
  }
}

export function openBenchComputer(folder: string): Promise<Computer> {
  return openComputer(folder, IDENTITY, createMachine(join(dirname(folder), 'keys')))
}
