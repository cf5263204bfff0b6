import { z } from 'zod'
import { Caps } from './budget.ts'
import { CHANGES_SHAPE } from './change.ts'
import { CallId, ComputerId, ComputerName, ConversationId, Hash, QuestionId, Seq, TaskId, WindowId, WorkId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { ModelTier } from './models.ts'
import { TaskKind, TaskStatus } from './tasks.ts'

export interface EventDefinition<Shape extends z.ZodType = z.ZodType> {
  readonly type: string
  readonly version: number
  readonly data: Shape
}

function defineEvent<Shape extends z.ZodType>(type: string, version: number, data: Shape): EventDefinition<Shape> {
  return { type, version, data }
}

const shortText = z.string().max(LIMITS.nameCharsMax)
const sentence = z.string().max(LIMITS.messageBytesMax)
const fraction = z.number().min(-1).max(2)

export const Geometry = z.strictObject({
  x: fraction,
  y: fraction,
  width: fraction,
  height: fraction,
  state: z.enum(['normal', 'minimised', 'maximised']),
})
export type Geometry = z.infer<typeof Geometry>

/** Fractions of the screen, one per class of device: a phone must not squeeze the windows of a desk. */
export const WindowState = z.strictObject({
  window: WindowId,
  app: shortText,
  title: shortText,
  wide: Geometry.nullable(),
  narrow: Geometry.nullable(),
})
export type WindowState = z.infer<typeof WindowState>
const windows = z.array(WindowState).max(LIMITS.windowsMax)

/** Of the home's signing key, over canonical bytes; `key` is the public half. */
export const Signature = z.strictObject({ key: z.string().max(500), value: z.string().max(500) })
export type Signature = z.infer<typeof Signature>

/** One recipe with the parameters it is to be followed with. */
export const Wish = z.strictObject({
  recipe: shortText,
  parameters: z.record(shortText, z.union([z.string().max(LIMITS.messageBytesMax), z.number(), z.boolean()])),
})
export type Wish = z.infer<typeof Wish>

/** Fields of events that name an object the event cannot do without. */
export const ATTACHED = ['object', 'report', 'dependencies', 'request', 'result', 'stage', 'attestation', 'list'] as const

// Files
export const BaseInstall = defineEvent(
  'base.install',
  1,
  z.strictObject({ name: ComputerName, release: shortText, tree: Hash, dependencies: Hash.nullable(), ...CHANGES_SHAPE }),
)
export const FileChange = defineEvent('file.change', 1, z.strictObject(CHANGES_SHAPE))
export const RunLand = defineEvent(
  'run.land',
  1,
  z.strictObject({
    tree: Hash,
    /** The tree the verifiers saw. It differs from `tree` only in paths that none of them looks at and the run did not touch (L12). */
    verified: Hash,
    /** The signed statement of the verified tree's receipts. */
    attestation: Hash,
    summary: sentence,
    ...CHANGES_SHAPE,
  }),
)
const UNDO_SHAPE = {
  target: Seq, // what was taken back; for a stretch of typing its first event; for a redo the undo event that is itself taken back
  tree: Hash, // predicted before the event was written, compared after (L5)
  windows: windows.nullable(), // null: windows stay as they are
  ...CHANGES_SHAPE,
}
const FirstUndo = defineEvent('undo', 1, z.strictObject({ kind: z.enum(['run', 'event', 'point', 'redo']), ...UNDO_SHAPE }))
/** `stretch`: all that was typed into one document, from event `target` until its writer rested. */
export const Undo = defineEvent('undo', 2, z.strictObject({ kind: z.enum(['run', 'event', 'stretch', 'point', 'redo']), ...UNDO_SHAPE }))
export const Restore = defineEvent('restore', 1, z.strictObject({ to: Seq, tree: Hash, windows, ...CHANGES_SHAPE }))
const FirstErase = defineEvent(
  'erase',
  1,
  z.strictObject({ objects: z.array(Hash).min(1).max(4000), tree: Hash, reason: shortText, ...CHANGES_SHAPE }),
)
/** `why`: because of what it held, or to make room. `list`: the object that names what is erased where that is more than fits here; `objects` is empty then. */
export const Erase = defineEvent(
  'erase',
  2,
  z.strictObject({
    why: z.enum(['content', 'room']),
    objects: z.array(Hash).max(LIMITS.erasedInlineMax),
    list: Hash.nullable(),
    tree: Hash,
    reason: shortText,
    ...CHANGES_SHAPE,
  }),
)

/**
 * The log lost events that had been acknowledged. From here on it goes without them, with what of their files could be found elsewhere.
 * `known`: whatever knew of the lost part, so that it is accounted for and the next loss is still seen.
 */
export const LogRecover = defineEvent(
  'log.recover',
  1,
  z.strictObject({
    after: z.number().int().min(0),
    known: z.array(z.strictObject({ seq: Seq, hash: Hash.nullable() })).max(20),
    tree: Hash,
    /** Paths whose newest version was found nowhere. */
    missing: z.number().int().min(0),
    ...CHANGES_SHAPE,
  }),
)

// Talk
export const ConversationStart = defineEvent('conversation.start', 1, z.strictObject({ conversation: ConversationId, title: shortText }))
const MESSAGE_SHAPE = {
  conversation: ConversationId,
  role: z.enum(['user', 'director', 'system']),
  text: sentence,
  object: Hash.nullable(), // the whole text where it is longer than `text` may be
  signature: Signature.nullable(), // by the supervisor, over what the Director said; a person's own words carry none
  wishes: z.array(Wish).max(LIMITS.wishesMax), // what was chosen from the menu, where words need not be guessed at
}
const FirstMessage = defineEvent('message', 1, z.strictObject(MESSAGE_SHAPE))
/** `offers`: sentences of the text that the person may have meant, and can ask for with a click. */
export const Offers = z.array(shortText.min(1)).max(LIMITS.offersMax)
export const Message = defineEvent('message', 2, z.strictObject({ ...MESSAGE_SHAPE, offers: Offers }))

const FirstQuestion = z.strictObject({ text: sentence.min(1), choices: z.array(shortText).max(6), fallback: shortText.min(1) })
const FirstQuestionAsk = defineEvent(
  'question.ask',
  1,
  z.strictObject({ question: QuestionId, questions: z.array(FirstQuestion).min(1).max(LIMITS.questionsMax) }),
)
/** Which value of which recipe an answer is for. */
export const Slot = z.strictObject({ recipe: shortText.min(1), field: shortText.min(1) })
export type Slot = z.infer<typeof Slot>
/**
 * Something the Director cannot choose for the person. What is taken without an answer is said beside it; where `fallback` is empty, nothing is.
 * `slot`: the value that a recipe lacks; null where a model asks, and any words are an answer.
 */
export const Question = z.strictObject({
  text: sentence.min(1),
  choices: z.array(shortText.min(1)).max(LIMITS.choicesMax),
  fallback: shortText,
  slot: Slot.nullable(),
})
export type Question = z.infer<typeof Question>
export const QuestionAsk = defineEvent(
  'question.ask',
  2,
  z.strictObject({ question: QuestionId, questions: z.array(Question).min(1).max(LIMITS.questionsMax) }),
)
const answers = z.array(sentence).min(1).max(LIMITS.questionsMax)
const FirstQuestionAnswer = defineEvent('question.answer', 1, z.strictObject({ question: QuestionId, answers, by: z.enum(['person', 'nobody']) }))
/** `nobody`: no answer came in time, and the fallbacks were taken. `withdrawn`: the person said something else instead, which then stands in `answers`. */
export const AnsweredBy = z.enum(['person', 'nobody', 'withdrawn'])
/** One answer to each of the questions. */
export const QuestionAnswer = defineEvent('question.answer', 2, z.strictObject({ question: QuestionId, answers, by: AnsweredBy }))

// Runs
export const WorkCreate = defineEvent('work.create', 1, z.strictObject({ work: WorkId, title: sentence, criteria: z.array(sentence).max(20) }))
export const WorkClose = defineEvent('work.close', 1, z.strictObject({ work: WorkId, outcome: z.enum(['done', 'dropped']) }))
export const RunStart = defineEvent('run.start', 1, z.strictObject({ work: WorkId, base: Seq }))
/** What was said and done in full is in the objects; here is what a person reads. */
export const TaskRequest = defineEvent('task.request', 1, z.strictObject({ task: TaskId, kind: TaskKind, instruction: sentence, request: Hash }))
export const TaskResult = defineEvent('task.result', 1, z.strictObject({ task: TaskId, status: TaskStatus, summary: sentence, result: Hash }))
export const ToolCall = defineEvent('tool.call', 1, z.strictObject({ task: TaskId, call: CallId, tool: shortText, summary: sentence }))
/** `stage`: the manifest of all changes in the stage after the call, as the supervisor collected them. */
export const ToolResult = defineEvent(
  'tool.result',
  1,
  z.strictObject({ task: TaskId, call: CallId, ok: z.boolean(), summary: sentence, stage: Hash.nullable(), files: z.number().int().min(0) }),
)
/** Nothing had to be changed: the person was told what they wanted to know. */
export const RunAnswer = defineEvent('run.answer', 1, z.strictObject({}))
export const RunDiscard = defineEvent('run.discard', 1, z.strictObject({ reason: sentence }))
const FirstRunCancel = defineEvent('run.cancel', 1, z.strictObject({ reason: sentence }))
/** `person`: they stopped it. `system`: ChoirOS ended, or could not begin it. */
export const RunCancel = defineEvent('run.cancel', 2, z.strictObject({ reason: sentence, by: z.enum(['person', 'system']) }))
/** Takes the landing back in the same event that says so: a crash between two would leave a bad tree with nobody to blame. */
export const RunRevert = defineEvent('run.revert', 1, z.strictObject({ land: Seq, reason: sentence, tree: Hash, ...CHANGES_SHAPE }))

// Evidence
export const ReceiptVerifier = defineEvent(
  'receipt.verifier',
  1,
  z.strictObject({ tree: Hash, verifier: shortText, ok: z.boolean(), summary: sentence, tookMs: z.number().int().min(0), report: Hash.nullable() }),
)
/** What became of a landing in the pages that were open: `unknown` is judged when the next one opens. */
export const Health = defineEvent('health', 1, z.strictObject({ land: Seq, verdict: z.enum(['ok', 'bad', 'unknown']), why: sentence }))

// Account
const FirstBudgetReserve = defineEvent(
  'budget.reserve',
  1,
  z.strictObject({ call: CallId, tier: ModelTier, model: shortText, tokens: z.number().int().min(0) }),
)
/** Before a model is called: what it may cost at most. Unsettled after a crash, it counts in full. `micros`: null where no price is known. */
export const BudgetReserve = defineEvent(
  'budget.reserve',
  2,
  z.strictObject({
    call: CallId,
    tier: ModelTier,
    model: shortText,
    tokens: z.number().int().min(0),
    micros: z.number().int().min(0).nullable(),
  }),
)
/** After it: what it did cost. `micros` are millionths of the price table's currency; null where no price is known. */
export const BudgetSettle = defineEvent(
  'budget.settle',
  1,
  z.strictObject({
    call: CallId,
    input: z.number().int().min(0),
    output: z.number().int().min(0),
    tokens: z.number().int().min(0),
    micros: z.number().int().min(0).nullable(),
  }),
)
/** What models may cost from now on, as the person said: all caps, not only those that were changed. */
export const BudgetCap = defineEvent('budget.cap', 1, Caps)

// Points
export const Checkpoint = defineEvent('checkpoint', 1, z.strictObject({ name: shortText, kind: z.enum(['user', 'automatic']), tree: Hash }))
/** The first event of its own in a computer that was forked or imported; everything before it belongs to `origin`. */
export const Fork = defineEvent(
  'fork',
  1,
  z.strictObject({
    name: ComputerName,
    how: z.enum(['fork', 'import']),
    origin: z.strictObject({ computer: ComputerId, seq: Seq, hash: Hash }),
  }),
)

// Desktop
export const WindowOpen = defineEvent('window.open', 1, z.strictObject({ window: WindowId, app: shortText, title: shortText }))
export const WindowClose = defineEvent('window.close', 1, z.strictObject({ window: WindowId }))
export const WindowSettle = defineEvent(
  'window.settle',
  1,
  z.strictObject({ window: WindowId, device: z.enum(['wide', 'narrow']), geometry: Geometry }),
)

export const CATALOG: readonly EventDefinition[] = [
  BaseInstall,
  FileChange,
  RunLand,
  FirstUndo,
  Undo,
  Restore,
  FirstErase,
  Erase,
  LogRecover,
  ConversationStart,
  FirstMessage,
  Message,
  FirstQuestionAsk,
  QuestionAsk,
  FirstQuestionAnswer,
  QuestionAnswer,
  WorkCreate,
  WorkClose,
  RunStart,
  TaskRequest,
  TaskResult,
  ToolCall,
  ToolResult,
  RunAnswer,
  RunDiscard,
  FirstRunCancel,
  RunCancel,
  RunRevert,
  ReceiptVerifier,
  Health,
  FirstBudgetReserve,
  BudgetReserve,
  BudgetSettle,
  BudgetCap,
  Checkpoint,
  Fork,
  WindowOpen,
  WindowClose,
  WindowSettle,
]

/** What a draft says; changes are packed by whoever writes it. */
export type DraftData<Definition> = Omit<DataOf<Definition>, 'changes' | 'manifest' | 'objects' | 'list'>

export type DataOf<Definition> = Definition extends EventDefinition<infer Shape> ? z.infer<Shape> : never

const NEWEST: ReadonlyMap<string, EventDefinition> = new Map(CATALOG.map((definition) => [definition.type, definition]))

export function definitionOf(type: string): EventDefinition | undefined {
  return NEWEST.get(type)
}

const CARRIERS: ReadonlySet<string> = new Set(
  CATALOG.filter(({ data }) => data instanceof z.ZodObject && 'changes' in data.shape).map((definition) => definition.type),
)

/** Whether events of a type change files. One of an unknown type never does, whatever it claims: nobody has checked its shape. */
export function carriesChanges(type: string): boolean {
  return CARRIERS.has(type)
}
