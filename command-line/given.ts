import { ChoirError } from '@choiros/contract/error.ts'
import { Seq } from '@choiros/contract/ids.ts'
import { issueText } from '@choiros/contract/issue.ts'
import { TreePath } from '@choiros/contract/path.ts'

interface Schema<Value> {
  safeParse(
    text: unknown,
    options: { reportInput: true },
  ): { success: true; data: Value } | { success: false; error: { issues: Parameters<typeof issueText>[0][] } }
}

/** A text that a schema refuses is the person's mistake: say what is wrong with it. */
export function given<Value>(
  schema: Schema<Value>,
  text: unknown,
  code: 'path.invalid' | 'request.invalid' = 'request.invalid',
): Value {
  const parsed = schema.safeParse(text, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new ChoirError(code, issueText(parsed.error.issues[0]))
}

export const toPath = (text: string | undefined): TreePath => given(TreePath, text?.replace(/\/$/, ''), 'path.invalid')

export function toSeq(text: string | undefined, what: string): Seq | null {
  if (text === undefined) return null
  const parsed = /^\d{1,15}$/.test(text) ? Seq.safeParse(Number(text)) : null
  if (parsed?.success !== true)
    throw new ChoirError(
      'request.invalid',
      `${what} must be the number of an event, not ${JSON.stringify(text.slice(0, 40))}`,
    )
  return parsed.data
}
