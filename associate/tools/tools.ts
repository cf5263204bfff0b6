import { z } from 'zod'
import { modelTool } from '@choiros/contract/model-tool.ts'
import type { ModelTool } from '@choiros/contract/models.ts'
import type { Tool } from '@choiros/contract/tasks.ts'
import { editRecipeLines } from '@choiros/core/recipes/recipes.ts'
import { checkStage } from './check.ts'
import { diff } from './diff.ts'
import { edit } from './edit.ts'
import { followRecipe } from './follow-recipe.ts'
import { plan } from './plan.ts'
import { note } from './note.ts'
import { list, path, read } from './read.ts'
import { search } from './search.ts'
import { see } from './see.ts'
import { shell } from './shell.ts'
import { checkScope, define, type ToolDefinition, type ToolOutput, type Workbench } from './tool.ts'

const OUTPUT_CHARS_MAX = 32_000

/**
 * Everything an Associate can do to its stage. What a tool did is read from the stage afterwards; what it reports is
 * not relied on.
 */
const TOOLS: Readonly<Record<Tool, ToolDefinition>> = {
  list,
  read,
  search,
  write: define({
    description: 'Writes a whole file. For a change of an existing file prefer edit.',
    input: z.strictObject({ path, text: z.string().max(256 * 1024) }),
    use({ stage, scope }, { path: file, text }) {
      checkScope(scope, file)
      stage.write(file, text)
      return `wrote ${file}`
    },
  }),
  edit,
  delete: define({
    description: 'Deletes a file.',
    input: z.strictObject({ path }),
    use({ stage, scope }, { path: file }) {
      checkScope(scope, file)
      if (stage.size(file) === null) throw new Error(`there is no file ${file}`)
      stage.remove(file)
      return `deleted ${file}`
    },
  }),
  shell,
  see,
  diff,
  plan,
  note,
  check: define({
    description:
      'Runs the checks that your work will be judged by on what you have done so far: scope, transform, types, policy, render, and the tests (*.test.ts) beside what you changed. Use it before you say that you are done.',
    input: z.strictObject({}),
    use: (bench) => checkStage(bench),
  }),
  recipe: define({
    description: `Follows a recipe, which never goes wrong where it fits. Recipes with their parameters:\n${editRecipeLines().join('\n')}`,
    input: z.strictObject({
      name: z.string(),
      parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    }),
    use: ({ stage, scope }, { name, parameters }) => followRecipe(stage, scope, name, parameters).summary,
  }),
}

export function modelTools(allowed: readonly Tool[]): ModelTool[] {
  return allowed.map((name) => modelTool(name, TOOLS[name].description, TOOLS[name].input))
}

/** A model is also told this when its answer was cut off in the middle of a tool's input. */
function noJson(name: string): string {
  return `the input of ${name} is no JSON. If your answer was cut off at its limit, do it in smaller parts.`
}

/** Uses one tool as a model asked for it. Rejects with words that the model can do something with. */
export async function useTool(bench: Workbench, name: Tool, given: unknown): Promise<ToolOutput> {
  if (typeof given === 'string') throw new Error(noJson(name))
  const { input, use } = TOOLS[name]
  const parsed = input.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${name}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'its input does not fit'}`)
  }
  const output = await use(bench, parsed.data)
  const { text, pictures } = typeof output === 'string' ? { text: output, pictures: [] } : output
  if (text.length <= OUTPUT_CHARS_MAX) return { text, pictures }
  const kept = bench.outputs.keep(text)
  const shown = text.slice(0, OUTPUT_CHARS_MAX).toWellFormed()
  return { text: `${shown}\n(cut: it was ${text.length} characters; all of it is in ${kept})`, pictures }
}
