import { z } from 'zod'
import { ApprovalId, LeaseId } from '../ids.ts'
import { ApprovalView, ApprovalWord, LeaseView, MoodName, RunMood } from '../policy.ts'
import { type Command, homeChange, look } from './command.ts'

/** Whoever sits at the frame or holds the owner's token decides; a desktop may look. */
const decide = { ...homeChange, writes: true, computer: true } as const

export const MoodView = z.strictObject({
  /** What the person wants runs to begin with; null: as the rules say. */
  pinned: MoodName.nullable(),
  /** The mood of the run at work, or the one that the next would begin with. */
  now: RunMood,
})
export type MoodView = z.infer<typeof MoodView>

export const ApprovalList = z.strictObject({
  /** What waits for an answer. */
  open: z.array(ApprovalView),
  /** What was allowed on this computer once and for all. */
  standing: z.array(ApprovalView),
})
export type ApprovalList = z.infer<typeof ApprovalList>

/** What agents may do, and who says so. */
export const POLICY_COMMANDS = {
  'mood.get': { ...look, input: z.strictObject({}), output: MoodView },
  'mood.pin': { ...decide, input: z.strictObject({ mood: MoodName }), output: MoodView },
  'mood.unpin': { ...decide, input: z.strictObject({}), output: MoodView },
  'lease.list': { ...look, input: z.strictObject({}), output: z.array(LeaseView) },
  'lease.revoke': { ...decide, input: z.strictObject({ lease: LeaseId }), output: z.array(LeaseView) },
  'approval.list': { ...look, input: z.strictObject({}), output: ApprovalList },
  'approval.answer': {
    ...decide,
    input: z.strictObject({ approval: ApprovalId, answer: ApprovalWord }),
    output: ApprovalList,
  },
  /** Takes back what was allowed on this computer. */
  'approval.revoke': { ...decide, input: z.strictObject({ approval: ApprovalId }), output: ApprovalList },
} as const satisfies Record<string, Command>
