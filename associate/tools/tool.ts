import type { z } from 'zod'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Picture } from '@choiros/contract/models.ts'
import { pathProblem, shownPath } from '@choiros/contract/path.ts'
import type { PlanItem } from '@choiros/contract/syscalls.ts'
import { isInScope } from '@choiros/core/verifier-plan.ts'
import type { Stage } from '../stage-folder.ts'
import type { CheckOptions } from './check.ts'
import type { Notes } from './note.ts'
import type { Outputs } from './outputs.ts'
import type { Eyes } from './see.ts'

/** Where tools work. */
export interface Workbench {
  readonly stage: Stage
  /** The SDK's sources, read-only; the model sees them as `sdk/…`. */
  readonly sdk: Stage
  /** The tree that the task started from. */
  readonly base: Stage
  readonly folder: string
  readonly scope: readonly string[]
  /** A command that took longer would end the whole task, and nobody would be told why. */
  readonly commandMsMax: number
  /** What commands have put out, whole; the model sees them as `output/…`. */
  readonly outputs: Outputs
  readonly notes: Notes
  readonly eyes: Eyes
  readonly verifier: CheckOptions['verifier']
  /** Shows the person what is meant to be done. */
  tell(items: PlanItem[]): Promise<unknown>
}

export interface ToolOutput {
  readonly text: string
  readonly pictures: readonly Picture[]
}

export interface ToolDefinition<Shape extends z.ZodType = z.ZodType> {
  readonly description: string
  readonly input: Shape
  use(bench: Workbench, input: z.infer<Shape>): Promise<ToolOutput | string> | ToolOutput | string
}

export function define<Shape extends z.ZodType>(definition: ToolDefinition<Shape>): ToolDefinition {
  return definition
}

const SDK = 'sdk/'
const OUTPUT = 'output/'

/** What a model may read: the stage, the SDK, and the outputs of commands. */
export function readFrom({ stage, sdk, outputs }: Workbench, file: string): string {
  const text = file.startsWith(SDK)
    ? sdk.read(file.slice(SDK.length))
    : file.startsWith(OUTPUT)
      ? outputs.read(file)
      : stage.read(file)
  if (text !== null) return text
  const size = file.startsWith(OUTPUT)
    ? null
    : file.startsWith(SDK)
      ? sdk.size(file.slice(SDK.length))
      : stage.size(file)
  throw new Error(
    size === null
      ? `there is no text file ${file}`
      : `${file} is too large to be read whole (${size} bytes): use shell, with sed or head`,
  )
}

/** The files below a folder, the SDK's below `sdk/`. */
export function listFrom({ stage, sdk, outputs }: Workbench, folder: string): string[] {
  const within = (paths: readonly string[]) =>
    paths.filter((path) => `${path}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
  if (/^sdk(\/|$)/.test(folder)) return within(sdk.list('').map((path) => `${SDK}${path}`))
  if (/^output(\/|$)/.test(folder)) return within(outputs.names())
  return [...stage.list(folder)]
}

export function sizeFrom({ stage, sdk, outputs }: Workbench, file: string): number {
  if (file.startsWith(SDK)) return sdk.size(file.slice(SDK.length)) ?? 0
  return outputs.read(file)?.length ?? stage.size(file) ?? 0
}

/** Throws for what a task may not write, and for what is no path at all: `app/../x` begins as if it were in scope. */
export function checkScope(scope: readonly string[], file: string): void {
  const problem = pathProblem(file)
  if (problem !== null) throw new ChoirError('path.invalid', `the path ${shownPath(file)} ${problem}`)
  if (!isInScope(scope, file))
    throw new ChoirError(
      'request.refused',
      `${shownPath(file)} is outside of what this task may write: ${scope.join(', ')}`,
    )
}
