/** The desktop's way to its computer. Everything a desktop may do goes through here; the supervisor refuses the rest. */
export interface ChoirFailure extends Error {
  readonly code: string
  readonly details: Record<string, unknown>
}

export interface Entry {
  readonly kind: 'file' | 'symlink' | 'folder'
  readonly mode: string
  readonly object: string | null
  readonly size: number
}

export async function run<Result>(command: string, input: unknown): Promise<Result> {
  const response = await fetch('/choir/command', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command, input }),
  })
  const lines = (await response.text()).trim().split('\n')
  const answer = JSON.parse(lines.at(-1) ?? '{}') as { result?: Result; error?: { code: string; message: string; details: Record<string, unknown> } }
  if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), { code: answer.error.code, details: answer.error.details })
  return answer.result as Result
}

export function fileAddress(path: string): string {
  return `/choir/file?path=${encodeURIComponent(path)}`
}

export async function readText(path: string): Promise<string> {
  const response = await fetch(fileAddress(path))
  if (!response.ok) throw new Error(`${path} cannot be read`)
  return response.text()
}

export type Operation =
  | { op: 'write'; path: string; content: { text: string } | { object: string; size: number }; from: string | null; exec?: boolean }
  | { op: 'folder'; path: string }
  | { op: 'remove'; path: string }
  | { op: 'move'; path: string; to: string }

export function change(...operations: Operation[]): Promise<{ seq: number | null }> {
  return run('files.change', { operations })
}

/** Stores a file's bytes, then names them: an upload of any size, told as one change. */
export async function upload(path: string, file: Blob, from: string | null): Promise<void> {
  const response = await fetch('/choir/object', { method: 'PUT', body: file })
  if (!response.ok) throw new Error(`${path} could not be uploaded`)
  const { hash, size } = (await response.json()) as { hash: string; size: number }
  await change({ op: 'write', path, content: { object: hash, size }, from })
}
