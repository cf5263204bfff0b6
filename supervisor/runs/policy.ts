import type { Change } from '@choiros/contract/change.ts'
import { LeaseGrant, ReceiptPolicy, RunMoodEvent } from '@choiros/contract/events/policy.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { labelFrom, type RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { ModelRequest } from '@choiros/contract/models.ts'
import type { LeaseKind, RunMood } from '@choiros/contract/policy.ts'
import type { WorkOrder } from '@choiros/contract/syscalls.ts'
import type { DirectorTask, Tool } from '@choiros/contract/tasks.ts'
import { MOODS, moodWords, placeWords } from '@choiros/core/everywhere/mood-words.ts'
import { deniedForAgent, moodForAgent, takenBackForAgent } from '@choiros/core/moods/agent-words.ts'
import { nextMood, type MoodFacts } from '@choiros/core/moods/guards.ts'
import {
  beyond,
  isByRecipes,
  leaseOf,
  LEASES_OF_TASK,
  mayUse,
  mayWriteMemory,
  MOOD_TABLE,
  narrowed,
  type Mood,
} from '@choiros/core/moods/moods.ts'
import {
  isQuestion,
  isShell,
  isConfiguration,
  isDocument,
  isTrustRelevant,
  signsIn,
} from '@choiros/core/moods/signs.ts'
import type { Computer } from '../computer/computer.ts'
import { agentDraft } from '../computer/drafts.ts'
import type { Machine } from '../computer/machine.ts'
import type { CallPolicy, ModelGateway } from '../models/model-gateway.ts'
import type { Queries } from '../state/queries.ts'
import type { Approvals } from './approvals.ts'
import { startMood } from './start-mood.ts'

/** A task as it may be done. */
export interface Admitted {
  readonly task: DirectorTask
  /** What it was given, by kind. */
  readonly leases: ReadonlyMap<LeaseKind, string>
  readonly byRecipes: boolean
  /** The part of what was asked for that the person did not allow, in words for an agent. */
  readonly denied: string | null
  /** Writes down what it was given. */
  granted(): Promise<unknown>
}

/** Why something may not be kept: for the person, and for an agent. */
interface No {
  readonly why: string
  readonly forAgent: string
}

/** What one conversation with a model has been told of so far. */
interface Talk {
  /** What it began with: whoever judges what was made talks in the same name. */
  first: string
  read: number
}

/**
 * The mood of one run, and what it forbids. Whatever an agent says, this is where it is refused; each refusal is told
 * in words and left in the log.
 */
export interface RunPolicy {
  mood(): RunMood
  rules(): Mood
  order(): NonNullable<WorkOrder['mood']>
  mayWriteMemory(): boolean
  /** Something has happened by which the mood may move. */
  feel(facts: MoodFacts): Promise<void>
  /** Takes a task on, narrowed to what may be; or refuses it. The person may be asked first. */
  admit(task: DirectorTask): Promise<Admitted>
  /** Before a tool is used. Resolves with the permission it is used under. */
  use(admitted: Admitted, tool: Tool): Promise<string>
  /** What stands in a stage after a tool, or in the end. */
  touched(changes: readonly Change[]): Promise<void>
  /** Why what was done may not be kept, as far as that is known before it is verified; null: it may. */
  holds(admitted: Admitted): No | null
  /** The same for what must be allowed by the person, once it is known to be good. */
  allowed(admitted: Admitted, changes: readonly Change[]): Promise<No | null>
  /** Refuses a landing of what is not allowed any more. */
  mayLand(state: Queries): void
  /** Before a model is asked, by an Associate or by the Director. */
  think(talk: object, request: ModelRequest, admitted: Admitted | null): Promise<[ModelRequest, CallPolicy]>
  /** Before a Director is given texts of files. */
  mayRead(): void
  /** Before the person is asked something. */
  question(): Promise<void>
  /** They have answered it. */
  answered(): Promise<void>
}

export interface RunPolicyOptions {
  readonly computer: Computer
  readonly machine: Machine
  readonly models: Pick<ModelGateway, 'budget' | 'isConfigured'>
  readonly approvals: Approvals
  readonly run: RunId
  readonly signal: AbortSignal
  readonly untilMs: number
}

const READABLE = ['app/', 'artifacts/']

const KIND_WORDS: Readonly<Record<LeaseKind, string>> = {
  read: 'read your files',
  write: 'write',
  verify: 'have its work checked',
  net: 'use the network',
  export: 'export',
  publish: 'publish',
}

/** Begins with the mood that history tells, and writes it down. Called together with the start of the run. */
export function createRunPolicy(options: RunPolicyOptions): RunPolicy & { begin(): Promise<void> } {
  const { computer, machine, models, approvals, run, signal, untilMs } = options
  const { queries } = computer
  const text = queries.run(run)?.text ?? ''
  const spent = () => 1 - models.budget.left(computer, run, 1)
  let mood = startMood(queries, run, { spent: spent(), question: models.isConfigured() && isQuestion(text) })
  let tasks = 0
  let asked = 0
  let refused = 0
  let hasThought = false
  /** What was given in this run without asking: it is not taken away by a mood that comes later. */
  const given: string[] = []
  /** What stood in the stages when they were last looked at. */
  const seen = new Set<string>()
  /** Documents that were deleted by what it did so far: many small tasks delete as much as a large one. */
  const deletedSoFar = new Set<string>()
  const talks = new WeakMap<object, Talk>()
  const steps = new WeakMap<Admitted, number>()

  const rules = () => MOOD_TABLE[mood.mood]
  const told = () =>
    computer.append(({ state }) => {
      const now = state.run(run)?.status
      return now === 'running' ? { draft: agentDraft(computer, run, RunMoodEvent, mood, 'system') } : null
    })
  /** The mood has moved before that is written: whoever asks meanwhile meets the stricter one. */
  const feel = async (facts: MoodFacts): Promise<void> => {
    const { mood: next, why } = nextMood(mood.mood, facts, mood.by === 'person')
    if (next === mood.mood) return
    mood = { mood: next, why, by: 'rules' }
    await told()
  }
  const refuse = async (what: string, why: string, forAgent?: string): Promise<never> => {
    refused++
    if (refused <= LIMITS.policyReceiptsMax) {
      const data = { mood: mood.mood, asked: what, why }
      await computer.append(() => ({ draft: agentDraft(computer, run, ReceiptPolicy, data, 'system') }))
    }
    throw new ChoirError('policy.refused', why, { details: forAgent === undefined ? {} : { forAgent } })
  }
  const inMood = (what: string) => `while it is ${MOODS[mood.mood].word}, a run may ${what}`
  const goOn = async (what: string): Promise<void> => {
    if (refused > rules().stop.refusals)
      await refuse(what, 'this run has asked too often for what it may not do: say what you have, and come to an end')
  }
  const takenBack = (kind: LeaseKind): No => ({
    why: `you have taken back that this run may ${KIND_WORDS[kind]}`,
    forAgent: takenBackForAgent(kind),
  })

  const refuseTakenBack = (what: string, kind: LeaseKind): Promise<never> => {
    const { why, forAgent } = takenBack(kind)
    return refuse(what, why, forAgent)
  }

  const scopeOf = async (task: DirectorTask): Promise<Pick<Admitted, 'denied'> & { scope: readonly string[] }> => {
    const more = beyond(task.write_scope, [...rules().scope, ...given])
    if (more.length === 0) {
      given.push(...task.write_scope)
      return { scope: task.write_scope, denied: null }
    }
    const risk = `It is ${moodWords(mood)}, and wants to write ${placeWords(more)}. What it writes there is checked less than the desktop itself; it can be undone.`
    if (await approvals.allows(run, { kind: 'scope', scope: more, risk }, signal))
      return { scope: task.write_scope, denied: null }
    await feel({ denied: true })
    const rest = task.write_scope.filter((part) => !more.includes(part))
    const denied = deniedForAgent('write', more)
    if (rest.length === 0)
      await refuse(`to write ${placeWords(more)}`, `you did not allow it to write ${placeWords(more)}`, denied)
    return { scope: rest, denied }
  }
  const allow = async (
    wanted: { kind: 'deletion' | 'trust'; scope: readonly string[]; risk: string },
    paths: readonly string[],
  ): Promise<No | null> => {
    if (await approvals.allows(run, wanted, signal)) return null
    await feel({ denied: true })
    const act = wanted.kind === 'trust' ? 'change' : 'delete'
    const no = { why: `you did not allow it to ${act} ${placeWords(paths)}`, forAgent: deniedForAgent(act, paths) }
    await refuse(`${act} ${placeWords(paths)}`, no.why).catch(() => {})
    return no
  }

  const allowDeletion = (deleted: readonly string[], inAll: number): Promise<No | null> => {
    const folders = bounded(foldersOf(deleted), 'artifacts/')
    const sum = inAll > deleted.length ? ` With those before, that makes ${inAll}.` : ''
    const risk = `It wants to delete or empty ${deleted.length === 1 ? 'a document' : `${deleted.length} documents`} of yours: ${placeWords(deleted)}.${sum} Undo brings them back as long as their old versions are kept. A yes for more than once goes for everything in ${placeWords(folders)}.`
    return allow({ kind: 'deletion', scope: folders, risk }, deleted)
  }

  return {
    begin: async () => void (await told()),
    mood: () => mood,
    rules,
    order: () => ({
      mood: mood.mood,
      words: moodForAgent(mood),
    }),
    mayWriteMemory: () => mayWriteMemory(mood.mood),
    feel,
    async admit(task) {
      await feel({ spent: spent() })
      await goOn(`the task ${task.instruction}`)
      const { budget } = rules()
      if (++tasks > budget.tasks)
        await refuse(`the task ${task.instruction}`, inMood(`have at most ${budget.tasks} tasks`))
      const kinds = LEASES_OF_TASK[task.kind]
      const revoked = queries.revokedKinds(run)
      const gone = kinds.find((kind) => revoked.has(kind))
      if (gone !== undefined) await refuseTakenBack(`the task ${task.instruction}`, gone)
      const byRecipes = isByRecipes(task)
      const isFree = byRecipes || task.kind !== 'edit_repo'
      const { scope, denied } = isFree ? { scope: task.write_scope, denied: null } : await scopeOf(task)
      const leases = new Map(kinds.map((kind) => [kind, labelFrom(machine.randomBytes(16))]))
      const grant = ([kind, lease]: [LeaseKind, string]) => {
        const reaches = kind === 'read' ? READABLE : [...scope]
        const data = { lease, task: task.task_id, kind, scope: reaches, untilMs, uses: budget.steps }
        return computer.append(() => ({ draft: agentDraft(computer, run, LeaseGrant, data, 'system') }))
      }
      const admitted: Admitted = {
        task: narrowed(task, mood.mood, scope),
        leases,
        byRecipes,
        denied,
        granted: () => Promise.all([...leases].map(grant)),
      }
      return admitted
    },
    async use(admitted, tool) {
      const what = `the tool ${tool}`
      await goOn(what)
      if (!mayUse(mood.mood, tool)) await refuse(what, inMood(`not use ${tool}`))
      if (!admitted.task.allowed_tools.includes(tool)) await refuse(what, `this task may not use ${tool}`)
      const used = (steps.get(admitted) ?? 0) + 1
      steps.set(admitted, used)
      const { steps: most } = rules().budget
      if (used > most) await refuse(what, inMood(`use tools ${most} times in a task`))
      const kind = leaseOf(tool)
      const lease = admitted.leases.get(kind)
      if (lease === undefined) return refuse(what, `this task was not given leave to ${KIND_WORDS[kind]}`)
      if (queries.lease(lease) === null) await refuseTakenBack(what, kind)
      if (machine.now() > untilMs) await refuse(what, 'the time for which it was allowed is over')
      return lease
    },
    async touched(changes) {
      const news = changes.filter(({ path, to }) => !seen.has(`${to?.object} ${path}`))
      for (const { path, to } of news) seen.add(`${to?.object} ${path}`)
      const configuration = news.find(({ path }) => isConfiguration(path))?.path ?? null
      await feel({ configuration, shell: news.some(({ path }) => isShell(path)) })
    },
    holds({ task, leases }) {
      if (task.kind !== 'edit_repo') return null
      const gone = (['write', 'verify'] as const).find((kind) => queries.lease(leases.get(kind) ?? '') === null)
      return gone === undefined ? null : takenBack(gone)
    },
    async allowed({ byRecipes }, changes) {
      const trusted = changes.map(({ path }) => String(path)).filter(isTrustRelevant)
      if (rules().guardsTrust && trusted.length > 0) {
        const risk = `It is ${moodWords(mood)}, and changed ${placeWords(trusted)}, on which it depends that you can see and stop what happens. If it is bad, you may need safe mode or the rescue page to undo it.`
        const no = await allow({ kind: 'trust', scope: bounded(trusted, 'app/'), risk }, trusted)
        if (no !== null) return no
      }
      const deleted = deletedDocuments(changes)
      const all = new Set([...deletedSoFar, ...deleted])
      // A recipe deletes what the person named.
      const most = (byRecipes ? MOOD_TABLE.CALM : rules()).deletions
      const no = deleted.length === 0 || all.size <= most ? null : await allowDeletion(deleted, all.size)
      if (no === null) for (const path of deleted) deletedSoFar.add(path)
      return no
    },
    mayLand(state) {
      if (approvals.isTakenBack(run, state))
        throw new ChoirError('run.refused', 'you have taken back what you had allowed')
    },
    async think(of, request, admitted) {
      await goOn('to ask a model')
      hasThought = true
      const { messages } = request
      const first = `${messages[0]?.text}\n${messages[1]?.text}`
      const talk = talks.get(of)
      // Another one, or one that was made shorter, is read from its beginning.
      const isMore = talk?.first === first && talk.read <= messages.length
      talks.set(of, { first, read: messages.length })
      await feel(signsIn(messages.slice(isMore ? talk.read : 0)))
      const { tier: most, effort, budget } = rules()
      const fast = most === 'fast' && admitted === null
      const tier = fast || admitted?.task.model_tier === 'fast' ? 'fast' : request.tier
      return [
        { ...request, tier },
        { share: budget.share, effort },
      ]
    },
    mayRead() {
      const { why, forAgent } = takenBack('read')
      if (queries.revokedKinds(run).has('read')) throw new ChoirError('policy.refused', why, { details: { forAgent } })
    },
    async question() {
      await goOn('to ask you')
      const { questions } = rules()
      if (++asked > questions) await refuse('to ask you', inMood(`ask you ${questions} times`))
    },
    // What a recipe asks for belongs to the wish.
    answered: async () => (hasThought ? feel({ answered: true }) : undefined),
  }
}

/** Documents of which nothing is left. What stands elsewhere now is not lost. */
function deletedDocuments(changes: readonly Change[]): string[] {
  const kept = new Set(changes.map(({ to }) => to?.object ?? null))
  const isGone = (to: Change['to']) => to?.kind !== 'file' || to.size === 0
  return changes
    .filter(
      ({ path, from, to }) =>
        from?.kind === 'file' && from.size > 0 && isDocument(path) && isGone(to) && !kept.has(from.object),
    )
    .map(({ path }) => String(path))
}

/** As much as an event can name; of more, the folder above all. */
function bounded(paths: readonly string[], above: string): string[] {
  return paths.length > LIMITS.scopePartsMax ? [above] : [...paths]
}

function foldersOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/') + 1)))]
}
