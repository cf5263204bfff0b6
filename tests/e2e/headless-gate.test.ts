import { randomBytes } from 'node:crypto'
import { readFileSync, lstatSync, readlinkSync, statSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createClient } from '@choiros/command-line/client.ts'
import { connect } from '@choiros/command-line/connection.ts'
import type { Operation } from '@choiros/contract/commands/files.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { createRemoteLogs } from '@choiros/ports/event-log/remote.fake.ts'
import { readBase } from '@choiros/supervisor/computer/base.ts'
import { choirHere, startSupervisor } from '../support/choir.ts'
import { startSupervisorHere } from '../support/supervisor-here.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'

removeFoldersAfterEach()

const DESKTOP = fileURLToPath(new URL('../../desktop', import.meta.url))

interface Tree {
  hash: string
  files: Record<string, { kind: string; mode: string; object: string | null }>
}

const path = (text: string) => text as TreePath
/** Beside the desktop that every computer starts with. */
const ownFiles = (tree: Tree) => Object.keys(tree.files).filter((file) => file.startsWith('artifacts'))

/**
 * A burst of 300 files is one command and one event: what an upload or a program does, which the command line's `write`
 * cannot.
 */
async function burst(home: string, user: string, count: number): Promise<number> {
  const connection = await connect(home)
  try {
    const client = createClient(connection, { user, computer: null, progress: () => {} })
    const operations: Operation[] = Array.from({ length: count }, (_, index) => ({
      op: 'write',
      path: path(`artifacts/burst/${index % 10}/file-${index}.txt`),
      content: { text: `file ${index} of ${user}\n` },
      from: null,
    }))
    return (await client.run('files.change', { operations })).seq ?? 0
  } finally {
    await connection.close()
  }
}

/** Nothing of it is done when a call returns: whoever leans on that fails here. */
const startFarAway = (home: string) =>
  startSupervisorHere(home, { openLog: createRemoteLogs(), base: () => readBase(DESKTOP) })

describe('the computer without a face', () => {
  for (const mode of ['running', 'stopped', 'with its log far away'] as const) {
    test.runIf(mode === 'running' || IS_LONG_LANE)(
      `two computers of two users change, are undone, restored, exported and imported, and never see each other (${mode}) [L2] [L5] [L10]`,
      { timeout: 180_000 },
      async () => {
        const home = temporaryFolder()
        const supervisor =
          mode === 'running' ? await startSupervisor(home) : mode === 'stopped' ? null : await startFarAway(home)
        const as =
          (user: string) =>
          async (args: readonly string[], input: Buffer | string = '') => {
            const outcome = await choirHere(home, ['--user', user, ...args], input)
            expect(outcome.error).toBe('')
            expect(outcome.code).toBe(0)
            return outcome
          }
        const alice = as('alice')
        const bob = as('bob')
        await alice(['computer', 'add', 'notes'])
        await bob(['computer', 'add', 'notes'])
        const treeOf = async (who: typeof alice, ...more: string[]) =>
          (await who(['tree', '--json', ...more])).json() as Tree

        // Files of every kind.
        const binary = randomBytes(3 * 1024 * 1024)
        await alice(['write', 'artifacts/picture.bin'], binary)
        await alice(['write', 'artifacts/run.sh', '--exec'], '#!/bin/sh\necho hi\n')
        await alice(['write', 'artifacts/link', '--symlink', 'run.sh'])
        await alice(['write', 'artifacts/empty'], '')
        await alice(['mkdir', 'artifacts/folder'])
        await alice(['write', 'artifacts/text.txt'], 'one\ntwo\nthree\nfour\nfive\n')
        expect((await alice(['cat', 'artifacts/picture.bin'])).out.equals(binary)).toBe(true)
        const burstSeq = await burst(home, 'alice', 300)
        await burst(home, 'bob', 300)
        expect(ownFiles(await treeOf(alice))).toHaveLength(306)

        // Undo of one event in the middle keeps the later ones.
        await alice(['write', 'artifacts/text.txt'], 'ONE\ntwo\nthree\nfour\nfive\n')
        const middle = (await alice(['events', '--json'])).text.trim().split('\n').length
        await alice(['write', 'artifacts/text.txt'], 'ONE\ntwo\nthree\nfour\nFIVE\n')
        await alice(['mv', 'artifacts/text.txt', 'artifacts/renamed.txt'])
        const before = await treeOf(alice)
        await alice(['undo', '--event', String(middle)])
        expect((await alice(['cat', 'artifacts/renamed.txt'])).text).toBe('one\ntwo\nthree\nfour\nFIVE\n')
        await alice(['redo'])
        expect((await treeOf(alice)).hash).toBe(before.hash)

        // Plain undo steps back, and the whole burst goes as one.
        await alice(['undo', '--event', String(burstSeq)])
        expect(ownFiles(await treeOf(alice))).toHaveLength(6)
        await alice(['redo'])
        expect((await treeOf(alice)).hash).toBe(before.hash)

        // Restore to a named point.
        await alice(['checkpoint', 'good'])
        await alice(['rm', 'artifacts'])
        expect(ownFiles(await treeOf(alice))).toEqual([])
        await alice(['restore', 'good'])
        expect((await treeOf(alice)).hash).toBe(before.hash)
        const past = await treeOf(alice, '--at', String(burstSeq))
        expect(ownFiles(past)).toHaveLength(306)

        // Export on one home, import on another.
        const file = join(temporaryFolder(), 'alice.choir')
        await alice(['export', file])
        const elsewhere = temporaryFolder()
        expect((await choirHere(elsewhere, ['import', file])).error).toBe('')
        const imported = (await choirHere(elsewhere, ['tree', '--json'])).json() as Tree
        expect(imported.hash).toBe(before.hash)
        expect(imported.files).toEqual(before.files)
        expect((await choirHere(elsewhere, ['verify', '--json'])).json()).toMatchObject({ ok: true })
        expect((await choirHere(elsewhere, ['undo', '--event', String(burstSeq)])).code).toBe(0)

        // Neither sees the other.
        const bobFiles = ownFiles(await treeOf(bob))
        expect(bobFiles).toHaveLength(300)
        expect((await bob(['events', '--json'])).text).not.toContain('alice')
        const [aliceId] = ((await alice(['computer', 'list', '--json'])).json() as { id: string }[]).map(
          (computer) => computer.id,
        )
        const stolen = await choirHere(home, ['--user', 'bob', '--computer', aliceId ?? '', 'cat', 'artifacts/run.sh'])
        expect([stolen.code, stolen.text]).toEqual([1, ''])

        for (const who of [alice, bob]) {
          expect((await who(['verify', '--json'])).json()).toMatchObject({ ok: true })
          expect((await who(['replay', '--json'])).json()).toMatchObject({ matches: true })
        }
        expect(await supervisor?.stop()).toBe(mode === 'stopped' ? undefined : 0)
        checkDisk(home, before)
      },
    )
  }
})

/** What is on disk is what the log says: kinds, bits, targets and bytes. */
function checkDisk(home: string, tree: Tree): void {
  const computers = join(home, 'computers')
  const folder = readdirSync(computers).find((id) =>
    readFileSync(join(computers, id, 'computer.json'), 'utf8').includes('"alice"'),
  )
  const at = (file: string) => join(computers, folder ?? '', 'tree', file)
  expect(statSync(at('artifacts/run.sh')).mode & 0o777).toBe(0o755)
  expect(readlinkSync(at('artifacts/link'))).toBe('run.sh')
  expect(lstatSync(at('artifacts/empty')).size).toBe(0)
  expect(lstatSync(at('artifacts/folder')).isDirectory()).toBe(true)
  expect(lstatSync(at('artifacts/picture.bin')).size).toBe(3 * 1024 * 1024)
  expect(
    Object.keys(tree.files).filter((file) => lstatSync(at(file), { throwIfNoEntry: false }) === undefined),
  ).toEqual([])
}
