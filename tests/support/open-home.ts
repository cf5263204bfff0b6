import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Caller } from '@choiros/contract/commands/command.ts'
import type { CommandName, InputOf, OutputOf } from '@choiros/contract/commands.ts'
import { LOCK_NAME } from '@choiros/contract/home-folder.ts'
import { eventIdFrom, type UserId } from '@choiros/contract/ids.ts'
import { openSqliteLogs } from '@choiros/ports/event-log/sqlite.ts'
import { openFileOwnership } from '@choiros/ports/ownership/file-lock.ts'
import { createDispatcher, type Dispatcher } from '@choiros/supervisor/commands/dispatch.ts'
import type { Services } from '@choiros/supervisor/commands/home-commands.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import type { Machine } from '@choiros/supervisor/computer/machine.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { EMPTY_BASE } from '@choiros/supervisor/computer/base.ts'
import { openHome, prepareHomeFolder, type Home } from '@choiros/supervisor/home/home.ts'
import { holdHome } from '@choiros/supervisor/home/hold-home.ts'
import { openSession, type ComputerSession, type Workplace } from '@choiros/supervisor/session/session.ts'
import { openSigner } from '@choiros/supervisor/signing/signing.ts'

/** A supervisor's inside, with the real adapters, without its socket. */
export interface TestHome {
  readonly home: Home
  readonly machine: Machine
  readonly dispatcher: Dispatcher
  run<Name extends CommandName>(
    command: Name,
    input: InputOf<Name>,
    as?: { user?: UserId; computer?: string | null; caller?: Caller },
  ): Promise<OutputOf<Name>>
  session(user?: UserId, name?: string | null): Promise<ComputerSession>
  computer(user?: UserId, name?: string | null): Promise<Computer>
  close(): Promise<void>
}

export function openTestHome(
  folder: string,
  overrides: Partial<Machine> = {},
  extras?: (machine: Machine) => { services?: Services; workplace?: Workplace },
): TestHome {
  prepareHomeFolder(folder)
  const ownership = holdHome(folder, () =>
    openFileOwnership({ file: join(folder, LOCK_NAME), epochFile: join(folder, 'epoch') }),
  )
  const machine: Machine = {
    openLog: openSqliteLogs(join(folder, 'computers'), PLACES),
    ownership,
    signer: openSigner(join(folder, 'keys', 'signing.pem')),
    reached: () => {},
    now: Date.now,
    newEventId: (timeMs) => eventIdFrom(timeMs, randomBytes(10)),
    randomBytes: (count) => randomBytes(count),
    bootId: 'this boot',
    snapshotEveryEvents: 20_000,
    base: () => EMPTY_BASE,
    warn: (message, cause) => console.error(message, cause),
    ...overrides,
  }
  const { services, workplace = null } = extras?.(machine) ?? {}
  const home = openHome(folder, machine, (place, identity, options) =>
    openSession(place, identity, { machine, workplace }, options),
  )
  const dispatcher = createDispatcher(home, machine, services)
  return {
    home,
    machine,
    dispatcher,
    async run(command, input, { user = home.owner, computer = null, caller = 'cli' } = {}) {
      return (await dispatcher.run({ user, caller, computer, command, input }, () => {})) as OutputOf<typeof command>
    },
    session: (user = home.owner, name = null) => home.open(user, name),
    computer: async (user = home.owner, name = null) => (await home.open(user, name)).computer,
    async close() {
      await home.close()
      await ownership.close()
    },
  }
}
