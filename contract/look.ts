import { z } from 'zod'
import { LIMITS } from './limits.ts'

/** What somebody does in a page, by the names that a screen reader would say. */
export const LookStep = z.union([
  z.strictObject({ click: z.string().max(200), role: z.string().max(40).optional() }),
  z.strictObject({ type: z.string().max(2000) }),
  z.strictObject({ press: z.string().max(40) }),
  /** So many milliseconds; with `for` only until something is there that is called so, or says so. */
  z.strictObject({
    wait: z.number().int().min(1).max(LIMITS.lookWaitMsMax),
    for: z.string().min(1).max(200).optional(),
    role: z.string().max(40).optional(),
  }),
])
export type LookStep = z.infer<typeof LookStep>

const side = z.number().int().min(320).max(2000)

/** What to look at, and how; asked by an Associate of its stage, by a reviewer of a tree. */
export const LookRequest = z.strictObject({
  /** An app whose window is opened; without it: the desktop as it is without windows. */
  app: z.string().min(1).max(LIMITS.appNameCharsMax).optional(),
  width: side.default(1280),
  height: side.default(800),
  /** Without it: as the person has set it. */
  theme: z.enum(['dark', 'light']).optional(),
  /** The picture shows the app's window alone, not the desktop around it. */
  close: z.boolean().default(false),
  steps: z.array(LookStep).max(LIMITS.lookStepsMax).default([]),
})
export type LookRequest = z.infer<typeof LookRequest>
/** As it is asked for: what is left out has a usual value. */
export type LookInput = z.input<typeof LookRequest>

/** For a step besides what is waited for: to find its place, to do it, to see that the page is still. */
const STEP_MS = 1000
/** To start the browser on a busy machine, to open the page and to tell what is there, or to give up one that hangs. */
const LOOK_MS = 30_000

/**
 * How long the steps of one look may take together. Whoever does them begins none after that, so that what was seen is
 * told even where a page makes each of them slow.
 */
export function stepsMs(steps: readonly LookStep[]): number {
  if (steps.length === 0) return 0
  const waits = steps.reduce((sum, step) => sum + ('wait' in step ? step.wait : 0), 0)
  return LIMITS.lookStillMsMax + Math.min(waits, LIMITS.lookWaitMsMax) + steps.length * STEP_MS
}

/**
 * How long whoever asked for a look waits for the answer. A time of its own on either side would give up what the other
 * side is still allowed to do.
 */
export function lookMs({ steps }: LookRequest): number {
  return LOOK_MS + stepsMs(steps)
}

/** A picture as it comes out of a sandbox. Whoever gets it checks its size and its first bytes, and decodes nothing. */
export const SentPicture = z.strictObject({
  base64: z.base64().max(LIMITS.pictureBase64Max),
  width: z.number().int().min(1).max(2000),
  height: z.number().int().min(1).max(2000),
})
export type SentPicture = z.infer<typeof SentPicture>

const line = z.string().max(1000)

/** Something that is wrong, and where in the source. */
const Finding = z.strictObject({
  message: line,
  places: z.array(z.strictObject({ path: line, line: z.number().int(), name: line })).max(LIMITS.lookPlacesMax),
})
export type Finding = z.infer<typeof Finding>

/** What was seen. The code that is looked at runs meanwhile: it is that code's own word. */
export const Seen = z.strictObject({
  findings: z.array(Finding).max(LIMITS.lookFindingsMax),
  /** What a screen reader would find, a line each. */
  outline: z.string().max(LIMITS.lookOutlineCharsMax),
  /** What the page wrote to its console, a line each. */
  console: z.array(line).max(LIMITS.lookConsoleMax),
  picture: SentPicture.nullable(),
  /** What steps did that whoever asked for them may not expect, a line each. */
  notes: z.array(line).max(LIMITS.lookStepsMax),
  /** A step that could not be done, and why. */
  stopped: line.nullable(),
})
export type Seen = z.infer<typeof Seen>

/** The answer of the program that looks, one line of JSON for each request. */
export const LookAnswer = z.union([z.strictObject({ seen: Seen }), z.strictObject({ error: z.string().max(2000) })])
export type LookAnswer = z.infer<typeof LookAnswer>
