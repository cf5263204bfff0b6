import { z } from 'zod'
import { AnsweredBy, Offers, Question, Wish } from './events/talk.ts'
import { CallId, Hash, NoteId, RunId, Seq, TaskId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { LookRequest, Seen } from './look.ts'
import { NoteKind, Remembered } from './memory-view.ts'
import { ModelAnswer, ModelRequest } from './models.ts'
import { MoodName, Reviewer } from './policy.ts'
import { AssociateResult, DirectorTask, TaskKind, Tool } from './tasks.ts'
import { Problem } from './verdict.ts'

/**
 * Roles that have a socket of their own. The socket is their identity: what arrives on it comes from them, and no
 * message says who sent it.
 */
export const SyscallRole = z.enum(['director', 'associate'])
export type SyscallRole = z.infer<typeof SyscallRole>

/**
 * Where a sandbox finds its socket. One POST per call: `/NAME` with the input as JSON, answered by `{"result": …}` or
 * `{"error": …}`.
 */
export const SYSCALL_SOCKET = '/run/choir.sock'

const sentence = z.string().max(LIMITS.messageBytesMax)
const none = z.strictObject({})

/** What the verifiers found, in a form that may be shown to agents: raw output stays with the supervisor. */
export const VerifierReport = z.strictObject({
  verifier: z.string(),
  ok: z.boolean(),
  summary: sentence,
  problems: z.array(Problem.extend({ message: sentence })),
})
export type VerifierReport = z.infer<typeof VerifierReport>

/** Work that did not pass, and goes back to whoever did it. */
export const SentBack = z.strictObject({
  why: sentence,
  reports: z.array(VerifierReport),
  /** How often it may be handed in again. */
  left: z.number().int(),
})
export type SentBack = z.infer<typeof SentBack>

/** What the Director is told about the computer. It has no files: this is all it sees. */
export const ContextPack = z.strictObject({
  /** Paths with their sizes; settings (`artifacts/system/*.json`) with their text. */
  files: z.array(z.strictObject({ path: z.string(), size: z.number().int(), text: z.string().nullable() })),
  /** Where there are more files than these, and how many; '' is everywhere. */
  unlisted: z.array(z.strictObject({ folder: z.string(), files: z.number().int() })).default([]),
  messages: z.array(z.strictObject({ role: z.string(), text: sentence })),
  windows: z.array(z.strictObject({ app: z.string(), title: z.string() })),
  /** What does not work in open apps. */
  faults: z
    .array(z.strictObject({ app: z.string(), message: sentence, stack: sentence, count: z.number().int() }))
    .default([]),
  runs: z.array(z.strictObject({ run: RunId, text: sentence, status: z.string(), seq: Seq.nullable() })),
  /** What is remembered and stands, the person's own words first. */
  memory: z.array(Remembered).max(LIMITS.rememberedMax).default([]),
  /** Whether a language model is configured. */
  model: z.boolean(),
})
export type ContextPack = z.infer<typeof ContextPack>

/** What an Associate is told besides its task: what a good colleague would be. */
/** The day where the person is. A sandbox has no time zone: asked by its own clock, evenings were tomorrow already. */
const Today = z.iso.date()

export const TaskContext = z.strictObject({
  today: Today,
  /** The person's own words, which the task was made of. */
  words: sentence,
  talk: ContextPack.shape.messages,
  /** What was changed last, by whom, newest first. */
  lately: z.array(z.strictObject({ title: sentence, by: z.string(), undone: z.boolean() })),
  faults: ContextPack.shape.faults,
})
export type TaskContext = z.infer<typeof TaskContext>

/** One thing to do, in the plan that the person sees while it is worked on. */
export const PlanItem = z.strictObject({
  text: z.string().min(1).max(LIMITS.nameCharsMax),
  state: z.enum(['open', 'doing', 'done']),
})
export type PlanItem = z.infer<typeof PlanItem>

export const WorkOrder = z.strictObject({
  run: RunId,
  today: Today,
  text: sentence,
  wishes: z.array(Wish),
  /** What an earlier run has left behind, and this one begins with. */
  draft: z
    .strictObject({ text: sentence, why: sentence, task: sentence, files: z.array(z.string()) })
    .nullable()
    .default(null),
  /** The policy it is done under, so that agents do not ask for what is refused. It binds whatever they make of it. */
  mood: z.strictObject({ mood: MoodName, words: sentence }).nullable().default(null),
  context: ContextPack,
})
export type WorkOrder = z.infer<typeof WorkOrder>

/** How a task ended, as the supervisor saw it. */
export const TaskOutcome = z.strictObject({
  task: TaskId,
  kind: TaskKind,
  /** `changed`: verified and kept in the run's stage, to land with it. `done`: ended well without changes. */
  status: z.enum(['changed', 'done', 'refused', 'failed', 'needs_input']),
  /** Why, in words fit for the person. */
  summary: sentence,
  filesChanged: z.array(z.string()),
  reports: z.array(VerifierReport),
  result: AssociateResult.nullable(),
  /** Whether somebody else looks at what was changed, as the mood says by now. */
  reviewer: Reviewer.default('large'),
  /** What the person did not allow, in words for an agent: the summary speaks to the person. */
  denied: sentence.nullable().default(null),
})
export type TaskOutcome = z.infer<typeof TaskOutcome>

export const SYSCALLS = {
  /** Waits for work. Null after a while without any: ask again. */
  'work.next': { from: ['director'], input: none, output: WorkOrder.nullable() },
  /** Runs one task to its end: stage, Associate, collection, verifiers. Nothing lands by it. */
  'task.issue': { from: ['director'], input: z.strictObject({ run: RunId, task: DirectorTask }), output: TaskOutcome },
  /**
   * The same for two or three tasks at once, each in a sandbox of its own. What they may write does not overlap; what
   * they changed is verified together, too.
   */
  'tasks.issue': {
    from: ['director'],
    input: z.strictObject({ run: RunId, tasks: z.array(DirectorTask).min(2).max(LIMITS.handsMax) }),
    output: z.strictObject({ outcomes: z.array(TaskOutcome) }),
  },
  /** Texts of files, with what the run has changed so far, or as they were when it began. Null: no file, or no text. */
  'tree.read': {
    from: ['director'],
    input: z.strictObject({
      run: RunId,
      at: z.enum(['base', 'now']),
      paths: z.array(z.string().max(LIMITS.pathBytesMax)).min(1).max(LIMITS.readAtOnceMax),
    }),
    output: z.strictObject({ files: z.array(z.strictObject({ path: z.string(), text: z.string().nullable() })) }),
  },
  /** Opens the desktop with what the run has changed so far in a browser, and tells what is seen. */
  'tree.look': { from: ['director'], input: z.strictObject({ run: RunId, look: LookRequest }), output: Seen },
  /**
   * The Director's last word on a run. `land`: the changes of its tasks are to land; `answer`: the reply is all that
   * was wanted. The reply reaches the person once the run has ended well and the desktop was seen to work with it; if
   * it cannot land, the supervisor says why instead.
   */
  'work.finish': {
    from: ['director'],
    input: z.strictObject({
      run: RunId,
      end: z.enum(['land', 'answer', 'discard']),
      summary: sentence,
      reply: sentence,
      /** Sentences of the reply that the person may have meant. */
      offers: Offers.default([]),
      /** The name of a checkpoint to take once it has landed. */
      checkpoint: z.string().max(LIMITS.nameCharsMax).nullable(),
      /** Windows to open for the person, once it has ended well. */
      windows: z
        .array(
          z.strictObject({
            app: z.string().min(1).max(LIMITS.nameCharsMax),
            title: z.string().max(LIMITS.nameCharsMax),
          }),
        )
        .max(LIMITS.windowsAtOnceMax)
        .default([]),
    }),
    /** `again`: what landed did not work in the person's desktop and was taken back; this is what was wrong. */
    output: z.strictObject({ again: sentence.nullable() }),
  },

  /**
   * Asks the person, and waits. Answers come in the order of the questions; where nobody answers in time, the answer is
   * each question's fallback.
   */
  'question.ask': {
    from: ['director'],
    input: z.strictObject({ run: RunId, questions: z.array(Question).min(1).max(LIMITS.questionsMax) }),
    output: z.strictObject({ answers: z.array(sentence), by: AnsweredBy }),
  },
  /** What the person said about this run since it was last asked for, and what is running short. */
  'work.heard': {
    from: ['director', 'associate'],
    input: none,
    output: z.strictObject({ said: z.array(sentence), warnings: z.array(sentence) }),
  },

  /**
   * Proposes something to remember. What becomes of it is not the agent's to say: it is an assertion only once its run
   * has landed, and only for as long as that stands. `run`: a Director says which; an Associate has one only.
   */
  'note.add': {
    from: ['director', 'associate'],
    input: z.strictObject({
      run: RunId.nullable(),
      kind: NoteKind,
      text: z.string().max(LIMITS.messageBytesMax),
      topic: z.string().max(LIMITS.messageBytesMax).default(''),
      files: z.array(z.string().max(LIMITS.pathBytesMax)).max(LIMITS.noteFilesMax).default([]),
    }),
    output: z.strictObject({ note: NoteId, text: z.string() }),
  },
  /**
   * Forgets what the person asked to forget in this run. The supervisor reads their words itself: a Director can name
   * nothing here.
   */
  'memory.obey': {
    from: ['director'],
    input: z.strictObject({ run: RunId }),
    output: z.strictObject({ forgot: z.array(z.string()) }),
  },

  /**
   * One call to a language model, for the run that this sandbox works on. The supervisor decides which model it is and
   * how much it may cost.
   */
  'model.stream': { from: ['director', 'associate'], input: ModelRequest, output: ModelAnswer },

  /** The task this sandbox was made for. */
  'task.get': {
    from: ['associate'],
    input: none,
    output: z.strictObject({
      task: DirectorTask,
      reports: z.array(VerifierReport),
      /** The paths that an earlier attempt has changed on this stage already. */
      draft: z.array(z.string()),
      context: TaskContext,
      memory: z.array(Remembered).max(LIMITS.rememberedMax).default([]),
    }),
  },
  /** What the Associate means to do, and how far it is; told anew each time that changes. */
  'task.plan': {
    from: ['associate'],
    input: z.strictObject({ items: z.array(PlanItem).min(1).max(LIMITS.planItemsMax) }),
    output: none,
  },
  /** Sent before and after each tool: the supervisor writes down both, with what is in the stage by then. */
  'tool.begin': {
    from: ['associate'],
    input: z.strictObject({ call: CallId, tool: Tool, summary: sentence }),
    output: none,
  },
  'tool.end': {
    from: ['associate'],
    input: z.strictObject({ call: CallId, ok: z.boolean(), summary: sentence }),
    output: z.strictObject({ files: z.number().int(), stage: Hash.nullable() }),
  },
  /**
   * The Associate says that it is done, or that it cannot be. Its stage is then judged; what the verifiers find comes
   * back as `again`, and it may go on where it is.
   */
  'task.finish': {
    from: ['associate'],
    input: AssociateResult,
    output: z.strictObject({ again: SentBack.nullable() }),
  },
} as const satisfies Record<string, { from: readonly SyscallRole[]; input: z.ZodType; output: z.ZodType }>

export type SyscallName = keyof typeof SYSCALLS
export type SyscallInput<Name extends SyscallName> = z.input<(typeof SYSCALLS)[Name]['input']>
export type SyscallOutput<Name extends SyscallName> = z.infer<(typeof SYSCALLS)[Name]['output']>

export function isSyscallName(name: string): name is SyscallName {
  return Object.hasOwn(SYSCALLS, name)
}
