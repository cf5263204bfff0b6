/** Sends a command as the frame, and returns its result or throws what was wrong, in words and with its code. */
export async function run<Result = unknown>(command: string, input: unknown): Promise<Result> {
  const response = await fetch('/command', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command, input }),
  })
  const lines = (await response.text()).trim().split('\n') // Progress comes before the answer.
  const answer = JSON.parse(lines.at(-1) ?? '{}') as { result?: Result; error?: { code: string; message: string } }
  if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
  return answer.result as Result
}
