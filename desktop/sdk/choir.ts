import type { Commands, Operation } from './contract.ts'

/**
 * The desktop's way to its computer. Everything a desktop may do goes through here; the supervisor refuses the rest.
 */
export interface ChoirFailure extends Error {
  readonly code: string
  readonly details: Record<string, unknown>
}

interface Answer<Result> {
  readonly result?: Result
  readonly error?: { code: string; message: string; details: Record<string, unknown> }
}

/** `last`: the page is about to close; the browser then finishes the request without it. */
export async function run<Name extends keyof Commands>(
  command: Name,
  input: Commands[Name]['input'],
  { last = false } = {},
): Promise<Commands[Name]['output']> {
  const answer = await send<Answer<Commands[Name]['output']>>('/choir/command', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command, input }),
    keepalive: last,
  })
  if (answer.error !== undefined)
    throw Object.assign(new Error(answer.error.message), { code: answer.error.code, details: answer.error.details })
  return answer.result as Commands[Name]['output']
}

/** The last line of an answer. A computer that is restarting answers nothing that can be parsed. */
async function send<Body>(address: string, init: RequestInit): Promise<Body> {
  try {
    const text = await (await fetch(address, init)).text()
    return JSON.parse(text.trim().split('\n').at(-1) ?? '') as Body
  } catch (cause) {
    throw new Error('your computer is not answering', { cause })
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return (error as Partial<ChoirFailure> | null)?.code === code
}

/** A failure as a sentence for a person. */
export function explain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`
}

export function fileAddress(path: string): string {
  return `/choir/file?path=${encodeURIComponent(path)}`
}

export async function readText(path: string): Promise<string> {
  const response = await fetch(fileAddress(path))
  if (!response.ok) throw new Error(`${path} cannot be read`)
  return response.text()
}

export interface Version {
  readonly text: string
  readonly object: string
}

/**
 * A text together with its version: it is read at the event that wrote it, so that a write in between cannot mix two
 * versions. Null: there is no such file.
 */
export async function readVersion(path: string): Promise<Version | null> {
  const found = await run('files.list', { path, at: null }).catch((error: unknown) => {
    if (hasCode(error, 'path.unknown')) return []
    throw error
  })
  const [first] = found
  if (first?.entry.kind !== 'file' || first.entry.object === null) return null
  const response = await fetch(`${fileAddress(path)}&at=${first.seq}`).catch(() => null)
  if (response === null || !response.ok) throw new Error(`${path} cannot be read right now`)
  return { text: decode(path, await response.arrayBuffer()), object: first.entry.object }
}

/** Refuses bytes that are no text: to show them with replacement characters and save that would destroy the file. */
function decode(path: string, bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw Object.assign(
      new Error(`${path} is not text, so it cannot be edited here. Download it from Files.`, { cause }),
      { code: 'file.not-text' },
    )
  }
}

/** Writes a text over the version it is based on, and says which version it became. */
export async function writeText(path: string, text: string, from: string | null, last = false): Promise<string | null> {
  const operation: Operation = { op: 'write', path, content: { text: text.toWellFormed() }, from }
  const { written } = await run('files.change', { operations: [operation] }, { last })
  return written[0] ?? null
}

/** Which version a text becomes when it is written: the hash of its bytes. */
export async function nameOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text.toWellFormed()))
  return new Uint8Array(bytes).reduce((name, byte) => name + byte.toString(16).padStart(2, '0'), '')
}

export function change(...operations: Operation[]): Promise<Commands['files.change']['output']> {
  return run('files.change', { operations })
}

/** Stores bytes of any size, to be named by a change: until then no file holds them. */
export async function storeBytes(file: Blob): Promise<{ object: string; size: number }> {
  const { hash, size, error } = await send<{ hash: string; size: number; error?: { message: string } }>(
    '/choir/object',
    {
      method: 'PUT',
      body: file,
    },
  )
  if (error !== undefined) throw new Error(error.message)
  return { object: hash, size }
}

/** Uploads a file of any size as one change. */
export async function upload(path: string, file: Blob, from: string | null): Promise<void> {
  await change({ op: 'write', path, content: await storeBytes(file), from })
}
