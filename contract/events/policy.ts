import { z } from 'zod'
import { ApprovalId, LeaseId, TaskId } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { ApprovalKind, ApprovalWord, LeaseKind, MoodName, RunMood } from '../policy.ts'
import { defineEvent, sentence, shortText } from './define.ts'

const scope = z.array(z.string().max(LIMITS.pathBytesMax)).max(LIMITS.scopePartsMax)

/** Written when a run begins, and whenever its mood moves. */
export const RunMoodEvent = defineEvent('run.mood', 1, RunMood)
/** The person says which mood runs begin with, until they take that back. */
export const MoodPin = defineEvent('mood.pin', 1, z.strictObject({ mood: MoodName }))
export const MoodUnpin = defineEvent('mood.unpin', 1, z.strictObject({}))

/** A permission for one task; it ends with the task. Each use of it is a `tool.result` that names it. */
export const LeaseGrant = defineEvent(
  'lease.grant',
  1,
  z.strictObject({
    lease: LeaseId,
    task: TaskId,
    kind: LeaseKind,
    scope,
    untilMs: z.number().int().min(0),
    uses: z.number().int().min(0),
  }),
)
export const LeaseRevoke = defineEvent('lease.revoke', 1, z.strictObject({ lease: LeaseId }))

/** What an agent asked for and did not get, and why. */
export const ReceiptPolicy = defineEvent(
  'receipt.policy',
  1,
  z.strictObject({ mood: MoodName, asked: shortText, why: sentence }),
)

export const ApprovalAsk = defineEvent(
  'approval.ask',
  1,
  z.strictObject({ approval: ApprovalId, kind: ApprovalKind, scope, risk: sentence }),
)
/** `nobody`: there was no answer in time, which counts as no. */
export const ApprovalAnswer = defineEvent(
  'approval.answer',
  1,
  z.strictObject({ approval: ApprovalId, answer: ApprovalWord, by: z.enum(['person', 'nobody']) }),
)
/** What was allowed on this computer is not any more. */
export const ApprovalRevoke = defineEvent('approval.revoke', 1, z.strictObject({ approval: ApprovalId }))

export const POLICY_EVENTS = [
  RunMoodEvent,
  MoodPin,
  MoodUnpin,
  LeaseGrant,
  LeaseRevoke,
  ReceiptPolicy,
  ApprovalAsk,
  ApprovalAnswer,
  ApprovalRevoke,
]
