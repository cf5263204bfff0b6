import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ComputerId, UserId } from '@choiros/contract/ids.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { openMemorySessions } from './memory.fake.ts'
import { openSqliteSessions } from './sqlite.ts'
import type { Session, Sessions } from './sessions.ts'

const alice = UserId.parse('alice')
const session = (label: string, seenMs = 1): Session => ({ user: alice, label, computer: null, createdMs: 1, seenMs })

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})
function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'choir-sessions-'))
  folders.push(folder)
  return join(folder, 'sessions.sqlite')
}

for (const { name, open } of [
  { name: 'memory', open: (): Sessions => openMemorySessions() },
  { name: 'sqlite', open: (): Sessions => openSqliteSessions(temporaryFile()) },
]) {
  describe(`sessions ${name}`, () => {
    test('[SE1] a session is found by the hash of its secret and by its label', () => {
      const sessions = open()
      sessions.add('h1', session('l1'))
      expect([
        sessions.bySecret('h1'),
        sessions.byLabel('l1'),
        sessions.bySecret('l1'),
        sessions.byLabel('h1'),
      ]).toEqual([session('l1'), session('l1'), null, null])
      sessions.close()
    })

    test('[SE2] a removed session is found by neither', () => {
      const sessions = open()
      sessions.add('h1', session('l1'))
      sessions.remove('h1')
      expect([sessions.bySecret('h1'), sessions.byLabel('l1')]).toEqual([null, null])
      sessions.close()
    })

    test('[SE5] a session looks at another computer under another label', () => {
      const sessions = open()
      sessions.add('h1', session('l1'))
      sessions.add('h2', session('l2'))
      sessions.choose('h1', ComputerId.parse('c2'), 'l3')
      expect([sessions.bySecret('h1'), sessions.byLabel('l1'), sessions.byLabel('l2')]).toEqual([
        { ...session('l3'), computer: 'c2' },
        null,
        session('l2'),
      ])
      sessions.close()
    })

    test('[SE3] only what was last seen before the moment is removed', () => {
      const sessions = open()
      sessions.add('h1', session('l1', 10))
      sessions.add('h2', session('l2', 10))
      sessions.seen('h2', 30)
      sessions.removeOlder(20)
      expect([sessions.bySecret('h1'), sessions.bySecret('h2')?.seenMs]).toEqual([null, 30])
      sessions.close()
    })
  })
}

test('[SE2] [SE4] sqlite: signing out survives a restart, and a label is taken once', () => {
  const file = temporaryFile()
  const first = openSqliteSessions(file)
  first.add('h1', session('l1'))
  first.add('h2', session('l2'))
  first.remove('h1')
  expect(() => first.add('h3', session('l2'))).toThrow('UNIQUE')
  first.close()
  const second = openSqliteSessions(file)
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
  const sessions = openSqliteSessions(file)
  expect(sessions.bySecret('h1')).toEqual(session('l1'))
  sessions.choose('h1', ComputerId.parse('c2'), 'l2')
  sessions.close()
  const again = openSqliteSessions(file)
  expect(again.byLabel('l2')?.computer).toBe('c2')
  again.close()
})
