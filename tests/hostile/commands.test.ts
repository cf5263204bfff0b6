import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS, type CommandName, type InputOf } from '@choiros/contract/commands.ts'
import { Caller, type Command } from '@choiros/contract/commands/command.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { createRates } from '@choiros/supervisor/session/rates.ts'
import { INPUTS } from '../support/command-inputs.ts'
import { openTestHome, type TestHome } from '../support/home.ts'
import { write } from './damage.ts'

/** Made from the contract's own data: a new command is tried as all others are. */
const ALL = Object.entries(COMMANDS) as [CommandName, Command][]

/** What no command takes. */
const NONSENSE: readonly unknown[] = [
  null,
  42,
  'x'.repeat(10_000),
  [],
  [{}],
  { nobody: 'knows this' },
  { ['__proto__']: { admin: true }, constructor: 1 },
  {
    path: { toString: 'x' },
    at: Number.NaN,
    run: '\ud800',
    to: -1,
    name: '../..',
    operations: 'all',
    target: { kind: 'everything' },
  },
]

describe('every command', () => {
  let folder: string
  let own: TestHome
  const headOf = async () => (await own.computer()).head()
  const callerOf = ({ from }: Command) => Caller.parse(from.includes('cli') ? 'cli' : from[0])

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'choir-commands-'))
    own = openTestHome(folder, { warn: () => {} })
    await own.run('files.change', { operations: [write('artifacts/secret.txt', 'mine')] })
    await own.run('checkpoint', { name: 'one' })
  })
  afterAll(async () => {
    await own.close()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const [name, command] of ALL) {
    test(`${name}: what makes no sense is refused with a sentence, and nothing happens`, async () => {
      const before = await headOf()
      for (const nonsense of NONSENSE) {
        const refused = own.run(name, nonsense as InputOf<typeof name>, { caller: callerOf(command) })
        await expect(refused).rejects.toMatchObject({
          code: expect.stringMatching(/^(request|path)\.invalid$/) as string,
        })
      }
      expect(await headOf()).toEqual(before)
    })
  }

  for (const [name, command] of ALL.filter(([, { writes }]) => !writes)) {
    test(`[L13] ${name}: adds no event`, async () => {
      const before = await headOf()
      await own
        .run(name, INPUTS[name] as InputOf<typeof name>, { caller: callerOf(command) })
        .catch((error: unknown) => {
          if (!(error instanceof ChoirError)) throw error
        })
      expect(await headOf()).toEqual(before)
    })
  }
})

describe('[L11] what a desktop may do in a moment', () => {
  /** How often, until it is refused. */
  const timesOf = (command: Pick<Command, 'rate' | 'cost'>): number => {
    const rates = createRates(() => 0)
    for (let times = 0; ; times++) {
      try {
        rates.spend('desktop', command)
      } catch (error) {
        expect(error).toMatchObject({ code: 'rate.limited' })
        return times
      }
    }
  }
  const ofDesktops = ALL.filter(([, { from }]) => from.includes('desktop'))

  test.each(ofDesktops)('%s has an end', (_, command) => {
    expect(timesOf(command)).toBeLessThanOrEqual(2000 / command.cost)
  })

  test('whatever makes a plan or reads the whole of something is heavy', () => {
    expect(
      ofDesktops
        .filter(([, { cost }]) => cost > 1)
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(['redo.preview', 'run.diff', 'tree', 'undo.list', 'undo.preview'])
  })
})
