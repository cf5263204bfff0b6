import Database from 'better-sqlite3'
import type { UserId } from '@choiros/contract/ids.ts'
import type { Session, Sessions } from './sessions.ts'

interface Row {
  user: string
  label: string
  created_ms: number
  seen_ms: number
}

export function openSqliteSessions(file: string): Sessions {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL') // A sign-out that power loss takes back would leave a stolen browser signed in.
  db.exec(
    'CREATE TABLE IF NOT EXISTS session (secret_hash TEXT PRIMARY KEY, user TEXT NOT NULL, label TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL) STRICT',
  )
  const add = db.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?)')
  const bySecret = db.prepare('SELECT user, label, created_ms, seen_ms FROM session WHERE secret_hash = ?')
  const byLabel = db.prepare('SELECT user, label, created_ms, seen_ms FROM session WHERE label = ?')
  const seen = db.prepare('UPDATE session SET seen_ms = ? WHERE secret_hash = ?')
  const relabel = db.prepare('UPDATE session SET label = ? WHERE secret_hash = ?')
  const remove = db.prepare('DELETE FROM session WHERE secret_hash = ?')
  const removeOlder = db.prepare('DELETE FROM session WHERE seen_ms < ?')
  return {
    add: (secretHash, { user, label, createdMs, seenMs }) => void add.run(secretHash, user, label, createdMs, seenMs),
    bySecret: (secretHash) => toSession(bySecret.get(secretHash) as Row | undefined),
    byLabel: (label) => toSession(byLabel.get(label) as Row | undefined),
    seen: (secretHash, nowMs) => void seen.run(nowMs, secretHash),
    relabel: (secretHash, label) => void relabel.run(label, secretHash),
    remove: (secretHash) => void remove.run(secretHash),
    removeOlder: (ms) => void removeOlder.run(ms),
    close: () => void db.close(),
  }
}

function toSession(row: Row | undefined): Session | null {
  return row === undefined ? null : { user: row.user as UserId, label: row.label, createdMs: row.created_ms, seenMs: row.seen_ms }
}
