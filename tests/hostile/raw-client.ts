import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as httpRequest, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { GATEWAY_TOKEN_NAME, SOCKET_NAME, TOKEN_NAME } from '@choiros/contract/home-folder.ts'
import { CALLER_HEADER, CONTRACT_HEADER, CONTRACT_VERSION, USER_HEADER } from '@choiros/contract/routes.ts'

export interface RawAnswer {
  readonly status: number
  readonly text: string
  /** The code of the refusal, or null if it is none. */
  readonly code: string | null
}

export function tokenHeaders(home: string): OutgoingHttpHeaders {
  return {
    authorization: `Bearer ${readFileSync(join(home, TOKEN_NAME), 'utf8')}`,
    [CONTRACT_HEADER]: String(CONTRACT_VERSION),
  }
}

/** As the gateway speaks for a page. */
export function gatewayHeaders(home: string, caller: string, user: string): OutgoingHttpHeaders {
  const token = readFileSync(join(home, 'keys', GATEWAY_TOKEN_NAME), 'utf8')
  return {
    authorization: `Bearer ${token}`,
    [CONTRACT_HEADER]: String(CONTRACT_VERSION),
    [CALLER_HEADER]: caller,
    [USER_HEADER]: user,
  }
}

export function start(
  home: string,
  method: string,
  path: string,
  headers: OutgoingHttpHeaders = tokenHeaders(home),
): ClientRequest {
  return httpRequest({ socketPath: join(home, SOCKET_NAME), method, path, headers, agent: false })
}

export async function ask(
  home: string,
  method: string,
  path: string,
  body: Buffer | string = '',
  headers: OutgoingHttpHeaders = tokenHeaders(home),
): Promise<RawAnswer> {
  const outgoing = start(home, method, path, headers)
  outgoing.end(body)
  return answerOf(outgoing)
}

export async function answerOf(outgoing: ClientRequest): Promise<RawAnswer> {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString('utf8')
  return { status: response.statusCode ?? 0, text, code: codeIn(text) }
}

function codeIn(text: string): string | null {
  try {
    const last = JSON.parse(text.trim().split('\n').at(-1) ?? '') as { error?: { code: string } }
    return last.error?.code ?? null
  } catch {
    return null
  }
}

/** What a command gave, progress left out. */
export const resultOf = ({ text }: RawAnswer): unknown =>
  (JSON.parse(text.trim().split('\n').at(-1) ?? '') as { result: unknown }).result

export function command(
  home: string,
  name: string,
  input: unknown,
  computer: string | null = null,
): Promise<RawAnswer> {
  return ask(home, 'POST', '/command', JSON.stringify({ user: null, computer, command: name, input }))
}

export const connectRaw = (home: string): Socket => connect(join(home, SOCKET_NAME)).on('error', () => {})
