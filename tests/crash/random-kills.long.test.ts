import { setTimeout as delay } from 'node:timers/promises'
import { createClient, type Client } from '@choiros/command-line/client.ts'
import { connect } from '@choiros/command-line/connection.ts'
import { hasCode } from '@choiros/contract/error.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { describe, expect, test } from 'vitest'
import { choirHere, startSupervisor } from '../support/choir.ts'
import { removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { createRandom, seedOf } from '../support/random.ts'

removeFoldersAfterEach()

const KILLS = 20
const WRITERS = 4
const seed = seedOf('random-kills')

/** Writes numbered files until the connection dies; only what was acknowledged counts. */
async function writeUntilKilled(
  client: Client,
  writer: number,
  round: number,
  acknowledged: Map<string, string>,
): Promise<void> {
  for (let index = 0; ; index++) {
    const path = `artifacts/w${writer}/r${round}-${index}.txt`
    const text = `${path}\n`.repeat(1 + (index % 200))
    try {
      await client.run('files.change', {
        operations: [{ op: 'write', path: path as TreePath, content: { text }, from: null }],
      })
      acknowledged.set(path, text)
    } catch (error) {
      if (hasCode(error, 'supervisor.unreachable') || hasCode(error, 'supervisor.stopping')) return
      throw error
    }
  }
}

describe('random kills', () => {
  test(`after ${KILLS} kills under load every acknowledged write is there and the log proves itself [L2] [L3] (SEED=${seed})`, async () => {
    const random = createRandom(seed)
    const home = temporaryFolder()
    await choirHere(home, ['computer', 'add', 'busy'])
    const acknowledged = new Map<string, string>()
    for (let round = 0; round < KILLS; round++) {
      const supervisor = await startSupervisor(home)
      const connections = await Promise.all(Array.from({ length: WRITERS }, () => connect(home)))
      const writing = connections.map((connection, writer) =>
        writeUntilKilled(
          createClient(connection, { user: null, computer: null, progress: () => {} }),
          writer,
          round,
          acknowledged,
        ),
      )
      await delay(50 + random() * 400)
      await supervisor.stop('SIGKILL')
      await Promise.all(writing)
      for (const connection of connections) await connection.close()
    }
    expect(acknowledged.size).toBeGreaterThan(KILLS)
    const verified = await choirHere(home, ['verify', '--json'])
    expect(verified.json()).toMatchObject({ ok: true })
    const { files } = (await choirHere(home, ['tree', '--json'])).json() as { files: Record<string, unknown> }
    expect([...acknowledged.keys()].filter((path) => files[path] === undefined)).toEqual([])
    for (const [path, text] of [...acknowledged].slice(-20))
      expect((await choirHere(home, ['cat', path])).text).toBe(text)
  })
})
