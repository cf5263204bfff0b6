import { ApprovalAnswer, ApprovalAsk, ApprovalRevoke, LeaseRevoke } from '@choiros/contract/events/policy.ts'
import type { EventDefinition } from '@choiros/contract/events/define.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Draft } from '@choiros/contract/event.ts'
import { labelFrom, type RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { ApprovalKind, ApprovalWord } from '@choiros/contract/policy.ts'
import { isOver } from '@choiros/core/everywhere/run-projection.ts'
import { beyond } from '@choiros/core/moods/moods.ts'
import type { Computer } from '../computer/computer.ts'
import { agentDraft } from '../computer/drafts.ts'
import type { Machine } from '../computer/machine.ts'
import type { Queries } from '../state/queries.ts'

type By = Pick<Draft, 'user' | 'source' | 'via'>

/** What a run must have allowed. */
interface Wanted {
  readonly kind: ApprovalKind
  /** Folders and files that it is about. */
  readonly scope: readonly string[]
  /** What could go wrong, in words. */
  readonly risk: string
}

/** What a person is asked to allow, and what they have said. A run waits for it, but not for ever. */
export interface Approvals {
  /** Whether it is allowed: by an answer of before, or by one that is waited for. Where nobody answers, it is not. */
  allows(run: RunId, wanted: Wanted, signal: AbortSignal): Promise<boolean>
  answer(by: By, approval: string, word: ApprovalWord): Promise<void>
  /** Whether something that this run went on with is not allowed any more, so that it must not land. */
  isTakenBack(run: RunId, state: Queries): boolean
  /** Takes back what was allowed on this computer. */
  revoke(by: By, approval: string): Promise<void>
}

/** As long as a question waits. */
const PATIENCE_MS = 10 * 60 * 1000

export function createApprovals(computer: Computer, machine: Machine, patienceMs = PATIENCE_MS): Approvals {
  const { queries } = computer
  const waiting = new Map<string, (word: ApprovalWord) => void>()
  /** What runs went on with; `once`: a yes for this alone. */
  const relied = new Map<RunId, { readonly wanted: Wanted; readonly once: string | null }[]>()
  const goOn = (run: RunId, wanted: Wanted, once: string | null): true => {
    // One run at a time: what the runs before it were allowed is settled.
    const before = relied.get(run) ?? []
    relied.clear()
    relied.set(run, [...before, { wanted, once }])
    return true
  }
  const draftBy = (by: By, run: RunId | null, { type, version }: EventDefinition, data: Draft['data']): Draft => ({
    type,
    version,
    data,
    ...by,
    run,
    cause: null,
  })

  /** What was said before: no wins, whatever else was said. */
  const saidBefore = (run: RunId, { kind, scope }: Wanted, state: Queries = queries): boolean | null => {
    const ofRun = state.approvalsOf(run).filter((one) => one.kind === kind)
    const isSame = (other: readonly string[]) => beyond(scope, other).length < scope.length
    if (ofRun.some(({ answer, scope: other }) => answer === 'deny' && isSame(other))) return false
    const standing = state.standingApprovals().filter((one) => one.kind === kind)
    const yes = [...ofRun.filter(({ answer }) => answer === 'run'), ...standing].flatMap((one) => one.scope)
    return beyond(scope, yes).length === 0 ? true : null
  }

  const ask = async (run: RunId, wanted: Wanted, signal: AbortSignal): Promise<boolean> => {
    const { kind, scope, risk } = wanted
    if (queries.approvalsOf(run).length >= LIMITS.approvalsPerRunMax) return false
    const approval = labelFrom(machine.randomBytes(16))
    const asked = { approval, kind, scope: scope.slice(0, LIMITS.scopePartsMax), risk }
    // It can be answered as soon as it is in the log.
    const heard = new Promise<ApprovalWord>((resolve) => waiting.set(approval, resolve))
    let stop = () => {}
    try {
      await computer.append(() => ({ draft: agentDraft(computer, run, ApprovalAsk, asked, 'system') }))
      const gone = new Promise<never>((_, reject) => {
        const aborted = () => reject(signal.reason as Error)
        signal.addEventListener('abort', aborted, { once: true })
        const late = async () => {
          if (!waiting.has(approval)) return
          const data = { approval, answer: 'deny', by: 'nobody' } as const
          const draft = agentDraft(computer, run, ApprovalAnswer, data, 'system')
          // Answered in this very moment: then that counts.
          const isLate = await computer.append(({ state }) =>
            state.approval(approval)?.answer == null ? { draft } : null,
          )
          if (isLate !== null) waiting.get(approval)?.('deny')
        }
        const timer = setTimeout(() => void late().catch(reject), patienceMs)
        stop = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', aborted)
        }
        if (signal.aborted) aborted()
      })
      const word = await Promise.race([heard, gone])
      return word !== 'deny' && goOn(run, wanted, word === 'once' ? approval : null)
    } finally {
      stop()
      waiting.delete(approval)
    }
  }

  return {
    async allows(run, wanted, signal) {
      const said = saidBefore(run, wanted)
      return said === null ? ask(run, wanted, signal) : said && goOn(run, wanted, null)
    },
    isTakenBack: (run, state) =>
      (relied.get(run) ?? []).some(({ wanted, once }) =>
        once === null ? saidBefore(run, wanted, state) !== true : state.approval(once)?.answer !== 'once',
      ),
    async answer(by, approval, word) {
      await computer.append(({ state }) => {
        const known = state.approval(approval)
        const at = known === null ? null : state.run(known.run)
        const isOpen = at !== null && !isOver(at)
        // No may be said as long as the run goes on, also by one who has said yes.
        if (known === null || !isOpen || known.answer === 'deny' || (known.answer !== null && word !== 'deny'))
          throw new ChoirError('approval.unknown', 'this is not waiting for an answer any more')
        return { draft: draftBy(by, known.run, ApprovalAnswer, { approval, answer: word, by: 'person' }) }
      })
      const tell = waiting.get(approval)
      if (tell !== undefined) return tell(word)
      const { run } = queries.approval(approval) ?? { run: null }
      // It was allowed, and is not any more: what was given for it is taken back.
      for (const { lease, kind, run: of } of queries.leases())
        if (of === run && kind === 'write')
          await computer.append(() => ({ draft: draftBy(by, of, LeaseRevoke, { lease }) }))
    },
    async revoke(by, approval) {
      await computer.append(({ state }) => {
        if (state.approval(approval)?.answer !== 'computer')
          throw new ChoirError('approval.unknown', 'this is not allowed on this computer any more')
        return { draft: draftBy(by, null, ApprovalRevoke, { approval }) }
      })
    },
  }
}
