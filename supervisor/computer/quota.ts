import type { Change } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Via } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import type { Queries } from '../state/queries.ts'

/** How much room a computer takes: its files, the bytes that only its history names, and the log itself. */
export type Totals = ReturnType<Queries['totals']>

export type Quotas = Readonly<
  Record<'treeFilesMax' | 'treeBytesMax' | 'versionsBytesMax' | 'historyBytesMax' | 'historyReserveBytes', number>
>

/**
 * Programs may fill this part of a quota. The rest is the person's: otherwise a loop in a page would leave them nothing
 * to clear up with.
 */
const PROGRAMS_PART = 0.9
const PROGRAMS: ReadonlySet<Via> = new Set<Via>(['desktop', 'terminal', 'agent'])

/**
 * How many bytes a second the desktop's code may add to old versions and to the log over a long time, and how many at
 * once: a loop in it wrote 236 MB in eight seconds.
 */
const VERSIONS_OF_A_DESKTOP = { perSecond: 1024 * 1024, burst: 256 * 1024 * 1024 }
const HISTORY_OF_A_DESKTOP = { perSecond: 128 * 1024, burst: 64 * 1024 * 1024 }

/** How a change alters the room that the computer takes; `added`: bytes that it did not hold before. */
export interface Growth {
  readonly before: Totals
  readonly after: Totals
  readonly added: number
}

export function growthBy(
  before: Totals,
  { changes, erased, bytes }: Omit<Fact, 'event'>,
  kept: Queries['kept'],
): Growth {
  const after = { ...before, history: before.history + bytes }
  const touched = new Map<Hash, { readonly size: number; readonly live: number }>()
  const note = (entry: Change['to'], by: 1 | -1) => {
    if (entry === null) return
    after.files += by
    after.bytes += by * entry.size
    if (entry.object === null || entry.size === 0) return
    touched.set(entry.object, { size: entry.size, live: (touched.get(entry.object)?.live ?? 0) + by })
  }
  for (const { from, to } of changes) {
    note(from, -1)
    note(to, 1)
  }
  let added = 0
  for (const [object, { size, live }] of touched) {
    const known = kept(object)
    if (known === null) added += size
    if (known !== null && known.live <= 0) after.versions -= known.size
    if ((known?.live ?? 0) + live <= 0) after.versions += known?.size ?? size
  }
  for (const object of new Set(erased)) {
    const known = kept(object)
    if (known !== null && known.live + (touched.get(object)?.live ?? 0) <= 0) after.versions -= known.size
  }
  return { before, after, added }
}

/** Who asks. `isUrgent`: it puts the person back in charge, or only deletes; such commands are refused last. */
export interface Asker {
  readonly via: Via
  readonly isUrgent: boolean
}

export interface Quota {
  /** Refuses what is too much in all, in words that say what to do, or too much at once. */
  check(growth: Growth, asker: Asker): void
}

export function createQuota(now: () => number, quotas: Quotas = LIMITS): Quota {
  const versionsOfDesktop = createBucket(now, VERSIONS_OF_A_DESKTOP)
  const historyOfDesktop = createBucket(now, HISTORY_OF_A_DESKTOP)
  return {
    check({ before, after, added }, { via, isUrgent }) {
      checkTree(before, after, quotas)
      const part = PROGRAMS.has(via) ? PROGRAMS_PART : 1
      const whose = part === 1 ? '' : ' that programs may fill'
      const historyMax = isUrgent ? quotas.historyBytesMax + quotas.historyReserveBytes : quotas.historyBytesMax * part
      if (after.history > historyMax)
        throw tooMuch(
          `the history of this computer is full: it holds the ${words(historyMax)}${whose}. Export it to keep it, then go on in a new computer. What is there can still be read, undone and deleted.`,
        )
      if (isUrgent) return
      // Deleting, or bringing back what is held anyway, adds nothing: it is never refused.
      if (added > 0 && after.versions > quotas.versionsBytesMax * part)
        throw tooMuch(
          `old versions of files fill the ${words(quotas.versionsBytesMax * part)} kept for them${whose}, so nothing was written. Make room: “History”, then “Storage”, or "choir thin --older-than 30d".`,
        )
      if (via !== 'desktop') return
      versionsOfDesktop(added > 0 ? Math.max(0, after.versions - before.versions) : 0)
      historyOfDesktop(after.history - before.history)
    },
  }
}

function checkTree(before: Totals, after: Totals, { treeFilesMax, treeBytesMax }: Quotas): void {
  if (after.files > treeFilesMax && after.files > before.files)
    throw tooMuch(
      `a computer can hold at most ${treeFilesMax} files, and this would make it ${after.files}. Delete some first.`,
    )
  if (after.bytes > treeBytesMax && after.bytes > before.bytes)
    throw tooMuch(
      `a computer can hold at most ${treeBytesMax} bytes, and this would make it ${after.bytes}. Delete something first.`,
    )
}

function tooMuch(message: string): ChoirError {
  return new ChoirError('quota.exceeded', message)
}

function words(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024
  return mebibytes >= 1024
    ? `${Math.round((mebibytes / 1024) * 10) / 10} GiB`
    : `${Math.round(mebibytes * 10) / 10} MiB`
}

/**
 * Takes bytes from the allowance that has gathered, or refuses. A write that is larger than the burst passes once the
 * whole burst has gathered, because it cannot come in pieces.
 */
function createBucket(
  now: () => number,
  { perSecond, burst }: { perSecond: number; burst: number },
): (bytes: number) => void {
  let left = burst
  let atMs = now()
  return (bytes) => {
    const nowMs = now()
    left = Math.min(burst, left + Math.max(0, nowMs - atMs) * (perSecond / 1000))
    atMs = nowMs
    const needed = Math.min(bytes, burst)
    if (needed > left) {
      const retryAfterMs = Math.ceil(((needed - left) * 1000) / perSecond)
      throw new ChoirError(
        'rate.limited',
        `the desktop changes too much at once; try again in ${Math.ceil(retryAfterMs / 1000)} s`,
        {
          details: { retryAfterMs },
        },
      )
    }
    left -= bytes
  }
}
