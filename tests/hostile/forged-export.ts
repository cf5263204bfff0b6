import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { canonicalBytes, sha256 } from '@choiros/contract/canonical.ts'
import type { Entry } from '@choiros/contract/change.ts'
import { ComputerId, eventIdFrom, NO_HASH, type Hash } from '@choiros/contract/ids.ts'
import { openSigner } from '@choiros/supervisor/signing/signing.ts'
import { temporaryFolder } from '../support/home.ts'

type Json = Record<string, unknown>

/** One event of a forged log: what an honest one would hold, and any lie on top of it. */
export interface ForgedEvent {
  readonly type?: string
  readonly version?: number
  readonly data?: unknown
  /** Members of the envelope to replace; undefined removes one. */
  readonly envelope?: Json
  /** Instead of the canonical bytes. */
  readonly bytes?: (honest: Buffer) => Buffer
  readonly hash?: Hash
  readonly seq?: number
}

export interface Forgery {
  readonly events?: readonly ForgedEvent[]
  readonly objects?: readonly { readonly hash: Hash; readonly bytes: Buffer }[]
  readonly card?: (honest: Json) => unknown
  readonly format?: number
  readonly sql?: string
}

const FORGED = ComputerId.parse('forged')
const EMPTY_TREE = sha256('')

export const base: ForgedEvent = {
  type: 'base.install',
  data: { name: 'forged', release: '0.1.0', tree: EMPTY_TREE, dependencies: null, changes: [], manifest: null },
}

export const object = (text: string | Buffer) => ({ hash: sha256(text), bytes: Buffer.from(text) })
export const file = (text: string, mode: '644' | '755' = '644'): Entry => ({
  kind: 'file',
  mode,
  object: sha256(text),
  size: Buffer.byteLength(text),
})
export const link = (target: string): Entry => ({
  kind: 'symlink',
  mode: '777',
  object: sha256(target),
  size: Buffer.byteLength(target),
})

export function change(
  ...changes: readonly { path: string; from?: unknown; to: unknown; movedFrom?: unknown }[]
): ForgedEvent {
  return {
    type: 'file.change',
    data: {
      changes: changes.map(({ path, from = null, to, movedFrom = null }) => ({ path, from, to, movedFrom })),
      manifest: null,
    },
  }
}

/** Writes an export file as ours are, except for the lies; signs it with a key of its own, as any stranger can. */
export function forgeExport({
  events = [base],
  objects = [],
  card = (honest) => honest,
  format = 1,
  sql = '',
}: Forgery): string {
  const path = join(temporaryFolder(), 'forged.choir')
  const db = new Database(path)
  db.exec('CREATE TABLE about (format INTEGER NOT NULL, card TEXT NOT NULL) STRICT')
  db.exec('CREATE TABLE event (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, bytes BLOB NOT NULL) STRICT')
  db.exec('CREATE TABLE object (hash BLOB PRIMARY KEY, bytes BLOB NOT NULL) STRICT')
  let head: { seq: number; hash: Hash } = { seq: 0, hash: NO_HASH }
  for (const event of events) {
    const honest = canonicalBytes(envelopeOf(event, head))
    const bytes = event.bytes?.(honest) ?? honest
    const hash = event.hash ?? sha256(bytes)
    const seq = event.seq ?? head.seq + 1
    db.prepare('INSERT INTO event VALUES (?, ?, ?)').run(seq, Buffer.from(hash, 'hex'), bytes)
    head = { seq, hash }
  }
  for (const { hash, bytes } of objects)
    db.prepare('INSERT INTO object VALUES (?, ?)').run(Buffer.from(hash, 'hex'), bytes)
  const signer = openSigner(join(temporaryFolder(), 'stranger.pem'))
  const honestCard = { computer: FORGED, name: 'forged', head: signer.signHead({ computer: FORGED, ...head }) }
  db.prepare('INSERT INTO about VALUES (?, ?)').run(format, JSON.stringify(card(honestCard)))
  if (sql !== '') db.exec(sql)
  db.close()
  return path
}

function envelopeOf(event: ForgedEvent, head: { seq: number; hash: Hash }): Json {
  const time = 1_700_000_000_000 + head.seq
  return {
    id: eventIdFrom(time, randomBytes(10)),
    computer: FORGED,
    seq: head.seq + 1,
    time,
    user: 'stranger',
    source: 'user',
    via: 'cli',
    type: event.type ?? 'file.change',
    version: event.version ?? 1,
    data: event.data ?? {},
    run: null,
    cause: null,
    prev: head.hash,
    ...event.envelope,
  }
}
