import { z } from 'zod'
import { LIMITS } from '@choiros/contract/limits.ts'
import { modelTool } from '@choiros/contract/model-tool.ts'
import type { ModelTool } from '@choiros/contract/models.ts'
import { pathProblem, shownPath } from '@choiros/contract/path.ts'
import { SearchInput } from '@choiros/contract/search.ts'
import { DirectorTask } from '@choiros/contract/tasks.ts'
import { REMEMBER_DESCRIPTION, REMEMBER_INPUT } from './memory.ts'
import { editRecipeLines, findRecipe, wishProblem } from '@choiros/core/recipes/recipes.ts'

/** Folders and files as a model names them; what can be meant is understood, and what is wrong is said at once. */
const scope = z
  .array(
    z
      .string()
      .max(1024)
      .superRefine((part, context) => {
        const problem = scopeProblem(part)
        if (problem !== null) context.addIssue({ code: 'custom', message: problem })
      }),
  )
  .min(1)
  .max(20)
const Edit = z.strictObject({
  instruction: z.string().min(1).max(8000),
  done_when: z.array(z.string().max(1000)).max(10).optional(),
  may_write: scope.optional(),
  small: z.boolean().optional(),
  fresh: z.boolean().optional(),
})
type Edit = z.infer<typeof Edit>

/** What a Director's model can do. */
export const INPUTS = {
  edit: Edit,
  together: z.strictObject({
    tasks: z
      .array(Edit.extend({ may_write: scope }))
      .min(2)
      .max(LIMITS.handsMax),
  }),
  recipe: z.strictObject({
    name: z.string(),
    parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  }),
  look: z.strictObject({ question: z.string().min(1).max(1000) }),
  list: z.strictObject({ folder: z.string().max(1024) }),
  read: z.strictObject({
    path: z.string().min(1).max(1024),
    from_line: z.number().int().min(1).optional(),
    lines: z.number().int().min(1).max(2000).optional(),
  }),
  search: SearchInput,
  open: z.strictObject({ app: z.string().min(1).max(100), title: z.string().max(200).optional() }),
  ask: z.strictObject({
    questions: z
      .array(
        z.strictObject({
          question: z.string().min(1).max(500),
          default: z.string().min(1).max(200),
          choices: z.array(z.string().min(1).max(200)).max(6).optional(),
        }),
      )
      .min(1)
      .max(LIMITS.questionsMax),
  }),
  undo: z.strictObject({
    what: z.string().min(1).max(200).optional(),
    count: z.number().int().min(1).max(10).optional(),
    redo: z.boolean().optional(),
  }),
  restore: z.strictObject({ checkpoint: z.string().min(1).max(200) }),
  checkpoint: z.strictObject({ name: z.string().min(1).max(200) }),
  remember: REMEMBER_INPUT,
}
export type ToolName = keyof typeof INPUTS
export type ToolInput<Name extends ToolName> = z.infer<(typeof INPUTS)[Name]>
/** Those that one task does. */
export type TaskTool = 'edit' | 'recipe' | 'look' | 'undo' | 'restore'

const DESCRIPTIONS: Readonly<Record<ToolName, string>> = {
  edit: 'Gives the Associate a task. Say in done_when what must be true in the end, each so that it can be seen: what was made is judged by it. It may write below app/ (the desktop) unless may_write names other folders (with a slash at the end) or files, such as artifacts/. small: true for a text or a change of a few lines, which a faster model does. A task that did not come to its end leaves its work, and the next one goes on with it; fresh: true begins anew.',
  together: `Gives two or ${LIMITS.handsMax} tasks that do not depend on each other to Associates who work at the same time. What they may write must not overlap. They land together, or what failed is told.`,
  recipe: `Follows a ready-made recipe. Recipes with their parameters:\n${editRecipeLines().join('\n')}`,
  look: 'Has an Associate look around, and at the desktop in a browser, to answer your question. It changes nothing. For a single file use read.',
  list: 'Lists files below a folder, with their sizes. "" is everything.',
  read: 'Reads a text file, or a part of it by lines, with line numbers that are not part of the file.',
  search:
    'Finds lines by text, or by pattern (a JavaScript regular expression), in the files below a folder, only in those that a glob fits ("**/*.tsx"), with so many lines of context around each.',
  open: 'Opens a window for the person once the run has ended well: app is its id (the folder in app/apps/), title what the app gets, for a document its path.',
  ask: 'Asks the person up to three questions and waits for the answers. Once in a run, and only where you truly cannot choose.',
  undo: 'Takes back what was done last; with count the last few things; with what, in the words of the person, the newest change of that. redo: true, by itself, brings back what was taken back last. It stands alone.',
  restore: 'Puts files and windows back as they were at a checkpoint, by its name. It stands alone.',
  checkpoint: 'Names the state after this run, so that it can be found again.',
  remember: REMEMBER_DESCRIPTION,
}

export const TOOLS: readonly ModelTool[] = (Object.keys(INPUTS) as ToolName[]).map((name) =>
  modelTool(name, DESCRIPTIONS[name], INPUTS[name]),
)

/** Parses what a model gave a tool; a text says what is wrong with it. */
export function parseInput(name: string, given: unknown): { name: ToolName; input: unknown } | string {
  if (!Object.hasOwn(INPUTS, name)) return `there is no tool ${name}`
  if (typeof given === 'string')
    return `the input of ${name} is no JSON; if your answer was cut off at its limit, say it shorter`
  const parsed = INPUTS[name as ToolName].safeParse(given)
  if (parsed.success) return { name: name as ToolName, input: parsed.data }
  const [issue] = parsed.error.issues
  return `${name}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`
}

export interface TaskOptions {
  readonly text: string
  /** Whether what the fast model could not do is given to the strong one. */
  readonly needsStrong: boolean
  newId(): string
}

/** The task that a tool stands for, or what is wrong with it. */
export function taskFor(name: TaskTool, input: unknown, options: TaskOptions): DirectorTask | string {
  const base = { task_id: options.newId(), instruction: options.text }
  switch (name) {
    case 'edit':
      return editTask(input as Edit, options)
    case 'recipe': {
      const { name: recipe, parameters } = input as ToolInput<'recipe'>
      const problem = wishProblem({ recipe, parameters })
      const work = findRecipe(recipe)?.work
      if (problem !== null || work === undefined) return problem ?? 'there is no such recipe'
      if (work.kind !== 'edit') return `${recipe} changes no files: answer by yourself, or use another tool`
      return DirectorTask.parse({
        ...base,
        kind: 'edit_repo',
        recipes: [{ name: recipe, parameters }],
        write_scope: [...work.scope],
        allowed_tools: ['recipe'],
      })
    }
    case 'look': {
      const { question } = input as ToolInput<'look'>
      const tools = ['read', 'list', 'search', 'see']
      return DirectorTask.parse({
        ...base,
        kind: 'inspect',
        instruction: question,
        write_scope: [],
        allowed_tools: tools,
        model_tier: 'fast',
      })
    }
    case 'undo':
    case 'restore': {
      const { what, count, redo, checkpoint } = input as ToolInput<'undo'> & Partial<ToolInput<'restore'>>
      if (redo === true && (what ?? count) !== undefined) return 'redo stands alone: give neither what nor count'
      const action = redo === true ? 'redo' : name
      const parameters = {
        ...(what === undefined ? {} : { what }),
        ...(count === undefined ? {} : { count }),
        ...(checkpoint === undefined ? {} : { name: checkpoint }),
      }
      return DirectorTask.parse({
        ...base,
        kind: 'git',
        git_action: action,
        recipes: [{ name: action, parameters }],
        write_scope: [],
      })
    }
  }
}

/** The time that its tools may take; a mood may give less, and the run has a clock of its own. */
const TOOL_SECONDS = 1800

export function editTask(edit: Edit, { newId, needsStrong }: TaskOptions): DirectorTask {
  const { instruction, done_when: criteria = [], may_write: may = ['app/'], small = false, fresh = false } = edit
  return DirectorTask.parse({
    task_id: newId(),
    kind: 'edit_repo',
    instruction,
    acceptance_criteria: criteria,
    write_scope: [...new Set(may.flatMap(scopeOf))],
    model_tier: small && !needsStrong ? 'fast' : 'strong',
    time_budget_s: TOOL_SECONDS,
    fresh,
  })
}

/** The same path as the tree has it: from its root, and a pattern for all that is in a folder is that folder. */
function plainPart(part: string): string {
  return part
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/(?:\/\*{1,2})+$/, '/')
    .replace(/\/+$/, '/')
}

function scopeProblem(part: string): string | null {
  const plain = plainPart(part)
  const problem = plain.includes('*') ? 'is a pattern' : pathProblem(plain.replace(/\/$/, ''))
  return problem === null ? null : `${shownPath(part)} ${problem}: name folders, such as app/apps/clock/, or files`
}

/**
 * A folder that is named without its slash would be taken for one file, and every write below it refused. A name
 * without an ending may be either, and no path is both.
 */
function scopeOf(part: string): string[] {
  const plain = plainPart(part)
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  if (plain.endsWith('/') || name.includes('.')) return [plain]
  return plain.includes('/') ? [plain, `${plain}/`] : [`${plain}/`]
}
