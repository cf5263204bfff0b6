import { z } from 'zod'
import { CHANGES_SHAPE } from '../change.ts'
import { CallId, Hash, LeaseId, Seq, TaskId, WorkId } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { TaskKind, TaskStatus } from '../tasks.ts'
import { VerifierMeans } from '../verdict.ts'
import { defineEvent, sentence, shortText } from './define.ts'

/**
 * Not written any more: the message that a run begins with says what is wanted. Logs of the first release hold both.
 */
const WorkCreate = defineEvent(
  'work.create',
  1,
  z.strictObject({ work: WorkId, title: sentence, criteria: z.array(sentence).max(20) }),
)
const WorkClose = defineEvent('work.close', 1, z.strictObject({ work: WorkId, outcome: z.enum(['done', 'dropped']) }))
const FirstRunStart = defineEvent('run.start', 1, z.strictObject({ work: WorkId, base: Seq }))
export const RunStart = defineEvent('run.start', 2, z.strictObject({ base: Seq }))
/** A person reads the texts here; the whole request and the whole result are in the objects. */
export const TaskRequest = defineEvent(
  'task.request',
  1,
  z.strictObject({ task: TaskId, kind: TaskKind, instruction: sentence, request: Hash }),
)
export const TaskResult = defineEvent(
  'task.result',
  1,
  z.strictObject({ task: TaskId, status: TaskStatus, summary: sentence, result: Hash }),
)
export const ToolCall = defineEvent(
  'tool.call',
  1,
  z.strictObject({ task: TaskId, call: CallId, tool: shortText, summary: sentence }),
)
const TOOL_RESULT = {
  task: TaskId,
  call: CallId,
  ok: z.boolean(),
  summary: sentence,
  stage: Hash.nullable(),
  files: z.number().int().min(0),
}
const FirstToolResult = defineEvent('tool.result', 1, z.strictObject(TOOL_RESULT))
/**
 * `stage`: the manifest of all changes in the stage after the call, as the supervisor collected them. `lease`: the
 * permission it was done under, of which this is the receipt.
 */
export const ToolResult = defineEvent('tool.result', 2, z.strictObject({ ...TOOL_RESULT, lease: LeaseId.nullable() }))
/** What an Associate means to do, and how far it is. Each takes the place of the one before. */
export const TaskPlan = defineEvent(
  'task.plan',
  1,
  z.strictObject({
    task: TaskId,
    items: z
      .array(z.strictObject({ text: shortText, state: z.enum(['open', 'doing', 'done']) }))
      .min(1)
      .max(LIMITS.planItemsMax),
  }),
)
/** Nothing had to be changed: the person was told what they wanted to know. */
export const RunAnswer = defineEvent('run.answer', 1, z.strictObject({}))
export const RunDiscard = defineEvent('run.discard', 1, z.strictObject({ reason: sentence }))
const FirstRunCancel = defineEvent('run.cancel', 1, z.strictObject({ reason: sentence }))
/** `person`: they stopped it. `system`: ChoirOS ended, or could not begin it. */
export const RunCancel = defineEvent(
  'run.cancel',
  2,
  z.strictObject({ reason: sentence, by: z.enum(['person', 'system']) }),
)
const FirstRunRevert = defineEvent(
  'run.revert',
  1,
  z.strictObject({ land: Seq, reason: sentence, tree: Hash, ...CHANGES_SHAPE }),
)
/**
 * Says that a landing is taken back and takes it back in one event: a crash between two events would leave a bad tree
 * that no run is blamed for. `goesOn`: the run is not over by that; it is told what was wrong and may mend it once.
 */
export const RunRevert = defineEvent(
  'run.revert',
  2,
  z.strictObject({ land: Seq, reason: sentence, goesOn: z.boolean(), tree: Hash, ...CHANGES_SHAPE }),
)

/**
 * The run has ended without landing, and what stood in its stage is kept outside of the tree: the next attempt can
 * begin there. `draft` is the hash of the file that holds it.
 */
export const RunDraft = defineEvent(
  'run.draft',
  1,
  z.strictObject({
    draft: Hash,
    files: z.number().int().min(1),
    bytes: z.number().int().min(1),
    base: Seq,
  }),
)
/** It is forgotten: it has landed by another run, the person does not want it, or newer ones needed its place. */
export const RunDraftDrop = defineEvent('run.draft.drop', 1, z.strictObject({}))

const RECEIPT_SHAPE = {
  tree: Hash,
  verifier: shortText,
  ok: z.boolean(),
  summary: sentence,
  tookMs: z.number().int().min(0),
  report: Hash.nullable(),
}
const FirstReceiptVerifier = defineEvent('receipt.verifier', 1, z.strictObject(RECEIPT_SHAPE))
/**
 * `selfReported`: the tree's code was executed for it, so that it is that code's own word. `means`: how it was come to.
 */
export const ReceiptVerifier = defineEvent(
  'receipt.verifier',
  2,
  z.strictObject({ ...RECEIPT_SHAPE, selfReported: z.boolean(), means: VerifierMeans }),
)
const side = z.number().int().min(1).max(4000)
/**
 * What a tree looked like in a browser: before the run, or as it was verified. `app` null: the desktop without windows.
 * The picture is an object, a JPEG that nobody has decoded; it came out of a sandbox in which the tree's code ran.
 */
export const RunPicture = defineEvent(
  'run.picture',
  1,
  z.strictObject({
    moment: z.enum(['before', 'after']),
    tree: Hash,
    app: z.string().min(1).max(LIMITS.appNameCharsMax).nullable(),
    object: Hash,
    bytes: z.number().int().min(1).max(LIMITS.pictureBytesMax),
    width: side,
    height: side,
  }),
)
/** The Director read files: so many, and the first of them by name. */
export const ReceiptRead = defineEvent(
  'receipt.read',
  1,
  z.strictObject({
    paths: z.array(z.string().max(LIMITS.pathBytesMax)).max(20),
    files: z.number().int().min(1),
    bytes: z.number().int().min(0),
  }),
)
const FirstHealth = defineEvent(
  'health',
  1,
  z.strictObject({ land: Seq, verdict: z.enum(['ok', 'bad', 'unknown']), why: sentence }),
)
/**
 * What became of a landing in the pages that were open. `unknown`: no page could tell; the next page that opens judges
 * it. `stack`: where in the source it went wrong, a line each.
 */
export const Health = defineEvent(
  'health',
  2,
  z.strictObject({ land: Seq, verdict: z.enum(['ok', 'bad', 'unknown']), why: sentence, stack: sentence }),
)

export const RUNS_EVENTS = [
  WorkCreate,
  WorkClose,
  FirstRunStart,
  RunStart,
  TaskRequest,
  TaskResult,
  ToolCall,
  FirstToolResult,
  ToolResult,
  TaskPlan,
  RunAnswer,
  RunDiscard,
  FirstRunCancel,
  RunCancel,
  FirstRunRevert,
  RunRevert,
  RunDraft,
  RunDraftDrop,
  FirstReceiptVerifier,
  ReceiptVerifier,
  ReceiptRead,
  RunPicture,
  FirstHealth,
  Health,
]
