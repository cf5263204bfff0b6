import type { RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { ApprovalView, ApprovalWord, LeaseKind, LeaseView, MoodName } from '@choiros/contract/policy.ts'
import { parsed, type Ask } from './ask.ts'

/** What agents may do, and what of it the person has said. */
export function createPolicyQueries(ask: Ask) {
  const pin = ask('SELECT mood FROM pin')
  const LEASE = 'SELECT lease, run, task, kind, scope, until, uses, used FROM lease'
  const leases = ask(`${LEASE} WHERE revoked IS NULL ORDER BY seq`)
  const lease = ask(`${LEASE} WHERE lease = ? AND revoked IS NULL`)
  const revoked = ask('SELECT kind FROM lease WHERE run = ? AND revoked IS NOT NULL')
  const APPROVAL = `SELECT approval, approval.run, coalesce(run.text, '') AS text, kind, scope, risk, approval.asked_ms, answer FROM approval
    LEFT JOIN run ON run.run = approval.run`
  const open = ask(`${APPROVAL} WHERE answer IS NULL ORDER BY approval.asked`)
  const standing = ask(
    `${APPROVAL} WHERE answer = 'computer' ORDER BY approval.asked DESC LIMIT ${LIMITS.approvalsListedMax}`,
  )
  const one = ask(`${APPROVAL} WHERE approval = ?`)
  const ofRun = ask(`${APPROVAL} WHERE approval.run = ? ORDER BY approval.asked`)
  const refusals = ask('SELECT count(DISTINCT tree) AS count FROM receipt WHERE seq > ? AND run = ? AND ok = 0')

  return {
    pinnedMood: () => (pin().get() as { mood: MoodName } | undefined)?.mood ?? null,
    /** Permissions that hold, oldest first. */
    leases: () => (leases().all() as LeaseRow[]).map(leaseView),
    lease(id: string): LeaseView | null {
      const row = lease().get(id) as LeaseRow | undefined
      return row === undefined ? null : leaseView(row)
    },
    /** What the person has taken back from a run that goes on. */
    revokedKinds: (run: string): ReadonlySet<LeaseKind> =>
      new Set((revoked().all(run) as { kind: LeaseKind }[]).map(({ kind }) => kind)),
    openApprovals: () => (open().all() as ApprovalRow[]).map(approvalView),
    standingApprovals: () => (standing().all() as ApprovalRow[]).map(approvalView),
    approval: (id: string) => toAnswered(one().get(id) as ApprovalRow | undefined),
    approvalsOf: (run: string) => (ofRun().all(run) as ApprovalRow[]).map((row) => answered(row)),
    /** How many trees of a run the verifiers have refused; `asked`: where the run begins. */
    refusedTrees: (run: string, asked: number): number => (refusals().get(asked, run) as { count: number }).count,
  }
}

interface LeaseRow {
  lease: string
  run: RunId
  task: string
  kind: LeaseKind
  scope: string
  until: number
  uses: number
  used: number
}

function leaseView({ scope, until, ...row }: LeaseRow): LeaseView {
  return { ...row, scope: parsed(scope) as string[], untilMs: until }
}

interface ApprovalRow {
  approval: string
  run: RunId
  text: string
  kind: ApprovalView['kind']
  scope: string
  risk: string
  asked_ms: number
  answer: ApprovalWord | null
}

export interface AnsweredApproval extends ApprovalView {
  readonly answer: ApprovalWord | null
}

function approvalView({ approval, run, text, kind, scope, risk, asked_ms: askedMs }: ApprovalRow): ApprovalView {
  return { approval, run, text, kind, scope: parsed(scope) as string[], risk, askedMs }
}

function answered(row: ApprovalRow): AnsweredApproval {
  return { ...approvalView(row), answer: row.answer }
}

function toAnswered(row: ApprovalRow | undefined): AnsweredApproval | null {
  return row === undefined ? null : answered(row)
}
