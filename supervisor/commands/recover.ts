import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '@choiros/contract/change.ts'
import type { OutputOf } from '@choiros/contract/commands.ts'
import { ChoirError, hasCode } from '@choiros/contract/error.ts'
import { type StoredEvent } from '@choiros/contract/event.ts'
import type { Hash, Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Recovery } from '@choiros/contract/recovery.ts'
import { objectsOf } from '@choiros/core/facts.ts'
import { doesWhat } from '@choiros/core/merge/diff-view.ts'
import { hashTree } from '@choiros/core/tree.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import { witnessesOf } from '../computer/open-computer.ts'
import { PLACES } from '../computer/places.ts'
import { findLost, WITNESSES, type Witness } from '../computer/tail.ts'
import { writingLog } from '../computer/using-log.ts'
import { readFacts } from '../history/facts.ts'
import { openGitCheckpoints } from '../history/git-checkpoints.ts'
import { firstEvent } from '../computer/base.ts'
import type { Context } from './context.ts'
import { findObject, lookAtFiles, sealRecovery, treeOf, type Damaged } from './lost-files.ts'

/** A lost event of which every object was found: it is put back byte for byte. */
interface PutBack {
  readonly stored: StoredEvent
  readonly objects: readonly ObjectBytes[]
}

interface Found {
  readonly recovery: Recovery
  readonly lost: readonly Witness[]
  readonly putBack: readonly PutBack[]
  readonly changes: readonly Change[]
  readonly objects: ReadonlyMap<Hash, Buffer>
  readonly tree: Hash
  readonly head: { readonly seq: number; readonly hash: Hash }
}

export const previewRecovery = (context: Context, computer: string | null): Promise<Recovery> =>
  withDamaged(context, computer, async (damaged) => (await look(damaged)).recovery)

/**
 * Lost events that are still whole somewhere are put back as they were. The files of the others, as far as they are
 * known, become one new event, which also says what was lost: so the log stays the only truth.
 */
export async function recover(context: Context, computer: string | null): Promise<OutputOf<'recover'>> {
  const done = await withDamaged(context, computer, async (damaged) => {
    const found = await look(damaged)
    const seq = await writeRecovery(damaged, found)
    // The cursor of the files on disk is about the lost events.
    rmSync(join(damaged.folder, PLACES.treeCursor), { force: true })
    return { seq, ...found.recovery }
  })
  await context.home.open(context.user, computer, context.progress)
  return done
}

async function withDamaged<Result>(
  context: Context,
  computer: string | null,
  work: (damaged: Damaged) => Promise<Result>,
): Promise<Result> {
  const { home, machine, user, progress } = context
  const isLost = await home.open(user, computer, progress).then(
    () => false,
    (error: unknown) => {
      if (hasCode(error, 'log.truncated')) return true
      throw error
    },
  )
  if (!isLost)
    throw new ChoirError(
      'request.refused',
      'nothing on this computer is known to be lost, so there is nothing to recover',
    )
  const { identity, folder, record } = await home.locate(user, computer)
  return writingLog(machine, { folder, id: identity.id }, async (log) => {
    const leftover = await log.leftover()
    try {
      return await work({ context, identity, folder, record, log, leftover })
    } finally {
      leftover?.close()
      record.close()
    }
  })
}

async function look(damaged: Damaged): Promise<Found> {
  const { context, identity, folder, record, log } = damaged
  const before = await log.head()
  const git = openGitCheckpoints(join(folder, PLACES.git), async () => null)
  const witnesses = witnessesOf(folder, identity.id, { git, signer: context.machine.signer, record })
  const all = await findLost(log, witnesses)
  const putBack = await provenEvents(damaged)
  const longer = withEvents(log, putBack)
  const head = await longer.head()
  const lost = await findLost(longer, witnesses)
  const { changes, missing, objects, tree, asked } =
    lost.length === 0
      ? await lookAtNothing(damaged, longer)
      : await lookAtFiles(damaged, longer, { areTablesNewer: lost.some(({ who }) => who === 'tables') })
  const recovery: Recovery = {
    head: before.seq,
    known: (all[0]?.seq ?? 1) as Seq,
    witnesses: all.map(({ who, seq }) => ({ who: WITNESSES[who], seq: seq as Seq })),
    events: putBack.length,
    changes: changes.map((change) => ({ path: change.path, does: doesWhat(change) })),
    missing,
    asked,
  }
  return { recovery, lost, putBack, changes, objects, tree, head }
}

/**
 * The events that SQLite was about to drop, as long as each follows on the one before and all its objects are there. An
 * empty log gets a new first event.
 */
async function provenEvents(damaged: Damaged): Promise<PutBack[]> {
  const { log, leftover, identity, context } = damaged
  let from = await log.head()
  const proven: PutBack[] = []
  if (from.seq === 0) {
    const first = firstEvent(identity, context.machine)
    proven.push(first)
    return proven
  }
  if (leftover === null) return proven
  const object = async (hash: Hash) => (await findObject(damaged, hash)) ?? Buffer.alloc(0)
  try {
    for await (const facts of readFacts(leftover, object, from)) {
      for (const { stored, event, changes } of facts) {
        const objects: ObjectBytes[] = []
        const paths = new Map(
          changes.flatMap(({ path, to }) => (to?.object == null ? [] : [[to.object, path] as const])),
        )
        for (const hash of objectsOf(event, changes)) {
          const bytes = await findObject(damaged, hash, paths.get(hash))
          if (bytes === null) return proven
          objects.push({ hash, bytes })
        }
        proven.push({ stored, objects })
        from = stored
      }
    }
  } catch (error) {
    if (!(error instanceof ChoirError)) throw error // From here on the leftover is damaged.
  }
  return proven
}

/** The log as it will be with some more events. */
function withEvents(log: EventLog, more: readonly PutBack[]): EventLog {
  const events = more.map(({ stored }) => stored)
  const objects = new Map(
    more.flatMap((item) => item.objects.map(({ hash, bytes }) => [hash, Buffer.from(bytes)] as const)),
  )
  return {
    ...log,
    async read({ after, limit }) {
      const own = await log.read({ after, limit })
      return [...own, ...events.filter(({ seq }) => seq > after)].slice(0, limit)
    },
    head: async () => events.at(-1) ?? log.head(),
    objects: { ...log.objects, get: async (hash) => objects.get(hash) ?? log.objects.get(hash) },
  }
}

const lookAtNothing = async (damaged: Damaged, log: EventLog) => {
  const tree = hashTree(await treeOf(damaged, log))
  return {
    changes: [] as Change[],
    missing: [] as TreePath[],
    objects: new Map<Hash, Buffer>(),
    tree,
    asked: [] as string[],
  }
}

async function writeRecovery({ context, identity, log }: Damaged, found: Found): Promise<Seq> {
  for (const { stored, objects } of found.putBack) await log.append([stored], objects, stored.seq - 1)
  if (found.lost.length === 0 && found.recovery.head > 0) return found.head.seq as Seq
  const known = found.lost.slice(0, 20).map(({ seq, hash }) => ({ seq: seq as Seq, hash }))
  const files = { ...found, missing: found.recovery.missing }
  const { stored, objects } = sealRecovery({ context, identity }, found.head, files, {
    after: found.recovery.head,
    known,
  })
  await log.append([stored], objects, found.head.seq)
  return stored.seq
}
