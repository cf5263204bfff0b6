import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ComputerId, UserId } from '@choiros/contract/ids.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { openMemorySignIns } from './memory.fake.ts'
import { openSqliteSignIns } from './sqlite.ts'
import type { SignIn, SignIns } from './sign-ins.ts'

const alice = UserId.parse('alice')
const session = (label: string, seenMs = 1): SignIn => ({ user: alice, label, computer: null, createdMs: 1, seenMs })

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})
function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'choir-signIns-'))
  folders.push(folder)
  return join(folder, 'sessions.sqlite')
}

for (const { name, open } of [
  { name: 'memory', open: (): SignIns => openMemorySignIns() },
  { name: 'sqlite', open: (): SignIns => openSqliteSignIns(temporaryFile()) },
]) {
  describe(`signIns ${name}`, () => {
    test('[SE1] a session is found by the hash of its secret and by its label', () => {
      const signIns = open()
      signIns.add('h1', session('l1'))
      expect([signIns.bySecret('h1'), signIns.byLabel('l1'), signIns.bySecret('l1'), signIns.byLabel('h1')]).toEqual([
        session('l1'),
        session('l1'),
        null,
        null,
      ])
      signIns.close()
    })

    test('[SE2] a removed session is found by neither', () => {
      const signIns = open()
      signIns.add('h1', session('l1'))
      signIns.remove('h1')
      expect([signIns.bySecret('h1'), signIns.byLabel('l1')]).toEqual([null, null])
      signIns.close()
    })

    test('[SE5] a session looks at another computer under another label', () => {
      const signIns = open()
      signIns.add('h1', session('l1'))
      signIns.add('h2', session('l2'))
      signIns.choose('h1', ComputerId.parse('c2'), 'l3')
      expect([signIns.bySecret('h1'), signIns.byLabel('l1'), signIns.byLabel('l2')]).toEqual([
        { ...session('l3'), computer: 'c2' },
        null,
        session('l2'),
      ])
      signIns.close()
    })

    test('[SE3] only what was last seen before the moment is removed', () => {
      const signIns = open()
      signIns.add('h1', session('l1', 10))
      signIns.add('h2', session('l2', 10))
      signIns.seen('h2', 30)
      signIns.removeOlder(20)
      expect([signIns.bySecret('h1'), signIns.bySecret('h2')?.seenMs]).toEqual([null, 30])
      signIns.close()
    })
  })
}

test('[SE2] [SE4] sqlite: signing out survives a restart, and a label is taken once', () => {
  const file = temporaryFile()
  const first = openSqliteSignIns(file)
  first.add('h1', session('l1'))
  first.add('h2', session('l2'))
  first.remove('h1')
  expect(() => first.add('h3', session('l2'))).toThrow('UNIQUE')
  first.close()
  const second = openSqliteSignIns(file)
  expect([second.bySecret('h1'), second.byLabel('l2')?.user]).toEqual([null, alice])
  second.close()
})

test('[SE5] sqlite: what was made before there was a choice of computers is read, and can choose', () => {
  const file = temporaryFile()
  const db = new Database(file)
  db.exec(
    'CREATE TABLE session (secret_hash TEXT PRIMARY KEY, user TEXT NOT NULL, label TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL) STRICT',
  )
  db.exec("INSERT INTO session VALUES ('h1', 'alice', 'l1', 1, 1)")
  db.close()
  const signIns = openSqliteSignIns(file)
  expect(signIns.bySecret('h1')).toEqual(session('l1'))
  signIns.choose('h1', ComputerId.parse('c2'), 'l2')
  signIns.close()
  const again = openSqliteSignIns(file)
  expect(again.byLabel('l2')?.computer).toBe('c2')
  again.close()
})
