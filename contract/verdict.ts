import { z } from 'zod'

/** What a verifier found, and where. */
export const Problem = z.strictObject({ path: z.string(), line: z.number().int().nullable(), message: z.string() })
export type Problem = z.infer<typeof Problem>

/** The last line of a verifier's output. Its exit code must agree with it. */
const Verdict = z.object({ ok: z.boolean(), problems: z.array(Problem) })
export type Verdict = z.infer<typeof Verdict>

/** What a verifier said; null where that cannot be read, which never counts as yes. */
export function readVerdict(output: string): Verdict | null {
  try {
    return Verdict.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''))
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
