import { z } from 'zod'
import { Wish } from '../events/talk.ts'
import { Hash, QuestionId, RunId } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { TreePath } from '../path.ts'
import { RunDiff } from '../run-diff.ts'
import { RunPictureView } from '../run-picture-view.ts'
import { RunView } from '../run-view.ts'
import { change, type Command, HEAVY, look, page, unicode, wish } from './command.ts'

/** A value that the person is asked for before a recipe is followed; the form consists of these. */
export const RecipeField = z.strictObject({
  name: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'long', 'choice', 'colour', 'number', 'yes']),
  choices: z.array(z.strictObject({ value: z.string(), label: z.string() })),
  /** Shown in an empty field, and used where the person gives no value. */
  fallback: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  required: z.boolean(),
})
export type RecipeField = z.infer<typeof RecipeField>

export const RecipeView = z.strictObject({
  name: z.string(),
  title: z.string(),
  group: z.string(),
  hint: z.string(),
  /** A sentence that would be understood as this recipe. */
  example: z.string(),
  fields: z.array(RecipeField),
})
export type RecipeView = z.infer<typeof RecipeView>

/** Asking for changes, and what becomes of that. */
export const RUNS_COMMANDS = {
  /**
   * Asks for a change in words, or by recipes chosen from the menu. Answers at once; the run is followed by its events.
   */
  'prompt': {
    ...wish,
    input: z.strictObject({
      text: unicode.trim().min(1).max(LIMITS.promptCharsMax),
      wishes: z.array(Wish).max(LIMITS.wishesMax).default([]),
    }),
    output: RunView,
  },
  /**
   * Newest first. `changed`: true gives only runs that changed something, false only the others: answered, failed and
   * open ones. `before`: only runs that were asked for before that event.
   */
  'run.list': {
    ...look,
    input: z.strictObject({ ...page, changed: z.boolean().optional() }),
    output: z.array(RunView),
  },
  'run.get': {
    ...look,
    input: z.strictObject({ run: RunId }),
    output: RunView,
  },
  'run.diff': {
    ...look,
    cost: HEAVY,
    input: z.strictObject({ run: RunId, path: TreePath.nullable() }),
    output: RunDiff,
  },
  /** What the desktop and the touched apps looked like before a run and with it; empty where nobody looked. */
  'run.pictures': {
    ...look,
    input: z.strictObject({ run: RunId }),
    output: z.array(RunPictureView),
  },
  /** One of them. It goes as text in JSON: no browser can take it for a page, whatever its bytes are. */
  'run.picture': {
    ...look,
    input: z.strictObject({ run: RunId, object: Hash }),
    output: z.strictObject({ type: z.literal('image/jpeg'), base64: z.string() }),
  },
  /**
   * Stops one run, or the run at work and all that wait. Nothing of a stopped run that had not landed stays in the
   * files.
   */
  'stop': {
    ...change,
    input: z.strictObject({ run: RunId.nullable() }),
    output: z.strictObject({ stopped: z.array(RunId) }),
  },
  /**
   * Tells the run at work more. Its agents hear it before their next step; a recipe that is being followed cannot hear
   * it.
   */
  'steer': {
    ...wish,
    input: z.strictObject({ run: RunId, text: unicode.trim().min(1).max(LIMITS.promptCharsMax) }),
    output: RunView,
  },
  /** Asks for the same again, beginning with what that run has left behind. */
  'run.continue': {
    ...wish,
    input: z.strictObject({ run: RunId }),
    output: RunView,
  },
  /** Forgets what a run has left behind. */
  'run.drop': {
    ...change,
    input: z.strictObject({ run: RunId }),
    output: RunView,
  },
  /** Answers a run's questions, in their order. An empty answer takes what was offered. */
  'answer': {
    ...change,
    input: z.strictObject({
      run: RunId,
      question: QuestionId,
      answers: z.array(unicode.trim().max(LIMITS.promptCharsMax)).min(1).max(LIMITS.questionsMax),
    }),
    output: RunView,
  },
  'recipe.list': {
    ...look,
    input: z.strictObject({}),
    output: z.array(RecipeView),
  },
} as const satisfies Record<string, Command>
