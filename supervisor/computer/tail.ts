import { readFileSync } from 'node:fs'
import { ChoirError } from '@choiros/contract/error.ts'
import type { ComputerId } from '@choiros/contract/ids.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'
import type { GitCheckpoints } from '../history/git-checkpoints.ts'
import { SignedHead, type Signer } from '../home/signing.ts'

export function readSignedHead(file: string): SignedHead | null {
  try {
    return SignedHead.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

export interface TailWitnesses {
  readonly computer: ComputerId
  readonly headFile: string
  readonly git: Pick<GitCheckpoints, 'newestSigned'>
  readonly signer: Pick<Signer, 'isOwn'>
}

/** The newest point of a log that this home has signed, or null if none is known. Git's copy is asked where ours is gone or damaged. */
export async function newestSigned({ computer, headFile, git, signer }: TailWitnesses): Promise<SignedHead | null> {
  const isGood = (head: SignedHead | null) => head !== null && head.computer === computer && head.seq > 0 && signer.isOwn(head)
  const own = readSignedHead(headFile)
  if (isGood(own)) return own
  const checkpoint = await git.newestSigned().catch(() => null)
  return isGood(checkpoint) ? checkpoint : null
}

const WAY_ON = '"choir export FILE --rescue" saves what is left, and "choir import FILE --name NAME" makes a computer of it.'

/** A log that ends before a point this home has signed has lost events that were acknowledged; writing on would bury that. */
export async function checkTail(log: EventLog, witnesses: TailWitnesses): Promise<void> {
  if ((await log.head()).seq === 0)
    throw new ChoirError('log.truncated', 'the log is empty: every event of it is gone. "choir import" brings back an export.')
  const signed = await newestSigned(witnesses)
  if (signed === null) return
  await checkHolds(log, signed)
}

/** Throws unless the log still holds an event that was acknowledged. */
export async function checkHolds(log: EventLog, known: Head): Promise<void> {
  const [stored] = known.seq === 0 ? [] : await log.read({ after: known.seq - 1, limit: 1 })
  if (known.seq === 0 || stored?.hash === known.hash) return
  const { seq } = await log.head()
  const what =
    seq < known.seq
      ? `the log ends at event ${seq}, but it had got to event ${known.seq}: its newest events are gone`
      : `event ${known.seq} of the log is not the one that was written: this is another history`
  throw new ChoirError('log.truncated', `${what}. Nothing more is written to it. ${WAY_ON}`, { details: { head: seq, known: known.seq } })
}
