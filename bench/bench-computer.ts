import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ComputerId, ComputerName, eventIdFrom, UserId } from '@choiros/contract/ids.ts'
import { openSqliteLogs } from '@choiros/ports/event-log/sqlite.ts'
import { openFileOwnership } from '@choiros/ports/ownership/file-lock.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import type { ComputerIdentity, Machine } from '@choiros/supervisor/computer/machine.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { openComputer } from '@choiros/supervisor/computer/open-computer.ts'
import { EMPTY_BASE } from '@choiros/supervisor/computer/base.ts'
import { createPooledRandom } from '@choiros/supervisor/home/pooled-random.ts'
import { openSigner } from '@choiros/supervisor/signing/signing.ts'

export const IDENTITY: ComputerIdentity = {
  id: ComputerId.parse('bench'),
  name: ComputerName.parse('bench'),
  user: UserId.parse('bench'),
}

/** Sets everything up as `supervisor/main.ts` does, in this process. */
export function createMachine(keys: string, computers: string = dirname(keys)): Machine {
  const random = createPooledRandom()
  mkdirSync(keys, { recursive: true })
  return {
    openLog: openSqliteLogs(computers, { log: PLACES.log, objects: PLACES.objects }),
    ownership: ownershipIn(keys),
    signer: openSigner(join(keys, 'signing.pem')),
    reached: () => {},
    now: Date.now,
    newEventId: (timeMs) => eventIdFrom(timeMs, random(10)),
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

/** Several processes of a bench open copies of one computer, so each process takes a lock of its own. */
function ownershipIn(keys: string) {
  const own = (name: string) => join(keys, `${name}-${process.pid}-${randomBytes(4).toString('hex')}`)
  return openFileOwnership({ file: own('lock'), epochFile: own('epoch') })
}
