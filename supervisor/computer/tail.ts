import { readFileSync } from 'node:fs'
import { type DataOf } from '@choiros/contract/catalog.ts'
import { LogRecover } from '@choiros/contract/events/files.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent } from '@choiros/contract/event.ts'
import type { ComputerId, Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'
import type { GitCheckpoints } from '../history/git-checkpoints.ts'
import { snapshotHeads } from '../history/snapshots.ts'
import type { HeadRecord } from '../signing/head-record.ts'
import { SignedHead, type Signer } from '../signing/signing.ts'
import { readCursor } from '../state/tables.ts'
import { witnessedSeq } from '../tree/projector.ts'

/** The witnesses' names in messages. */
export const WITNESSES = {
  head: 'the signed head',
  record: 'the record of this home',
  tables: 'the tables',
  files: 'the files',
  snapshot: 'a snapshot',
  git: 'the newest checkpoint in git',
  computer: 'the computer itself',
} as const

/**
 * Something beside the log that knows how far the log had got. All of them are written only after the log's own fsync:
 * none can rightly be ahead of the log, neither after a kill nor after a power cut.
 */
export interface Witness {
  readonly who: keyof typeof WITNESSES
  readonly seq: number
  /** Null where the witness knows only the number. */
  readonly hash: Hash | null
}

export interface TailWitnesses {
  readonly computer: ComputerId
  readonly headFile: string
  readonly stateFile: string
  readonly treeCursorFile: string
  readonly snapshots: string
  readonly git: Pick<GitCheckpoints, 'newestSigned'>
  readonly signer: Pick<Signer, 'isOwn'>
  /** Outside of the computer's folder. Null where there is no home around it. */
  readonly record: HeadRecord | null
}

function readSignedHead(file: string): SignedHead | null {
  try {
    return SignedHead.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

function ownOnly(head: SignedHead | null, { computer, signer }: TailWitnesses): SignedHead | null {
  return head !== null && head.computer === computer && head.seq > 0 && signer.isOwn(head) ? head : null
}

/** All witnesses except git, because asking git takes a process. */
function cheapWitnesses(witnesses: TailWitnesses): Witness[] {
  const { headFile, stateFile, treeCursorFile, snapshots, record } = witnesses
  const files = witnessedSeq(treeCursorFile)
  const found: { who: Witness['who']; head: { seq: number; hash: Hash | null } | null }[] = [
    { who: 'head', head: ownOnly(readSignedHead(headFile), witnesses) },
    { who: 'record', head: record?.newest() ?? null },
    { who: 'tables', head: readCursor(stateFile) },
    { who: 'files', head: files === null || files === 0 ? null : { seq: files, hash: null } },
    ...snapshotHeads(snapshots).map((head) => ({ who: 'snapshot' as const, head })),
  ]
  return found.flatMap(({ who, head }) => (head === null ? [] : [{ who, seq: head.seq, hash: head.hash }]))
}

/**
 * The witnesses that the log contradicts, furthest first, without those that a recovery in the log has already
 * accounted for.
 */
export async function findLost(log: EventLog, witnesses: TailWitnesses): Promise<Witness[]> {
  const known = cheapWitnesses(witnesses)
  const head = await log.head()
  const isVouched = known.some(({ seq, hash }) => seq === head.seq && hash === head.hash)
  const signed = isVouched ? null : ownOnly(await witnesses.git.newestSigned().catch(() => null), witnesses)
  if (signed !== null) known.push({ who: 'git', seq: signed.seq, hash: signed.hash })
  const lost: Witness[] = []
  for (const witness of known) if (!(await holds(log, witness, head.seq))) lost.push(witness)
  if (lost.length === 0) return []
  const settled = await settledBy(log)
  return lost.filter(({ seq, hash }) => !settled.has(`${seq} ${hash}`)).sort((a, b) => b.seq - a.seq)
}

async function holds(log: EventLog, { seq, hash }: Omit<Witness, 'who'>, head: number): Promise<boolean> {
  if (hash === null || seq > head) return seq <= head
  const [stored] = await log.read({ after: seq - 1, limit: 1 })
  return stored?.hash === hash
}

/** What earlier recoveries have accounted for. The log is read for it only when a witness contradicts it. */
async function settledBy(log: EventLog): Promise<Set<string>> {
  const settled = new Set<string>()
  for (let after = 0; ;) {
    const page = await log.read({ after, limit: LIMITS.eventsPageMax })
    for (const stored of page) {
      if (!stored.bytes.includes(LogRecover.type)) continue
      const { type, data } = readEvent(stored)
      if (type === LogRecover.type)
        for (const { seq, hash } of (data as DataOf<typeof LogRecover>).known) settled.add(`${seq} ${hash}`)
    }
    if (page.length === 0) return settled
    after = page.at(-1)?.seq ?? after
  }
}

const WAY_ON =
  '"choir recover" shows what can be brought back, and brings it back; "choir export FILE --rescue" saves what is left elsewhere.'

/**
 * Where a witness is ahead of the log, acknowledged events are lost. To write on would hide that, and remove their
 * files.
 */
export async function checkTail(log: EventLog, witnesses: TailWitnesses): Promise<void> {
  const [newest] = await findLost(log, witnesses)
  const { seq } = await log.head()
  if (newest !== undefined) throw lostError(seq, newest)
  if (seq === 0)
    throw new ChoirError(
      'log.truncated',
      `the log is empty: every event of it is gone. Nothing more is written to it. ${WAY_ON}`,
    )
}

/** Throws unless the log still holds an event that was acknowledged. */
export async function checkHolds(log: EventLog, known: Head): Promise<void> {
  const { seq } = await log.head()
  if (known.seq > 0 && !(await holds(log, known, seq))) throw lostError(seq, { who: 'computer', ...known })
}

function lostError(head: number, { who, seq, hash }: Witness): ChoirError {
  const name = WITNESSES[who]
  const what =
    head < seq
      ? `the log ends at event ${head}, but it had got to event ${seq}, as ${name} ${name.endsWith('s') ? 'know' : 'knows'}: its newest events are gone`
      : `event ${seq} of the log is not the one that was written: this is another history`
  return new ChoirError('log.truncated', `${what}. Nothing more is written to it, and nothing is deleted. ${WAY_ON}`, {
    details: { head, known: seq, hash },
  })
}
