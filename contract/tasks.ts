import { z } from 'zod'
import { TaskId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { ModelTier } from './models.ts'
import { TreePath } from './path.ts'

/** What goes from Director to Associate and back. Snake case on this wire only. */
export const TaskKind = z.enum(['edit_repo', 'run', 'git', 'inspect'])
export type TaskKind = z.infer<typeof TaskKind>

export const TaskStatus = z.enum(['ok', 'needs_input', 'failed'])

export const Tool = z.enum([
  'recipe',
  'read',
  'list',
  'search',
  'write',
  'edit',
  'delete',
  'shell',
  'see',
  'diff',
  'check',
  'plan',
  'note',
])
export type Tool = z.infer<typeof Tool>

/** What a task of kind `git` asks of the supervisor, which alone holds the history. */
export const GitAction = z.enum(['undo', 'redo', 'restore', 'checkpoint', 'log'])
export type GitAction = z.infer<typeof GitAction>

const sentence = z.string().max(LIMITS.messageBytesMax)

/** A folder with a slash at its end, or one file. */
const Scope = z.string().max(LIMITS.pathBytesMax)

const RecipeCall = z.strictObject({
  name: z.string().max(LIMITS.nameCharsMax),
  parameters: z.record(z.string().max(LIMITS.nameCharsMax), z.union([sentence, z.number(), z.boolean()])),
})

export const DirectorTask = z.strictObject({
  task_id: TaskId,
  kind: TaskKind,
  instruction: sentence,
  acceptance_criteria: z.array(sentence).max(20).default([]),
  git_action: GitAction.nullable().default(null),
  recipes: z.array(RecipeCall).max(LIMITS.wishesMax).default([]),
  write_scope: z.array(Scope).max(LIMITS.scopePartsMax).default(['app/']),
  allowed_tools: z.array(Tool).default([...Tool.options]),
  commands: z
    .array(z.array(z.string().max(4096)).min(1).max(64))
    .max(10)
    .default([]),
  /** Which of the configured models works on it, if one does. */
  model_tier: ModelTier.default('strong'),
  /** Whether it begins with the tree, and not with what an earlier attempt has left on its stage. */
  fresh: z.boolean().default(false),
  time_budget_s: z.number().int().min(1).max(3600).default(300),
})
export type DirectorTask = z.infer<typeof DirectorTask>

const CommandRun = z.strictObject({
  command: z.array(z.string().max(4096)),
  exit_code: z.number().int().nullable(),
  log: sentence,
})

/** The Associate's word: data, no proof. What it says about files is compared with the stage, not believed. */
export const AssociateResult = z.strictObject({
  task_id: TaskId,
  status: TaskStatus,
  summary: sentence,
  /** For the person, where there is more to tell than what was done. */
  reply: sentence.default(''),
  files_changed: z.array(TreePath).max(LIMITS.inlineChangesMax).default([]),
  commands_run: z.array(CommandRun).max(100).default([]),
  /** A file that the task needs and that is gone: the supervisor can find out which run removed it. */
  missing: TreePath.nullable().default(null),
  questions: z.array(sentence).max(3).default([]),
})
export type AssociateResult = z.infer<typeof AssociateResult>
