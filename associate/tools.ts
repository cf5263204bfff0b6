import { z } from 'zod'
import type { ModelTool } from '@choiros/contract/models.ts'
import type { Tool } from '@choiros/contract/tasks.ts'
import { recipeViews } from '@choiros/core/recipes/recipes.ts'
import { isInScope } from '@choiros/core/verifier-plan.ts'
import { checkStage, type CheckOptions } from './check.ts'
import { followRecipe } from './follow-recipe.ts'
import { runCommand } from './run-command.ts'
import type { Stage } from './stage-folder.ts'

/** Where tools work. */
export interface Workbench {
  readonly stage: Stage
  /** The SDK's sources, read-only; the model sees them as `sdk/…`. */
  readonly sdk: Stage
  /** The tree that the task started from. */
  readonly base: Stage
  readonly folder: string
  readonly scope: readonly string[]
  readonly verifier: CheckOptions['verifier']
}

interface ToolDefinition<Shape extends z.ZodType = z.ZodType> {
  readonly description: string
  readonly input: Shape
  use(bench: Workbench, input: z.infer<Shape>): Promise<string> | string
}

function define<Shape extends z.ZodType>(definition: ToolDefinition<Shape>): ToolDefinition {
  return definition
}

const OUTPUT_CHARS_MAX = 16_000
const MATCHES_MAX = 100
const SHELL_LIMITS = { wallClockMs: 60_000, outputBytesMax: 64 * 1024 }

const path = z.string().min(1).max(1024)

/**
 * Everything an Associate can do to its stage. What a tool did is read from the stage afterwards; what it reports is
 * not relied on.
 */
const TOOLS: Readonly<Record<Tool, ToolDefinition>> = {
  list: define({
    description:
      'Lists files below a folder, with their sizes. "" is everything; "sdk/" is the SDK that apps are written with.',
    input: z.strictObject({ folder: z.string().max(1024) }),
    use({ stage, sdk }, { folder }) {
      const isSdk = /^sdk(\/|$)/.test(folder)
      const found = isSdk ? sdk.list('').map((one) => `sdk/${one}`) : stage.list(folder)
      return (
        found.map((one) => `${one} (${(isSdk ? sdk.size(one.slice(4)) : stage.size(one)) ?? 0})`).join('\n') ||
        'nothing is there'
      )
    },
  }),
  read: define({
    description: 'Reads a text file, or a part of it by lines.',
    input: z.strictObject({
      path,
      from_line: z.number().int().min(1).optional(),
      lines: z.number().int().min(1).max(2000).optional(),
    }),
    use(bench, { path: file, from_line: from = 1, lines = 400 }) {
      const all = readFrom(bench, file).split('\n')
      const part = all.slice(from - 1, from - 1 + lines)
      const rest = all.length - (from - 1) - part.length
      return `${part.join('\n')}${rest > 0 ? `\n(${rest} more lines)` : ''}`
    },
  }),
  search: define({
    description: 'Finds lines that contain a text, in the files below a folder ("sdk/" for the SDK).',
    input: z.strictObject({ text: z.string().min(1).max(500), folder: z.string().max(1024) }),
    use(bench, { text, folder }) {
      const isSdk = /^sdk(\/|$)/.test(folder)
      const files = isSdk ? bench.sdk.list('').map((one) => `sdk/${one}`) : bench.stage.list(folder)
      const found = files.flatMap(
        (file) =>
          (isSdk ? bench.sdk.read(file.slice(4)) : bench.stage.read(file))
            ?.split('\n')
            .flatMap((line, index) =>
              line.includes(text) ? [`${file}:${index + 1}: ${line.trim().slice(0, 200)}`] : [],
            ) ?? [],
      )
      return found.slice(0, MATCHES_MAX).join('\n') || 'no line contains that'
    },
  }),
  write: define({
    description: 'Writes a whole file. For a change of an existing file prefer edit.',
    input: z.strictObject({ path, text: z.string().max(256 * 1024) }),
    use({ stage, scope }, { path: file, text }) {
      checkScope(scope, file)
      stage.write(file, text)
      return `wrote ${file}`
    },
  }),
  edit: define({
    description: 'Replaces one exact piece of a file by another. The piece must occur exactly once.',
    input: z.strictObject({ path, old: z.string().min(1), new: z.string() }),
    use({ stage, scope }, { path: file, old, new: fresh }) {
      checkScope(scope, file)
      const text = stage.read(file)
      if (text === null) throw new Error(`there is no text file ${file}`)
      const count = text.split(old).length - 1
      if (count !== 1)
        throw new Error(
          count === 0
            ? `the piece to replace is not in ${file}`
            : `the piece occurs ${count} times in ${file}: take a longer one`,
        )
      stage.write(
        file,
        text.replace(old, () => fresh),
      )
      return `changed ${file}`
    },
  }),
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
  shell: define({
    description: 'Runs a shell command in the stage. There is no network.',
    input: z.strictObject({ command: z.string().min(1).max(4000) }),
    async use({ folder }, { command }) {
      const { exit_code: exitCode, log } = await runCommand(['/bin/sh', '-c', command], folder, SHELL_LIMITS)
      return `exit code ${exitCode}\n${log}`
    },
  }),
  check: define({
    description:
      'Runs the checks that your work will be judged by on what you have done so far: types, transform, policy. Use it before you say that you are done.',
    input: z.strictObject({}),
    use: (bench) => checkStage(bench),
  }),
  recipe: define({
    description: `Follows a recipe, which never goes wrong where it fits. Recipes: ${recipeViews()
      .map(({ name, hint }) => `${name} (${hint})`)
      .join('; ')}`,
    input: z.strictObject({
      name: z.string(),
      parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    }),
    use: ({ stage, scope }, { name, parameters }) => followRecipe(stage, scope, name, parameters).summary,
  }),
}

export function modelTools(allowed: readonly Tool[]): ModelTool[] {
  return allowed.map((name) => ({
    name,
    description: TOOLS[name].description,
    input: z.toJSONSchema(TOOLS[name].input, { io: 'input' }) as Record<string, unknown>,
  }))
}

/** A model is also told this when its answer was cut off in the middle of a tool's input. */
function noJson(name: string): string {
  return `the input of ${name} is no JSON. If your answer was cut off at its limit, do it in smaller parts.`
}

/** Uses one tool as a model asked for it. Rejects with words that the model can do something with. */
export async function useTool(bench: Workbench, name: Tool, given: unknown): Promise<string> {
  if (typeof given === 'string') throw new Error(noJson(name))
  const { input, use } = TOOLS[name]
  const parsed = input.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${name}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'its input does not fit'}`)
  }
  const output = await use(bench, parsed.data)
  return output.length > OUTPUT_CHARS_MAX
    ? `${output.slice(0, OUTPUT_CHARS_MAX).toWellFormed()}\n(cut: it was ${output.length} characters)`
    : output
}

function readFrom({ stage, sdk }: Workbench, file: string): string {
  const text = file.startsWith('sdk/') ? sdk.read(file.slice(4)) : stage.read(file)
  if (text === null) throw new Error(`there is no text file ${file}`)
  return text
}

function checkScope(scope: readonly string[], file: string): void {
  if (!isInScope(scope, file)) throw new Error(`${file} is outside of what this task may write: ${scope.join(', ')}`)
}
