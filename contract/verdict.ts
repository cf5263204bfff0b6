import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { SentPicture } from './look.ts'

/** What a verifier found, and where. */
export const Problem = z.strictObject({ path: z.string(), line: z.number().int().nullable(), message: z.string() })
export type Problem = z.infer<typeof Problem>

/**
 * By what a verifier came to its verdict: by reading the files; or by letting the tree's code run, in a browser,
 * rendered without one, or in Node. What was executed may lie about itself, so such a verdict is the code's own word.
 */
export const VerifierMeans = z.enum(['reading', 'browser', 'server', 'node'])
export type VerifierMeans = z.infer<typeof VerifierMeans>

/**
 * The last line of a verifier's output. Its exit code must agree with it. The tree's code never writes to that output,
 * nor decides on that code: what executes it is a process of its own, with other pipes.
 */
const Verdict = z.object({
  ok: z.boolean(),
  problems: z.array(Problem),
  means: VerifierMeans.default('reading'),
})
export type Verdict = z.infer<typeof Verdict>

/** A picture that a verifier took, on a line of its own before the last. `app` null: the desktop without windows. */
export const VerdictPicture = z.strictObject({
  app: z.string().min(1).max(LIMITS.appNameCharsMax).nullable(),
  picture: SentPicture,
})
export type VerdictPicture = z.infer<typeof VerdictPicture>

/** What a verifier said; null where that cannot be read, which never counts as yes. */
export function readVerdict(output: string): Verdict | null {
  try {
    return Verdict.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''))
  } catch {
    return null
  }
}

const PICTURE_LINE = '{"app":'

/** The pictures among a verifier's output, and the output without them. What does not fit is dropped. */
export function takePictures(output: string): { pictures: VerdictPicture[]; rest: string } {
  const pictures: VerdictPicture[] = []
  const rest = output.split('\n').filter((line) => {
    if (!line.startsWith(PICTURE_LINE)) return true
    const parsed = parsePicture(line)
    if (parsed !== null && pictures.length < LIMITS.picturesPerVerdictMax) pictures.push(parsed)
    return false
  })
  return { pictures, rest: rest.join('\n') }
}

function parsePicture(line: string): VerdictPicture | null {
  try {
    return VerdictPicture.parse(JSON.parse(line))
  } catch {
    return null
  }
}

export function problemWords({ path, line, message }: Problem): string {
  return `${path}${line === null ? '' : `:${line}`}: ${message}`
}

/** The kernel limits the length of one argument. */
const ARGUMENT_BYTES_MAX = 100_000

/** Tells a verifier which paths were touched; without the argument it looks at every file. */
export function touchedArgument(paths: readonly string[]): string[] {
  const text = JSON.stringify(paths)
  return new TextEncoder().encode(text).length > ARGUMENT_BYTES_MAX ? [] : [text]
}
