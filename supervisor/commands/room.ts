import { setImmediate as nextTurn } from 'node:timers/promises'
import { Erase } from '@choiros/contract/events/files.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { RoomView, ThinPlan } from '@choiros/contract/room-view.ts'
import { findThinnable, type PastPage } from '@choiros/core/thinning.ts'
import { hashSortedTree } from '@choiros/core/tree.ts'
import type { Computer } from '../computer/computer.ts'
import type { Quotas } from '../computer/quota.ts'
import { ERASE_RESERVE_BYTES } from '../computer/room.ts'
import type { PastVersion } from '../state/queries/object-queries.ts'
import { userDraft, type ComputerCommand } from './context.ts'

/** How many of the newest units can still be taken back after thinning: what they need stays, however old it is. */
const UNDOS_KEPT = 20
/** As many healthy landings stay as safe mode would try desktops. */
const HEALTHY_KEPT = 3
const PAGE = 2000
/** While old versions are looked through, no command may bring back what is about to go. */
const HOLD_MS = 10_000
const TRIES_MAX = 5

export const showRoom: ComputerCommand<'room'> = async ({ computer, machine }) =>
  viewRoom(computer, machine.quotas ?? LIMITS)

function viewRoom(
  computer: Computer,
  { treeBytesMax, treeFilesMax, versionsBytesMax, historyBytesMax }: Quotas,
): RoomView {
  const { files, bytes, versions, history } = computer.totals()
  return {
    files: { bytes, max: treeBytesMax, count: files, countMax: treeFilesMax },
    versions: { bytes: versions, max: versionsBytesMax },
    history: { bytes: history, max: historyBytesMax },
  }
}

export const previewThin: ComputerCommand<'thin.preview'> = async ({ computer, machine }, { olderThanMs }) =>
  planView(await planThin(computer, await newestOlder(computer, machine.now(), olderThanMs)))

/** Erases old versions for good, as one event. The event comes first, as with every erase. */
export const thin: ComputerCommand<'thin'> = async (context, { olderThanMs }) => {
  const { computer, machine } = context
  const until = await newestOlder(computer, machine.now(), olderThanMs)
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const letGo = await computer.holdStill(HOLD_MS)
    let done
    try {
      done = await thinOnce(context, until)
    } finally {
      letGo()
    }
    if (done === null) continue // A landing came in between; landings do not wait for a hold.
    const { plan, seq } = done
    if (seq !== null) {
      await computer.erase(plan.objects)
      await computer.commitCheckpoints().catch((error: unknown) => machine.warn('checkpoints are not in git', error))
    }
    return { seq, ...planView(plan), room: viewRoom(computer, machine.quotas ?? LIMITS) }
  }
  throw new ChoirError(
    'undo.mismatch',
    'the files change faster than old versions can be looked through; nothing was removed. Try again when it is quieter.',
  )
}

async function thinOnce(context: Parameters<typeof thin>[0], until: number) {
  const { computer } = context
  const plan = await planThin(computer, until)
  if (plan.objects.length === 0) return { plan, seq: null }
  const event = await computer.change(
    ({ state, filesSeq }) => {
      if (filesSeq !== plan.filesSeq) return null
      const tree = hashSortedTree(state.allEntries())
      return {
        draft: userDraft(context, Erase, { why: 'room', tree, reason: 'to make room' }),
        changes: [],
        erased: plan.objects,
        tree,
      }
    },
    { reserveBytes: ERASE_RESERVE_BYTES, atOnce: true },
  )
  return event === null ? null : { plan, seq: event.seq }
}

interface Plan extends ReturnType<typeof findThinnable> {
  readonly filesSeq: number
}

async function planThin(computer: Computer, until: number): Promise<Plan> {
  const { queries } = computer
  const filesSeq = computer.filesSeq()
  const pages: PastPage[] = []
  for (let last: PastVersion | null = null; ;) {
    const page: PastVersion[] = queries.pastVersions(last, PAGE)
    pages.push(page)
    if (page.length < PAGE) break
    last = page.at(-1) ?? null
    await nextTurn() // A long history has a million old versions, and others wait meanwhile.
  }
  const isHeld = (object: Hash) =>
    (queries.kept(object)?.live ?? 0) > 0 ||
    queries.isErased(object) ||
    queries.isManifest(object) ||
    queries.isAttached(object)
  return {
    filesSeq,
    ...findThinnable(pages, { until, points: pointsOf(computer), isHeld, max: LIMITS.erasedAtOnceMax }),
  }
}

/** Moments whose whole tree must still be there afterwards. */
function pointsOf({ queries }: Computer): number[] {
  const undo = queries.openUndo()
  return [
    1, // What the computer began with.
    ...queries.checkpoints({ kind: 'user' }).map(({ seq }) => seq),
    ...queries.healthyLandings(HEALTHY_KEPT),
    ...queries.units(null, UNDOS_KEPT).flatMap(({ seq, until }) => [seq - 1, until]),
    ...(undo === null ? [] : [undo.seq - 1, undo.seq]),
  ]
}

/**
 * The number of the event up to which every event is older than that; 0: none is. It looks at each event, because
 * clocks can go back: where the clock had once stood in 1970, a binary search took versions of a minute ago for older
 * than a month.
 */
async function newestOlder({ log, head }: Computer, nowMs: number, olderThanMs: number): Promise<number> {
  if (olderThanMs === 0) return head().seq
  for (let seq = 0; ;) {
    const page = await log.read({ after: seq, limit: PAGE })
    const young = page.findIndex((stored) => readEvent(stored).time > nowMs - olderThanMs)
    seq += young === -1 ? page.length : young
    if (young !== -1 || page.length < PAGE) return seq
    await nextTurn()
  }
}

function planView({ objects, files, bytes, more }: Plan): ThinPlan {
  return { versions: objects.length, files, bytes, more }
}
