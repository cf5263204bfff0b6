import type { Commands } from './contract.ts'

/** Sends a command as the frame. Returns its result, or throws an error that has the words and the code. */
export async function run<Name extends keyof Commands>(
  command: Name,
  input: Commands[Name]['input'],
): Promise<Commands[Name]['output']> {
  const response = await fetch('/command', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command, input }),
  })
  const lines = (await response.text()).trim().split('\n') // Progress comes before the answer.
  const answer = JSON.parse(lines.at(-1) ?? '{}') as {
    result?: Commands[Name]['output']
    error?: { code: string; message: string }
  }
  if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
  return answer.result as Commands[Name]['output']
}
