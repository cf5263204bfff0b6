import type { ModelEffort, ModelTier } from '@choiros/contract/models.ts'
import type { LeaseKind, MoodName, Reviewer } from '@choiros/contract/policy.ts'
import type { DirectorTask, TaskKind, Tool } from '@choiros/contract/tasks.ts'
import { findRecipe } from '../recipes/recipes.ts'
import { isInScope, type VerifierName } from '../verifier-plan.ts'

/** What a tool does to a stage. A new tool does not compile without one. */
type ToolKind = 'recipe' | 'look' | 'check' | 'write' | 'delete' | 'shell'
const TOOL_KINDS: Readonly<Record<Tool, ToolKind>> = {
  recipe: 'recipe',
  read: 'look',
  list: 'look',
  search: 'look',
  see: 'look',
  diff: 'look',
  plan: 'look',
  note: 'look',
  check: 'check',
  write: 'write',
  edit: 'write',
  delete: 'delete',
  shell: 'shell',
}

/** A shell can write whatever it likes, so it needs the permission to. */
const LEASES: Readonly<Record<ToolKind, LeaseKind>> = {
  recipe: 'write',
  look: 'read',
  check: 'verify',
  write: 'write',
  delete: 'write',
  shell: 'write',
}

/** What a task is given when it begins. Nobody is given `net`, `export` or `publish` yet: no tool could use them. */
export const LEASES_OF_TASK: Readonly<Record<TaskKind, readonly LeaseKind[]>> = {
  edit_repo: ['read', 'write', 'verify'],
  run: ['read', 'write'],
  inspect: ['read'],
  git: [],
}

export interface Mood {
  /** From the most to the least that is allowed. Where several guards say something else, the highest wins. */
  readonly strictness: number
  readonly tools: readonly ToolKind[]
  /** What a task may write without the person being asked: folders with a slash at the end, or files. */
  readonly scope: readonly string[]
  /** How many of the person's documents a task may delete without them being asked. */
  readonly deletions: number
  /** Whether they are asked before what guards the desktop is touched. */
  readonly guardsTrust: boolean
  /** Which ways out there are. */
  readonly egress: 'none'
  /** The largest model that may be asked; null: the one that the task names. */
  readonly tier: ModelTier | null
  /** How long a model thinks; null: as the person has set it. */
  readonly effort: ModelEffort | null
  /** Looked at by these too, also where no model had a hand in it. */
  readonly verifiers: readonly VerifierName[]
  readonly reviewer: Reviewer
  readonly budget: {
    /** The part of the run's cap in tokens. */
    readonly share: number
    /** Of a task's tools in all, and how often they may be used. */
    readonly toolSeconds: number
    readonly steps: number
    readonly tasks: number
  }
  /** When it has had enough: work sent back by verifiers in one task, and refusals by policy in the run. */
  readonly stop: { readonly sentBack: number; readonly refusals: number }
  /** How often the person may be asked something. */
  readonly questions: number
  /** Whether notes may be written. */
  readonly memory: boolean
}

const EVERYTHING: readonly ToolKind[] = ['recipe', 'look', 'check', 'write', 'delete', 'shell']
const WHOLE = ['app/', 'artifacts/']
const USUAL: Mood = {
  strictness: 1,
  tools: EVERYTHING,
  scope: WHOLE,
  deletions: 10,
  guardsTrust: false,
  egress: 'none',
  tier: null,
  effort: null,
  verifiers: [],
  reviewer: 'large',
  budget: { share: 1, toolSeconds: 3600, steps: 1000, tasks: 30 },
  stop: { sentBack: 3, refusals: 50 },
  questions: 10,
  memory: true,
}

/** The moods, each told by how it differs from the usual one. */
export const MOOD_TABLE: Readonly<Record<MoodName, Mood>> = {
  BOLD: { ...USUAL, strictness: 0, deletions: 20, reviewer: 'never', questions: 3 },
  CALM: USUAL,
  CURIOUS: {
    ...USUAL,
    strictness: 2,
    tools: ['recipe', 'look', 'check', 'write'],
    deletions: 0,
    budget: { share: 0.5, toolSeconds: 900, steps: 300, tasks: 10 },
  },
  PETTY: {
    ...USUAL,
    strictness: 3,
    tier: 'fast',
    effort: 'low',
    reviewer: 'never',
    budget: { share: 1, toolSeconds: 120, steps: 60, tasks: 4 },
    stop: { sentBack: 1, refusals: 10 },
    questions: 3,
  },
  DEFERENTIAL: {
    ...USUAL,
    strictness: 4,
    deletions: 0,
    budget: { share: 1, toolSeconds: 1800, steps: 500, tasks: 10 },
  },
  CONTRITE: {
    ...USUAL,
    strictness: 5,
    deletions: 3,
    tier: null,
    effort: 'high',
    reviewer: 'always',
    budget: { share: 1, toolSeconds: 1800, steps: 500, tasks: 10 },
  },
  SKEPTICAL: {
    ...USUAL,
    strictness: 6,
    tools: ['recipe', 'look', 'check', 'write', 'delete'],
    scope: ['app/'],
    deletions: 0,
    verifiers: ['render'],
    reviewer: 'always',
    budget: { share: 0.9, toolSeconds: 900, steps: 300, tasks: 8 },
    stop: { sentBack: 3, refusals: 20 },
    memory: false,
  },
  PARANOID: {
    ...USUAL,
    strictness: 7,
    tools: ['recipe', 'look', 'check', 'write'],
    scope: ['app/'],
    deletions: 0,
    guardsTrust: true,
    verifiers: ['render'],
    effort: 'high',
    reviewer: 'always',
    budget: { share: 0.75, toolSeconds: 600, steps: 150, tasks: 5 },
    stop: { sentBack: 1, refusals: 10 },
    memory: false,
  },
}

/** Whether a run in this mood may write notes. */
export function mayWriteMemory(mood: MoodName): boolean {
  return MOOD_TABLE[mood].memory
}

export function mayUse(mood: MoodName, tool: Tool): boolean {
  return MOOD_TABLE[mood].tools.includes(TOOL_KINDS[tool])
}

/** Which permission a tool is used under. */
export function leaseOf(tool: Tool): LeaseKind {
  return LEASES[TOOL_KINDS[tool]]
}

/**
 * Whether a task does nothing but follow recipes, within what they say that they write. Each of them was looked at
 * before it was shipped, and the person has said what it does: a mood neither narrows nor delays it.
 */
export function isByRecipes({ kind, recipes, write_scope: scope }: DirectorTask): boolean {
  if (kind !== 'edit_repo' || recipes.length === 0) return false
  const own = recipes.flatMap(({ name }) => {
    const work = findRecipe(name)?.work
    return work?.kind === 'edit' ? [...work.scope] : []
  })
  return scope.every((part) => isPartOf(own, part))
}

/** The parts of a scope that lie beyond another. */
export function beyond(scope: readonly string[], allowed: readonly string[]): string[] {
  return scope.filter((part) => !isPartOf(allowed, part))
}

/** A folder is within another of which it is, or in which it lies; a file is within the folders above it. */
function isPartOf(scope: readonly string[], part: string): boolean {
  return part !== '' && isInScope(scope, part)
}

/** A task as its mood allows it; `scope` is what it may write. */
export function narrowed(task: DirectorTask, mood: MoodName, scope: readonly string[]): DirectorTask {
  const { tier, budget } = MOOD_TABLE[mood]
  return {
    ...task,
    write_scope: [...scope],
    allowed_tools: task.allowed_tools.filter((tool) => mayUse(mood, tool)),
    model_tier: tier === 'fast' ? 'fast' : task.model_tier,
    time_budget_s: Math.min(task.time_budget_s, budget.toolSeconds),
  }
}
