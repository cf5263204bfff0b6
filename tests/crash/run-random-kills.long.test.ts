import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@choiros/command-line/client.ts'
import { connect } from '@choiros/command-line/connection.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choirHere, startSupervisor } from '../support/choir.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { plant, plantAgents } from '../support/plant.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { expectNothingLeft, expectRunsEnded } from '../support/run-ends.ts'
import { openRunHome, shareToolchain } from '../support/run-home.ts'

const KILLS = 20
const seed = seedOf('run-random-kills')

/** A wish of each kind, different every time it is asked for. */
const WISHES: readonly ((index: number) => string)[] = [
  (index) => `make the accent #${String(100_000 + index)}`,
  (index) => plant({ writes: [{ path: 'app/good.ts', text: `export const good = ${index}\n` }] }),
  (index) => plant({ writes: [{ path: 'app/bad.ts', text: `export const bad: string = ${index}\n` }] }),
  (index) =>
    plant({
      writes: Array.from({ length: 50 }, (_, file) => ({ path: `artifacts/many/${file}.txt`, text: `${index}\n` })),
    }),
  (index) => plant({ writes: [{ path: 'app/slow.ts', text: `export const slow = ${index}\n` }], waitMs: 500 }),
  () => plant({ removes: ['app/widgets'] }),
  () => 'undo that',
  () => 'add a clock to the taskbar',
]

describe('random kills of runs', () => {
  const shared = temporaryFolder()
  beforeAll(() => plantAgents(shared))
  afterAll(removeFolders)

  test(`[L4] after ${KILLS} kills every run has ended and the tree is what the log says (SEED=${seed})`, async () => {
    const random = createRandom(seed)
    const folder = temporaryFolder()
    shareToolchain(folder, shared)
    await choirHere(folder, ['computer', 'add', 'one'])
    let asked = 0
    for (let round = 0; round < KILLS; round++) {
      const supervisor = await startSupervisor(folder)
      const connection = await connect(folder)
      const client = createClient(connection, { user: null, computer: null, progress: () => {} })
      for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
        const wish = WISHES[Math.floor(random() * WISHES.length)]
        await client.run('prompt', { text: wish?.(asked++) ?? '', wishes: [] })
      }
      const stops = random() < 0.2
      await delay(50 + random() * 3000)
      if (stops) await client.run('stop', { run: null })
      await supervisor.stop('SIGKILL')
      await connection.close()
      await expectNothingLeft(folder, null)
      const home = openRunHome(folder)
      try {
        const computer = await home.computer()
        await expectNothingLeft(folder, computer)
        await expectRunsEnded(home, computer)
        expect(computer.queries.tree.entry('app/bad.ts')).toBeNull()
      } finally {
        await home.close()
      }
    }
    const last = await choirHere(folder, ['prompt', 'make the accent teal', '--wait', '--json'])
    expect([last.code, last.json()]).toEqual([0, expect.objectContaining({ status: 'landed' })])
    expect((await choirHere(folder, ['verify', '--json'])).json()).toMatchObject({ ok: true })
  })
})
