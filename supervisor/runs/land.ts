import { sha256 } from '@choiros/contract/canonical.ts'
import { sameEntry } from '@choiros/contract/change.ts'
import { ChoirError, hasCode } from '@choiros/contract/error.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { rebaseChanges } from '@choiros/core/rebase.ts'
import { applyChanges, readTreeMap, type TreeReader } from '@choiros/core/tree.ts'
import { VERIFIED_FOLDER } from '@choiros/core/verifier-plan.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import { landRun, type Landing } from '../computer/landing.ts'
import { createPace } from '../computer/pace.ts'
import type { Staged } from './stage.ts'
import { verifyTree } from './verification.ts'
import { verifying, type RunAtWork, type RunTools } from './run.ts'

/** How many landings are tried before the person's changes have to wait for the run. */
const ATTEMPTS_IN_PASSING = 2
/** Short enough that a person who types does not notice: their page keeps what they typed and writes it right after. */
const HOLD_MS_MAX = 5000

/** Called with what is about to land; only a test gives one. */
export type BeforeLanding = (landing: Landing) => Promise<Landing>

/**
 * Lands exactly what was verified. If the person changed something that the verifiers looked at, both are merged and
 * the result is verified again. If they cannot be merged, the landing is refused and both versions are kept: the
 * person's in the tree, the run's in its record.
 */
export async function landVerified(
  tools: RunTools,
  work: RunAtWork,
  summary: string,
  beforeLanding: BeforeLanding,
): Promise<Event> {
  for (let attempt = 1; attempt <= ATTEMPTS_IN_PASSING; attempt++) {
    const landed = await landUnlessMoved(tools, work, summary, beforeLanding)
    if (landed !== null) return landed
    if (attempt < ATTEMPTS_IN_PASSING) await mergeAndVerify(tools, work)
  }
  const letGo = await tools.computer.holdStill(HOLD_MS_MAX)
  try {
    await mergeAndVerify(tools, work)
    const landed = await landUnlessMoved(tools, work, summary, beforeLanding)
    if (landed !== null) return landed
  } finally {
    letGo()
  }
  throw new ChoirError(
    'run.refused',
    'you kept changing the same files while it worked, so nothing was changed. Ask again.',
  )
}

/** Null if the person changed the same things meanwhile. */
async function landUnlessMoved(
  tools: RunTools,
  work: RunAtWork,
  summary: string,
  beforeLanding: BeforeLanding,
): Promise<Event | null> {
  const { computer, machine } = tools
  const { staged, verified } = work
  if (verified === null) throw new ChoirError('run.unverified', 'nothing of this run was verified')
  const landing: Landing = { run: work.run, summary, changes: staged.changes, objects: objectsOf(staged), verified }
  work.signal.throwIfAborted()
  machine.reached('run.land.before')
  try {
    const landed = await landRun(computer, await beforeLanding(landing), work.policy.mayLand)
    machine.reached('run.land.after')
    return landed
  } catch (error) {
    if (!hasCode(error, 'file.conflict') || !movedSince(tools, work)) throw error
    return null
  }
}

/**
 * Whether the computer is no longer what the run's changes were made on. If it still is and the landing does not fit,
 * the landing was tampered with.
 */
function movedSince({ computer }: RunTools, { base, staged }: RunAtWork): boolean {
  const [now, before] = [computer.queries.tree, readTreeMap(base.tree)]
  const seen = (tree: TreeReader) => [...tree.below(VERIFIED_FOLDER)].map(([path]) => path)
  const looked = new Set<TreePath>([...seen(now), ...seen(before), ...staged.changes.map(({ path }) => path)])
  return ![...looked].every((path) => sameEntry(now.entry(path), before.entry(path)))
}

async function mergeAndVerify(tools: RunTools, work: RunAtWork): Promise<void> {
  const { computer } = tools
  const fresh = new Map<Hash, ObjectBytes>(work.staged.objects)
  const now = new Map(computer.queries.allEntries())
  const seq = computer.head().seq
  const pace = createPace('merging it with what you did meanwhile')
  const { changes, conflicts } = await rebaseChanges(work.staged.changes, {
    tree: readTreeMap(now),
    async bytes(object) {
      await pace()
      return fresh.get(object)?.bytes ?? (await computer.objects.find(object))
    },
    store(bytes) {
      const hash = sha256(bytes)
      fresh.set(hash, { hash, bytes })
      return { object: hash, size: bytes.length }
    },
  })
  if (conflicts.length > 0) {
    const shown = conflicts.map(({ path, why }) => `${path} (${why})`).join('; ')
    throw new ChoirError(
      'run.refused',
      `it cannot land without losing what you did meanwhile: ${shown}. Your version stands; ask again to have it done on top of it.`,
      { details: { conflicts } },
    )
  }
  if (changes.length === 0)
    throw new ChoirError('run.refused', 'you did the same thing in the meantime, so there is nothing left to do')
  const staged: Staged = { changes, objects: fresh }
  const verdict = await verifyTree(verifying(tools, work), applyChanges(now, changes), staged)
  if (!verdict.ok) {
    const bad = verdict.reports.filter((report) => !report.ok).map((report) => `${report.verifier}: ${report.summary}`)
    throw new ChoirError(
      'run.refused',
      `it does not fit together with what you changed in the meantime: ${bad.join('; ')}`,
    )
  }
  work.staged = staged
  work.verified = verdict.verified
  work.base = { seq, tree: now }
}

/** The content of what a run changed. */
export function objectsOf({ changes, objects }: Staged): ObjectBytes[] {
  const named = new Set(changes.map(({ to }) => to?.object))
  return [...objects.values()].filter(({ hash }) => named.has(hash))
}
