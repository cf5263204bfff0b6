import { LIMITS } from '@choiros/contract/limits.ts'
import type { WorkOrder } from '@choiros/contract/syscalls.ts'
import { DirectorTask } from '@choiros/contract/tasks.ts'
import type { Wish } from '@choiros/contract/events/talk.ts'
import type { Recipe } from '@choiros/core/recipes/recipe.ts'
import { findRecipe, RECIPES, wishProblem } from '@choiros/core/recipes/recipes.ts'
import { saidToKeep } from '@choiros/core/memory/said.ts'
import { understand, type Found, type Missing } from '@choiros/core/recipes/understand.ts'
import { isWithdrawal } from '@choiros/core/recipes/withdraw.ts'
import { helpWords, languageIn, mannersWords, notesOf, notUnderstood, NOTHING_TO_STOP } from './words.ts'

/** What is to be done for one order, and what is to be said beside its results. */
export interface Plan {
  readonly tasks: readonly DirectorTask[]
  /** The name of a checkpoint to save at the end. */
  readonly checkpoint: string | null
  /** What is said without a task: answers, questions, what was left out. */
  readonly notes: readonly string[]
  /** Whether a model could understand more of the words than the recipes did. */
  readonly forModel: boolean
  /** What must be asked before everything can be done. */
  readonly asks: readonly Missing[]
  /** The wishes that are complete without asking. */
  readonly wishes: readonly Wish[]
  /** Sentences of the notes that the person may have meant. */
  readonly offers: readonly string[]
  /** Whether the notes are what was wanted, rather than why there is nothing else. */
  readonly isAnswer: boolean
  /** What the person said of themselves, which is remembered. */
  readonly kept: readonly string[]
  /** Why the person's answers were not enough; null if they were. */
  readonly why: string | null
}

export interface PlanOptions {
  /** The date where the computer is, as YYYY-MM-DD. */
  readonly today: string
  newId(): string
}

interface Chosen {
  readonly wish: Wish
  readonly recipe: Recipe
}

/** Wishes chosen from the menu are followed as they are; only without them are the words themselves looked at. */
export function planWork(order: WorkOrder, options: PlanOptions): Plan {
  if (order.wishes.length > 0) {
    const problems = order.wishes.flatMap((wish) => wishProblem(wish) ?? [])
    if (problems.length > 0)
      return { ...NO_PLAN, notes: [`Something in the form does not make sense. ${problems.join('. ')}.`] }
    return planWishes(order, order.wishes, [], options)
  }
  if (isWithdrawal(order.text)) return { ...NO_PLAN, ...takenBack(order.text), isAnswer: true }
  const kept = saidToKeep(order.text).map(({ text }) => text)
  const found = withoutKept(understand(order.text, RECIPES, options.today), kept)
  const notes = [...sayingWords(found.sayings), ...notesOf(found)]
  if (isNothing(found) && found.leftovers.length === 0 && kept.length > 0) return { ...NO_PLAN, kept, isAnswer: true }
  if (isNothing(found)) {
    if (found.leftovers.length === 0) return { ...NO_PLAN, notes: [mannersWords(order.text)], isAnswer: true }
    const { reply, offers } = notUnderstood(order.text)
    return { ...NO_PLAN, kept, notes: [reply], offers, forModel: true }
  }
  const wishes = found.wishes.map(({ recipe, parameters }) => ({ recipe, parameters }))
  // A sentence that was understood in part goes to a model as a whole: it does both parts, and sees how they belong
  // together.
  return {
    ...planWishes(order, wishes, notes, options),
    kept,
    asks: found.asks,
    forModel: found.leftovers.length > 0 || found.swallowed.length > 0,
  }
}

/** "Forget that", when nothing is at work: what was said right before, if that is remembered. */
function takenBack(text: string): Pick<Plan, 'wishes' | 'notes'> {
  return /\bforget\b/i.test(text)
    ? { wishes: [{ recipe: 'forget', parameters: {} }], notes: [] }
    : { wishes: [], notes: [NOTHING_TO_STOP] }
}

/** What is remembered was understood, even where no recipe knows what to do with it. */
function withoutKept(found: Found, kept: readonly string[]): Found {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  const isKept = (text: string) =>
    kept.some((one) => plain(text).includes(plain(one)) || plain(one).includes(plain(text)))
  return kept.length === 0 ? found : { ...found, leftovers: found.leftovers.filter((text) => !isKept(text)) }
}

function isNothing({ wishes, asks, says, negated, sayings }: Found): boolean {
  return [wishes, asks, says, negated, sayings].every(({ length }) => length === 0)
}

/** A question changes nothing; the answer says how to ask for it. */
function sayingWords(sayings: readonly string[]): string[] {
  return sayings.length === 0 ? [] : [`To do that, say ${sayings.map((words) => `“${words}”`).join(' and ')}.`]
}

const NO_PLAN: Plan = {
  tasks: [],
  checkpoint: null,
  notes: [],
  forModel: false,
  asks: [],
  wishes: [],
  offers: [],
  isAnswer: false,
  kept: [],
  why: null,
}

export function planWishes(
  order: WorkOrder,
  wishes: readonly Wish[],
  notes: readonly string[],
  options: PlanOptions,
): Plan {
  const chosen = wishes.slice(0, LIMITS.wishesMax).flatMap((wish): Chosen[] => {
    const recipe = findRecipe(wish.recipe)
    return recipe === undefined ? [] : [{ wish, recipe }]
  })
  const isTimeTravel = ({ recipe: { work } }: Chosen) =>
    work.kind === 'git' && ['undo', 'redo', 'restore'].includes(work.action)
  const travels = chosen.filter(isTimeTravel)
  const [first] = chosen
  // Undo takes back what has landed; in one run with other changes it would take back the wrong thing.
  if (first !== undefined && isTimeTravel(first)) {
    const others = chosen.filter((one) => one !== first)
    const left =
      others.length === 0
        ? []
        : [`I only did that part. Going back is done on its own, so please ask for the rest again: ${namesOf(others)}.`]
    return { ...NO_PLAN, wishes, tasks: [taskOf(order, first, options)], notes: [...left, ...notes], isAnswer: true }
  }
  const rest = chosen.filter((one) => !isTimeTravel(one))
  const skipped =
    travels.length === 0
      ? []
      : [`I did not ${namesOf(travels).toLowerCase()}: going back is done on its own, so please ask for it separately.`]
  const help = rest.some(({ recipe }) => recipe.work.kind === 'answer') ? helpWords(languageIn(order)) : null
  return {
    ...NO_PLAN,
    wishes,
    isAnswer: true,
    tasks: tasksOf(order, rest, options),
    checkpoint: checkpointOf(rest),
    notes: [...(help === null ? [] : [help.reply]), ...skipped, ...notes],
    offers: help?.offers ?? [],
  }
}

function tasksOf(order: WorkOrder, chosen: readonly Chosen[], options: PlanOptions): DirectorTask[] {
  const edits = chosen.filter(({ recipe }) => recipe.work.kind === 'edit')
  // A checkpoint needs no task: the supervisor takes it when the run ends.
  const others = chosen.filter(
    ({ recipe: { work } }) =>
      work.kind === 'inspect' || work.kind === 'run' || (work.kind === 'git' && work.action === 'log'),
  )
  return [
    ...(edits.length === 0 ? [] : [editTask(order, edits, options)]),
    ...others.map((one) => taskOf(order, one, options)),
  ]
}

/** All edits of one prompt are one task, so that they are verified, land and are undone as one. */
function editTask(order: WorkOrder, edits: readonly Chosen[], options: PlanOptions): DirectorTask {
  const scope = edits.flatMap(({ recipe: { work } }) => (work.kind === 'edit' ? work.scope : []))
  return newTask(order, options, {
    kind: 'edit_repo',
    recipes: edits.map(({ wish }) => ({ name: wish.recipe, parameters: wish.parameters })),
    write_scope: [...new Set(scope)],
    acceptance_criteria: edits.map(({ recipe }) => recipe.hint),
  })
}

function taskOf(order: WorkOrder, { wish, recipe: { work } }: Chosen, options: PlanOptions): DirectorTask {
  const recipes = [{ name: wish.recipe, parameters: wish.parameters }]
  if (work.kind === 'git') return newTask(order, options, { kind: 'git', git_action: work.action, recipes })
  if (work.kind === 'run')
    return newTask(order, options, { kind: 'run', commands: work.commands.map((command) => [...command]) })
  return newTask(order, options, { kind: 'inspect', recipes })
}

const TIME_BUDGET_S = 120

function newTask(order: WorkOrder, { newId }: PlanOptions, task: Partial<DirectorTask>): DirectorTask {
  return DirectorTask.parse({
    write_scope: [],
    allowed_tools: task.kind === 'run' ? ['shell'] : task.kind === 'inspect' ? ['read', 'list'] : ['recipe'],
    time_budget_s: TIME_BUDGET_S,
    ...task,
    task_id: newId(),
    instruction: order.text,
  })
}

function checkpointOf(chosen: readonly Chosen[]): string | null {
  const checkpoint = chosen.findLast(({ recipe: { work } }) => work.kind === 'git' && work.action === 'checkpoint')
  const name = checkpoint?.wish.parameters['name']
  return checkpoint === undefined
    ? null
    : typeof name === 'string' && name.trim() !== ''
      ? name.trim().slice(0, LIMITS.nameCharsMax)
      : 'Saved by hand'
}

function namesOf(chosen: readonly Chosen[]): string {
  return chosen.map(({ recipe }) => recipe.title).join(', ')
}
