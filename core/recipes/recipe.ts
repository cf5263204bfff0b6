import type { Wish } from '@choiros/contract/events/talk.ts'
import type { RecipeField } from '@choiros/contract/commands/runs.ts'
import type { GitAction } from '@choiros/contract/tasks.ts'
import type { z } from 'zod'
import type { Intent } from './intent.ts'

/** What a recipe may see: the tree it changes, and the parts that new apps and widgets are made of. */
export interface RecipeFiles {
  /** The text of a file, or null where there is none. */
  read(path: string): string | null
  /** Every file below a folder, by its whole path. */
  list(folder: string): readonly string[]
  /**
   * The files of a part, such as `apps/todo`; their paths are relative to the part. Empty where there is no such part.
   */
  part(name: string): readonly PartFile[]
}

export interface PartFile {
  readonly path: string
  readonly text: string
}

export interface RecipeOutcome {
  readonly writes: readonly { readonly path: string; readonly text: string }[]
  readonly removes: readonly string[]
  /** What was done, for the person. */
  readonly summary: string
  /** What is worth telling but is not part of the deed: Undo names what was done, not where it is now. */
  readonly note: string
  /** Why nothing had to be done, or null. */
  readonly alreadySo: string | null
  /** A missing file that the recipe needs, or null. */
  readonly missing: string | null
}

export type Parameters = Wish['parameters']

/** The kind of work that a recipe asks for, and who does it. */
export type Work =
  /** The Associate writes files, and only those in `scope`. */
  | {
      readonly kind: 'edit'
      readonly scope: readonly string[]
      apply(parameters: Parameters, files: RecipeFiles): RecipeOutcome
    }
  /** The supervisor goes back or forward in the history, which it alone holds. */
  | { readonly kind: 'git'; readonly action: GitAction }
  /** The Associate looks and tells. */
  | { readonly kind: 'inspect' }
  /** The Associate runs commands in its copy of the tree. */
  | { readonly kind: 'run'; readonly commands: readonly (readonly string[])[] }
  /** The Director knows the answer itself. */
  | { readonly kind: 'answer' }
  /** About what is remembered. */
  | { readonly kind: 'memory' }

/** A deterministic, parameterised change that needs no model. */
export interface Recipe {
  readonly name: string
  readonly title: string
  readonly group: string
  readonly hint: string
  readonly example: string
  readonly fields: readonly RecipeField[]
  readonly parameters: z.ZodType
  /** If it is asked for twice in one sentence, only the last time counts: a theme is light or dark. */
  readonly single?: boolean
  readonly intent: Intent
  /** If its intent asks: the whole sentence that an answer means. "Bottom" means "move the taskbar to the bottom". */
  readonly complete?: (said: string) => string
  readonly work: Work
}

/** An edit whose parameters are parsed with the recipe's own shape before it sees them. */
export function edit<Shape extends z.ZodType>(
  shape: Shape,
  scope: readonly string[],
  apply: (parameters: z.infer<Shape>, files: RecipeFiles) => RecipeOutcome,
): Extract<Work, { kind: 'edit' }> {
  return { kind: 'edit', scope, apply: (parameters, files) => apply(shape.parse(withoutBlanks(parameters)), files) }
}

/** A form also sends its empty fields; a blank value counts as not given. */
export function withoutBlanks(parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).filter(([, value]) => typeof value !== 'string' || value.trim() !== ''),
  )
}

const NOTHING = { writes: [], removes: [], summary: '', note: '', alreadySo: null, missing: null }

export function did(
  summary: string,
  writes: RecipeOutcome['writes'],
  removes: readonly string[] = [],
  note = '',
): RecipeOutcome {
  return { ...NOTHING, summary, writes, removes, note }
}

export function alreadySo(sentence: string): RecipeOutcome {
  return { ...NOTHING, summary: sentence, alreadySo: sentence }
}

export function missing(path: string, sentence: string): RecipeOutcome {
  return { ...NOTHING, summary: sentence, missing: path }
}

/**
 * One setting is one file. A file that does not have its proper form counts as not set, so that the recipe repairs it.
 */
export function readSetting(files: RecipeFiles, name: string, key: string): unknown {
  const text = files.read(settingPath(name))
  if (text === null) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && Object.hasOwn(parsed, key)
      ? (parsed as Record<string, unknown>)[key]
      : undefined
  } catch {
    return undefined
  }
}

export function writeSetting(name: string, value: Record<string, unknown>): { path: string; text: string } {
  return { path: settingPath(name), text: `${JSON.stringify(value, null, 2)}\n` }
}

export function settingPath(name: string): string {
  return `artifacts/system/${name}.json`
}
