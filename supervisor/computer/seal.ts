import type { Change } from '@choiros/contract/change.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import { eventTime, sealEvent, type Draft, type Event, type StoredEvent } from '@choiros/contract/event.ts'
import type { ComputerId, EventId, Hash, Seq } from '@choiros/contract/ids.ts'
import { checkDraft } from '@choiros/contract/shape.ts'
import { packChanges, packErased } from '@choiros/core/facts.ts'
import type { Head } from '@choiros/ports/event-log/event-log.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'

/** One event to write. Its changes are packed when it is sealed; small objects travel in the same transaction. */
export interface Proposal {
  readonly draft: Draft
  readonly changes?: readonly Change[]
  /** What it erases, packed like the changes. */
  readonly erased?: readonly Hash[]
  readonly objects?: readonly ObjectBytes[]
  /** The tree must hash to this once the event is applied, or nothing is written (L5, L12). */
  readonly tree?: Hash
}

export interface SealOptions {
  readonly computer: ComputerId
  readonly now: () => number
  readonly newEventId: (timeMs: number) => EventId
}

export interface Sealed {
  readonly event: Event
  readonly stored: StoredEvent
  /** Those of the proposal, and its packed lists. */
  readonly objects: readonly ObjectBytes[]
  /** What the log holds for it. */
  readonly bytes: number
}

/** Makes a proposal the event that follows on the head. The only place where an event comes to be. */
export function sealProposal(proposal: Proposal, head: Head, { computer, now, newEventId }: SealOptions): Sealed {
  let { draft } = proposal
  const objects = [...(proposal.objects ?? [])]
  let listBytes = 0
  const keepList = (bytes: Buffer | null): Hash | null => {
    if (bytes === null) return null
    const hash = sha256(bytes)
    objects.push({ hash, bytes })
    listBytes += bytes.length
    return hash
  }
  if (proposal.changes !== undefined) {
    const packed = packChanges(proposal.changes)
    draft = { ...draft, data: { ...draft.data, changes: packed.changes, manifest: keepList(packed.manifest) } }
  }
  if (proposal.erased !== undefined) {
    const packed = packErased(proposal.erased)
    draft = { ...draft, data: { ...draft.data, objects: packed.objects, list: keepList(packed.list) } }
  }
  checkDraft(draft)
  const time = eventTime(now())
  const position = { id: newEventId(time), computer, seq: (head.seq + 1) as Seq, time, prev: head.hash }
  const { event, stored } = sealEvent(draft, position)
  return { event, stored, objects, bytes: stored.bytes.length + listBytes }
}
