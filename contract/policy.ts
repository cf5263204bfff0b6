import { z } from 'zod'
import { ApprovalId, LeaseId, RunId, TaskId } from './ids.ts'
import { LIMITS } from './limits.ts'

/** The policy that a run works under. What each allows is data in `core/moods`. */
export const MoodName = z.enum(['CALM', 'CURIOUS', 'SKEPTICAL', 'PARANOID', 'BOLD', 'CONTRITE', 'PETTY', 'DEFERENTIAL'])
export type MoodName = z.infer<typeof MoodName>

/** `why`: the rest of a sentence that begins with "because"; empty where there is nothing to say. */
const why = z.string().max(LIMITS.nameCharsMax)
const MoodBy = z.enum(['rules', 'person'])

/** The mood of a run, and why it is in it. */
export const RunMood = z.strictObject({ mood: MoodName, why, by: MoodBy })
export type RunMood = z.infer<typeof RunMood>

/** When somebody else looks at a change before it lands: whenever it is large, always, or never. */
export const Reviewer = z.enum(['large', 'always', 'never'])
export type Reviewer = z.infer<typeof Reviewer>

export const LeaseKind = z.enum(['read', 'write', 'verify', 'net', 'export', 'publish'])
export type LeaseKind = z.infer<typeof LeaseKind>

const scope = z.array(z.string().max(LIMITS.pathBytesMax)).max(LIMITS.scopePartsMax)

/** A permission while it holds. */
export const LeaseView = z.strictObject({
  lease: LeaseId,
  kind: LeaseKind,
  run: RunId,
  task: TaskId,
  scope,
  untilMs: z.number().int(),
  /** How often it may be used, and how often it was. */
  uses: z.number().int(),
  used: z.number().int(),
})
export type LeaseView = z.infer<typeof LeaseView>

/** What a person is asked to allow: to write more than the mood does, to delete documents, to touch what is trusted. */
export const ApprovalKind = z.enum(['scope', 'deletion', 'trust'])
export type ApprovalKind = z.infer<typeof ApprovalKind>

/** `deny` wins: also after it was allowed, as long as the run goes on. */
export const ApprovalWord = z.enum(['once', 'run', 'computer', 'deny'])
export type ApprovalWord = z.infer<typeof ApprovalWord>

export const ApprovalView = z.strictObject({
  approval: ApprovalId,
  run: RunId,
  /** What the run was asked for. */
  text: z.string(),
  kind: ApprovalKind,
  /** The folders, with a slash at the end, and files that it is about. */
  scope,
  /** What could go wrong, in words. */
  risk: z.string(),
  askedMs: z.number().int(),
})
export type ApprovalView = z.infer<typeof ApprovalView>
