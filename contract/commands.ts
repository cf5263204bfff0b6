import { z } from 'zod'
import { BudgetView, Caps } from './budget.ts'
import { Geometry, WindowState, Wish } from './catalog.ts'
import { Entry } from './change.ts'
import { ComputerId, ComputerName, Hash, QuestionId, RunId, Seq, UserId, WindowId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { ModelProvider, ModelTier, ModelView, Prices } from './models.ts'
import { TreePath } from './path.ts'
import { Receipt, ReceiptVerdict, Recovery } from './recovery.ts'
import { RoomView, Thinned, ThinInput, ThinPlan } from './room-view.ts'
import { RunDiff } from './run-diff.ts'
import { RunView } from './run-view.ts'
import { Next, SafeMode, UndoLanded, UndoPlan, UndoTarget, UndoUnit } from './undo-view.ts'

/** Who sends a command. The gateway speaks for itself only to redeem links and say where it is; otherwise it speaks for the frame or the desktop. */
export const Caller = z.enum(['frame', 'desktop', 'cli', 'gateway'])
export type Caller = z.infer<typeof Caller>

/** A lone surrogate has no UTF-8 form: no event could hold it. */
const unicode = z.string().refine((text) => text.isWellFormed(), 'the text is not valid Unicode')
const shortText = unicode.min(1).max(LIMITS.nameCharsMax)

/** Small content travels in the command and shares the event's own transaction; large content is stored first and named by its hash. */
export const Content = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ base64: z.base64() }),
  z.strictObject({ object: Hash, size: z.number().int().min(0).max(LIMITS.objectBytesMax) }),
])
export type Content = z.infer<typeof Content>

/** The version a write is based on: the object that stood at the path, or null if nothing did. Another head is refused with `file.conflict`. */
const from = Hash.nullable()

export const Operation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('write'), path: TreePath, content: Content, from, exec: z.boolean().optional() }),
  z.strictObject({ op: z.literal('link'), path: TreePath, target: z.string(), from }),
  z.strictObject({ op: z.literal('folder'), path: TreePath }),
  z.strictObject({ op: z.literal('remove'), path: TreePath, from: from.optional() }),
  z.strictObject({ op: z.literal('move'), path: TreePath, to: TreePath, from: from.optional() }),
])
export type Operation = z.infer<typeof Operation>

/** A page of a list: at most `limit`, only what is older than `before`. */
const page = { limit: z.number().int().min(1).max(LIMITS.runsListedMax), before: Seq.optional() }

export const ComputerView = z.strictObject({
  id: ComputerId,
  name: ComputerName,
  user: UserId,
  state: z.enum(['open', 'closed', 'damaged']),
  head: z.strictObject({ seq: z.number().int(), hash: Hash }).nullable(),
  problem: z.string().nullable(),
})
export type ComputerView = z.infer<typeof ComputerView>

const Listing = z.strictObject({ path: TreePath, entry: Entry, seq: Seq.nullable() })

const Tables = z.record(z.string(), Hash)

/** "localhost:4499/v1" is an address to a parser, with the scheme "localhost"; calls to it would only fail much later. */
const modelAddress = z.url({ protocol: /^https?$/, error: 'an address begins with http:// or https://, as in http://localhost:11434/v1' }).max(500)

const Problem = z.strictObject({ code: z.string(), message: z.string() })
export type Problem = z.infer<typeof Problem>

/** What a person is asked for before a recipe is followed; a form is made of these. */
export const RecipeField = z.strictObject({
  name: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'long', 'choice', 'colour', 'number', 'yes']),
  choices: z.array(z.strictObject({ value: z.string(), label: z.string() })),
  /** Shown in an empty field; what is taken where nothing is said. */
  fallback: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  required: z.boolean(),
})
export type RecipeField = z.infer<typeof RecipeField>

export const RecipeView = z.strictObject({
  name: z.string(),
  title: z.string(),
  group: z.string(),
  hint: z.string(),
  /** A sentence that would be understood as this. */
  example: z.string(),
  fields: z.array(RecipeField),
})
export type RecipeView = z.infer<typeof RecipeView>

const everyone = ['frame', 'desktop', 'cli'] as const
const owner = ['frame', 'cli'] as const

/**
 * Every command, who may send it, what it takes and gives. A caller that is not listed is refused before the input is looked at.
 * `computer: false` marks the few that are not about one computer.
 */
export const COMMANDS = {
  'status': {
    from: owner,
    computer: false,
    input: z.strictObject({}),
    output: z.strictObject({
      ok: z.literal(true),
      release: z.string(),
      pid: z.number().int(),
      home: z.string(),
      user: UserId,
      running: z.boolean(),
      address: z.string().nullable(),
      sandboxes: z.array(z.strictObject({ name: z.string(), role: z.string() })),
      computers: z.array(ComputerView),
    }),
  },
  'computer.add': { from: owner, computer: false, input: z.strictObject({ name: ComputerName }), output: ComputerView },
  'computer.list': { from: owner, computer: false, input: z.strictObject({}), output: z.array(ComputerView) },

  /** A fresh one-time sign-in link. */
  'link.create': {
    from: owner,
    computer: false,
    input: z.strictObject({}),
    output: z.strictObject({ url: z.string().nullable(), code: z.string(), expiresMs: z.number().int() }),
  },
  'link.redeem': {
    from: ['gateway'],
    computer: false,
    input: z.strictObject({ code: z.string().max(200) }),
    output: z.strictObject({ user: UserId }),
  },
  /** Where the front door is, so that the command line can print whole links. */
  'gateway.announce': {
    from: ['gateway'],
    computer: false,
    input: z.strictObject({ origin: z.url().max(300) }),
    output: z.strictObject({ release: z.string() }),
  },

  'files.change': {
    from: everyone,
    computer: true,
    input: z.strictObject({ operations: z.array(Operation).min(1).max(LIMITS.operationsMax) }),
    /** `written`: the version that each of the first writes has made, in their order: a page that goes on from one need not ask what stands there. */
    output: z.strictObject({ seq: Seq.nullable(), changes: z.number().int(), written: z.array(Hash) }),
  },
  'files.list': {
    from: everyone,
    computer: true,
    input: z.strictObject({ path: TreePath.nullable(), at: Seq.nullable() }),
    output: z.array(Listing),
  },
  'files.stat': {
    from: everyone,
    computer: true,
    input: z.strictObject({ path: TreePath, at: Seq.nullable() }),
    output: z.strictObject({ entry: Entry.nullable() }),
  },
  'tree': {
    from: everyone,
    computer: true,
    input: z.strictObject({ at: Seq.nullable() }),
    output: z.strictObject({ seq: z.number().int(), hash: Hash, files: z.record(z.string(), Entry) }),
  },

  'undo.preview': { from: everyone, computer: true, input: z.strictObject({ target: UndoTarget }), output: UndoPlan },
  /** `tree`: what the preview promised. If the computer has moved on to another answer, nothing is written. */
  'undo': {
    from: owner,
    computer: true,
    input: z.strictObject({ target: UndoTarget, tree: Hash.nullable() }),
    output: UndoLanded,
  },
  /** What can be taken back, and what was: everything anybody did, newest first. */
  'undo.list': { from: everyone, computer: true, input: z.strictObject(page), output: z.array(UndoUnit) },
  'redo.preview': { from: everyone, computer: true, input: z.strictObject({}), output: UndoPlan },
  /** `undo`: what the person was told it would bring back; refused with `undo.mismatch` where it is another by now. */
  'redo': { from: owner, computer: true, input: z.strictObject({ undo: Seq.optional() }), output: UndoLanded },
  /** Asked at every event by every open page: it costs a handful of rows. */
  'next': { from: owner, computer: true, input: z.strictObject({}), output: Next },
  'restore': { from: owner, computer: true, input: z.strictObject({ to: Seq }), output: UndoLanded },
  'restore.preview': { from: owner, computer: true, input: z.strictObject({ to: Seq }), output: UndoPlan },

  'checkpoint': {
    from: owner,
    computer: true,
    input: z.strictObject({ name: shortText.nullable() }),
    output: z.strictObject({ seq: Seq, name: z.string(), tree: Hash, commit: z.string().nullable() }),
  },
  /** Oldest first; with a limit, the newest of them. `user`: those that a person has named. */
  'checkpoint.list': {
    from: everyone,
    computer: true,
    input: z.strictObject({ kind: z.enum(['user', 'automatic']), ...page }).partial(),
    output: z.array(z.strictObject({ seq: Seq, time: z.number().int(), name: z.string(), kind: z.string(), tree: Hash })),
  },
  'fork': { from: owner, computer: true, input: z.strictObject({ name: ComputerName, at: Seq.nullable() }), output: ComputerView },
  'erase.preview': {
    from: owner,
    computer: true,
    input: z.strictObject({ path: TreePath }),
    /** `paths` go with their bytes; `shared` are other files that hold some of the same bytes, which therefore stay. */
    output: z.strictObject({ objects: z.array(Hash), paths: z.array(TreePath), shared: z.array(TreePath) }),
  },
  'erase': {
    from: owner,
    computer: true,
    input: z.strictObject({ objects: z.array(Hash).min(1).max(4000), reason: unicode.max(LIMITS.nameCharsMax) }),
    output: z.strictObject({ seq: Seq, objects: z.number().int(), tree: Hash }),
  },

  /** What the computer takes, and what it may. */
  'room': { from: owner, computer: true, input: z.strictObject({}), output: RoomView },
  /** Old versions that nothing needs which is to stay: the files as they are, what the person's checkpoints and the newest undos need. Removed for good. */
  'thin.preview': { from: owner, computer: true, input: ThinInput, output: ThinPlan },
  'thin': { from: owner, computer: true, input: ThinInput, output: Thinned },

  'verify': {
    from: owner,
    computer: true,
    input: z.strictObject({}),
    output: z.strictObject({
      ok: z.boolean(),
      problems: z.array(Problem),
      /** What was damaged and could be put right from the log: tables and files. No reason to worry, but for the disk. */
      mended: z.array(z.string()),
      events: z.number().int(),
      objects: z.number().int(),
      head: z.strictObject({ seq: z.number().int(), hash: Hash }).nullable(),
      tree: Hash.nullable(),
      tables: Tables,
    }),
  },
  'recover.preview': { from: owner, computer: true, input: z.strictObject({}), output: Recovery },
  /** Goes on without the events that are lost, with what of them could be found. */
  'recover': { from: owner, computer: true, input: z.strictObject({}), output: z.strictObject({ seq: Seq, ...Recovery.shape }) },
  'receipt': { from: owner, computer: true, input: z.strictObject({}), output: Receipt },
  'receipt.check': { from: owner, computer: true, input: z.strictObject({ text: unicode.max(4000) }), output: ReceiptVerdict },
  'replay': {
    from: owner,
    computer: true,
    input: z.strictObject({ to: Seq.nullable() }),
    output: z.strictObject({ seq: z.number().int(), tree: Hash, tables: Tables, matches: z.boolean().nullable() }),
  },

  /** Asks for a change in words, or by recipes chosen from the menu. Answers at once; the run is followed by its events. */
  'prompt': {
    from: everyone,
    computer: true,
    input: z.strictObject({
      text: unicode.trim().min(1).max(LIMITS.promptCharsMax),
      wishes: z.array(Wish).max(LIMITS.wishesMax).default([]),
    }),
    output: RunView,
  },
  /** Newest first. `changed`: only those that changed something, or only the others: questions, what failed, what is going on. `before`: asked before that event. */
  'run.list': {
    from: everyone,
    computer: true,
    input: z.strictObject({ ...page, changed: z.boolean().optional() }),
    output: z.array(RunView),
  },
  'run.get': { from: everyone, computer: true, input: z.strictObject({ run: RunId }), output: RunView },
  'run.diff': { from: everyone, computer: true, input: z.strictObject({ run: RunId, path: TreePath.nullable() }), output: RunDiff },
  /** Stops one run, or the one at work and all that wait. What had not landed is as if it had never been. */
  'stop': {
    from: everyone,
    computer: true,
    input: z.strictObject({ run: RunId.nullable() }),
    output: z.strictObject({ stopped: z.array(RunId) }),
  },
  /** Tells the run at work more. Its agents hear it before their next step; what follows a recipe cannot hear. */
  'steer': {
    from: everyone,
    computer: true,
    input: z.strictObject({ run: RunId, text: unicode.trim().min(1).max(LIMITS.promptCharsMax) }),
    output: RunView,
  },
  /** Answers what a run asks, in the order of its questions. An empty answer takes what was offered. */
  'answer': {
    from: everyone,
    computer: true,
    input: z.strictObject({
      run: RunId,
      question: QuestionId,
      answers: z.array(unicode.trim().max(LIMITS.promptCharsMax)).min(1).max(LIMITS.questionsMax),
    }),
    output: RunView,
  },
  'recipe.list': { from: everyone, computer: true, input: z.strictObject({}), output: z.array(RecipeView) },

  /** Which language model the agents use. The key goes in and never comes out. */
  'model.set': {
    from: owner,
    computer: false,
    input: z.strictObject({
      provider: ModelProvider,
      url: modelAddress.nullable(),
      /** Null: the key stays as it is. */
      key: z.string().max(2000).nullable(),
      fast: shortText,
      strong: shortText,
      /** Null: unknown. */
      prices: Prices.nullable(),
    }),
    output: ModelView,
  },
  'model.list': { from: owner, computer: false, input: z.strictObject({}), output: z.array(ModelView) },
  'model.remove': { from: owner, computer: false, input: z.strictObject({}), output: z.strictObject({}) },
  /** Asks the model to say one word, and says in words what is wrong if it does not. */
  'model.test': {
    from: owner,
    computer: false,
    input: z.strictObject({ tier: ModelTier }),
    output: z.strictObject({ ok: z.boolean(), message: z.string(), tookMs: z.number().int() }),
  },
  'budget.get': { from: everyone, computer: true, input: z.strictObject({}), output: BudgetView },
  /** How much models may cost on this computer; what is not named stays as it is. */
  'budget.set': { from: owner, computer: true, input: Caps.partial(), output: BudgetView },

  /**
   * The desk serves the newest healthy tree on which it starts instead of the present one, until it is switched off; `healthy` is its landing, null where it is the
   * release's own desktop. Files are not changed by it.
   */
  'safe-mode': {
    from: owner,
    computer: true,
    input: z.strictObject({ on: z.boolean() }),
    output: SafeMode,
  },
  'safe-mode.get': {
    from: everyone,
    computer: true,
    input: z.strictObject({}),
    output: SafeMode,
  },
  /** How many visible pages show the desktop now; answers with the landing that still waits for a verdict. */
  'health.pages': {
    from: ['gateway'],
    computer: true,
    input: z.strictObject({ visible: z.number().int().min(0).max(1000) }),
    output: z.strictObject({ pending: Seq.nullable() }),
  },
  /** A page's verdict on a landing. */
  'health.report': {
    from: ['gateway'],
    computer: true,
    input: z.strictObject({ land: Seq, ok: z.boolean(), why: unicode.max(1000) }),
    output: z.strictObject({}),
  },

  'window.open': {
    from: everyone,
    computer: true,
    input: z.strictObject({ window: WindowId, app: shortText, title: shortText }),
    output: z.strictObject({ seq: Seq }),
  },
  'window.close': { from: everyone, computer: true, input: z.strictObject({ window: WindowId }), output: z.strictObject({ seq: Seq }) },
  'window.settle': {
    from: everyone,
    computer: true,
    input: z.strictObject({ window: WindowId, device: z.enum(['wide', 'narrow']), geometry: Geometry }),
    output: z.strictObject({ seq: Seq }),
  },
  'window.list': { from: everyone, computer: true, input: z.strictObject({}), output: z.array(WindowState) },
} as const satisfies Record<string, { from: readonly Caller[]; computer: boolean; input: z.ZodType; output: z.ZodType }>

export type CommandName = keyof typeof COMMANDS
export type InputOf<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]['input']>
export type OutputOf<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]['output']>

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}
