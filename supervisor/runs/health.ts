import { setTimeout as delay } from 'node:timers/promises'
import { Health } from '@choiros/contract/events/runs.ts'
import { clip } from '@choiros/contract/clip.ts'
import type { RunId, Seq } from '@choiros/contract/ids.ts'
import { VERIFIED_FOLDER } from '@choiros/core/verifier-plan.ts'
import { takeCheckpoint } from '../computer/automatic-checkpoints.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import { agentDraft } from '../computer/drafts.ts'
import { revertLanding } from '../undo/revert-landing.ts'

interface Verdict {
  readonly verdict: 'ok' | 'bad' | 'unknown'
  readonly why: string
  /** Where in the source it went wrong. */
  readonly stack: string
}

/** `goesOn`: it was taken back, and its run may mend it. */
interface Judged extends Verdict {
  readonly goesOn: boolean
}

/**
 * Judges landings by what the open pages say, and takes bad ones back. It guards against accidents; the frame guards
 * against malice.
 */
export interface HealthWatch {
  /** Waits for a verdict on a landing and acts on it. Resolves at once with `unknown` where nobody looks. */
  judge(run: RunId, land: Seq, checkpoint: string | null, mayMend: boolean): Promise<Judged>
  /** The gateway counts visible pages. Answers with the landing that the next page should judge. */
  pages(visible: number): Seq | null
  /** A page's verdict. */
  report(land: Seq, ok: boolean, why: string, stack: string): Promise<void>
  /** No page will be asked any more: a landing that waits for a verdict gets none. */
  close(): void
}

export interface HealthOptions {
  readonly computer: Computer
  readonly machine: Machine
  /** Where a bad landing cannot be taken back, the desk serves an older one that still starts. */
  readonly enterSafeMode: (why: string) => Promise<void>
  /** Whether this run is still at work: then it waits for the verdict itself. */
  readonly isAtWork: (run: RunId) => boolean
  /** In safe mode the pages show another tree, so they cannot judge what lands. */
  readonly isSafe: () => boolean
  /** Says to the person what was done about a bad landing. */
  readonly explain: (run: RunId, text: string) => Promise<void>
}

/**
 * The gateway reports "bad" for a page that is silent for 2.5 s. If nothing at all is heard for this long, the gateway
 * itself is gone.
 */
const VERDICT_MS = 20_000
/** A page that reloads is away for a moment; after this time nobody looks any more. */
const AWAY_MS = 3000
const UNKNOWN: Verdict = { verdict: 'unknown', why: '', stack: '' }

export function createHealthWatch({
  computer,
  machine,
  enterSafeMode,
  isAtWork,
  isSafe,
  explain,
}: HealthOptions): HealthWatch {
  let visible = 0
  let isClosed = false
  let waiting: { land: Seq; tell: (verdict: Verdict) => void } | null = null
  /** The verdict of a page that was faster than the run whose landing it judged. */
  let early: { land: Seq; verdict: Verdict } | null = null

  const say = (run: RunId, land: Seq, { verdict, why, stack }: Verdict) =>
    computer.append(() => ({
      draft: agentDraft(
        computer,
        run,
        Health,
        { land, verdict, why: clip(why, 1000), stack: clip(stack, 4000) },
        'system',
      ),
    }))

  const act = async (
    run: RunId,
    land: Seq,
    verdict: Verdict,
    checkpoint: string | null,
    mayMend: boolean,
  ): Promise<Judged> => {
    await say(run, land, verdict)
    machine.reached('run.health.after')
    // A checkpoint that was asked for by name is taken even where nobody looks.
    if (verdict.verdict === 'ok' || (verdict.verdict === 'unknown' && checkpoint !== null)) {
      await takeCheckpoint(computer, { run, name: checkpoint }).catch((error: unknown) =>
        machine.warn('no checkpoint was taken', error),
      )
      machine.reached('run.checkpoint.after')
    }
    if (verdict.verdict === 'bad') {
      machine.reached('run.revert.before')
      const { said, goesOn } = await revertLanding(computer, run, land, verdict.why, { goesOn: mayMend, enterSafeMode })
      machine.reached('run.revert.after')
      if (goesOn) return { ...verdict, goesOn }
      if (said !== null) await explain(run, said)
    }
    return { ...verdict, goesOn: false }
  }

  return {
    async judge(run, land, checkpoint, mayMend) {
      const unknown = (why: string) => act(run, land, { verdict: 'unknown', why, stack: '' }, checkpoint, false)
      if (isSafe()) return unknown('the desktop is in safe mode')
      if (early?.land === land) return act(run, land, early.verdict, checkpoint, mayMend)
      if (isClosed) return unknown('ChoirOS was stopped')
      if (visible === 0) return unknown('no page was open')
      const done = new AbortController()
      const verdict = await Promise.race([
        new Promise<Verdict>((tell) => (waiting = { land, tell })),
        delay(VERDICT_MS, { ...UNKNOWN, why: 'the pages were not heard of' }, { signal: done.signal }).catch(
          () => null,
        ),
      ])
      done.abort()
      waiting = null
      return act(run, land, verdict ?? UNKNOWN, checkpoint, mayMend)
    },
    pages(count) {
      visible = count
      if (count === 0)
        setTimeout(() => visible === 0 && waiting?.tell({ ...UNKNOWN, why: 'the page was closed' }), AWAY_MS).unref()
      const pending = isSafe() ? null : pendingLanding(computer)
      return pending === null ? null : pending.land
    },
    close() {
      isClosed = true
      waiting?.tell({ ...UNKNOWN, why: 'ChoirOS was stopped' })
    },
    async report(land, ok, why, stack) {
      const verdict: Verdict = { verdict: ok ? 'ok' : 'bad', why, stack }
      if (waiting?.land === land) return waiting.tell(verdict)
      const pending = pendingLanding(computer)
      if (waiting !== null || pending?.land !== land) return
      // A later page also shows what others broke. A landing that did not touch the desktop's code is not to blame for
      // a page that does not come up.
      if (!ok && !isAtWork(pending.run) && !computer.queries.changedBelow(VERIFIED_FOLDER, land)) return
      if (!isAtWork(pending.run)) await act(pending.run, land, verdict, null, false)
      else if (early?.land !== land || early.verdict.verdict === 'ok') early = { land, verdict }
    },
  }
}

/** The newest landing, if no page has judged it yet and it still stands. */
function pendingLanding(computer: Computer): { run: RunId; land: Seq } | null {
  const newest = computer.queries.newestLanded()
  if (newest === null || (newest.health !== null && newest.health !== 'unknown')) return null
  if (computer.queries.unit(newest.landed)?.undone_by !== null) return null
  return { run: newest.run, land: newest.landed }
}
