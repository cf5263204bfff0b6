import Database from 'better-sqlite3'
import type { ComputerId, UserId } from '@choiros/contract/ids.ts'
import type { SignIn, SignIns } from './sign-ins.ts'

interface Row {
  user: string
  label: string
  created_ms: number
  seen_ms: number
  computer: string | null
}

export function openSqliteSignIns(file: string): SignIns {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL') // If a power loss undid a sign-out, a stolen browser would stay signed in.
  db.exec(
    'CREATE TABLE IF NOT EXISTS session (secret_hash TEXT PRIMARY KEY, user TEXT NOT NULL, label TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL, computer TEXT) STRICT',
  )
  const columns = db.pragma('table_info(session)') as { name: string }[]
  // A file of a release that had no choice of computers yet.
  if (!columns.some(({ name }) => name === 'computer')) db.exec('ALTER TABLE session ADD COLUMN computer TEXT')
  const add = db.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)')
  const bySecret = db.prepare('SELECT * FROM session WHERE secret_hash = ?')
  const byLabel = db.prepare('SELECT * FROM session WHERE label = ?')
  const seen = db.prepare('UPDATE session SET seen_ms = ? WHERE secret_hash = ?')
  const relabel = db.prepare('UPDATE session SET label = ? WHERE secret_hash = ?')
  const choose = db.prepare('UPDATE session SET computer = ?, label = ? WHERE secret_hash = ?')
  const remove = db.prepare('DELETE FROM session WHERE secret_hash = ?')
  const removeOlder = db.prepare('DELETE FROM session WHERE seen_ms < ?')
  return {
    add: (secretHash, { user, label, createdMs, seenMs, computer }) =>
      void add.run(secretHash, user, label, createdMs, seenMs, computer),
    bySecret: (secretHash) => toSession(bySecret.get(secretHash) as Row | undefined),
    byLabel: (label) => toSession(byLabel.get(label) as Row | undefined),
    seen: (secretHash, nowMs) => void seen.run(nowMs, secretHash),
    relabel: (secretHash, label) => void relabel.run(label, secretHash),
    choose: (secretHash, computer, label) => void choose.run(computer, label, secretHash),
    remove: (secretHash) => void remove.run(secretHash),
    removeOlder: (ms) => void removeOlder.run(ms),
    close: () => void db.close(),
  }
}

function toSession(row: Row | undefined): SignIn | null {
  if (row === undefined) return null
  const { user, label, computer, created_ms: createdMs, seen_ms: seenMs } = row
  return { user: user as UserId, label, computer: computer as ComputerId | null, createdMs, seenMs }
}
