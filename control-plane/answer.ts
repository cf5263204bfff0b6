import type { IncomingMessage, ServerResponse } from 'node:http'
import { ChoirError } from '@choiros/contract/error.ts'
import { HTTP_STATUS, toWireError } from '@choiros/contract/routes.ts'
import { readText } from './supervisor-client.ts'

/** On every answer of both sites: no type is guessed, no address is told to other sites, no device is reached. */
export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-resource-policy': 'same-origin',
} as const

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string | string[]>> = {},
): void {
  response
    .writeHead(status, {
      ...COMMON_HEADERS,
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...headers,
    })
    .end(JSON.stringify(value))
}

export function sendError(response: ServerResponse, error: unknown): void {
  const wire = toWireError(error)
  if (response.headersSent) response.destroy()
  else sendJson(response, HTTP_STATUS[wire.code], { error: wire })
}

/** A page of another site may make the browser send a request here, but it cannot choose this header. */
export function checkOrigin(request: IncomingMessage, own: string): void {
  if (request.headers.origin !== own) throw new ChoirError('request.refused', 'this request comes from another site')
}

/**
 * The path that is asked for. Nothing else is accepted: `//`, `*`, a bad escape or a whole address are mistakes, and
 * would be read as another host's address or fail deep inside.
 */
export function pathAsked(request: IncomingMessage, own: string): URL {
  const target = request.url ?? ''
  const url = /^\/(?![/\\])/.test(target) ? URL.parse(`${own}${target}`) : null
  if (url === null || !isDecodable(url.pathname))
    throw new ChoirError('request.invalid', `this address cannot be read; open ${own}`)
  return url
}

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}

/** A body that is too large ends the reading but not the connection: the sender still gets an answer. */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  return readText(request.iterator({ destroyOnReturn: false }), bytesMax)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ChoirError('request.invalid', 'the request is not JSON', { cause })
  }
}

export function isPage(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.accept?.includes('text/html') === true
}

/** Shown while there is no desktop: it says what is happening and loads again by itself. Undo is in the frame above. */
export function sendWaitingPage(response: ServerResponse, why: string): void {
  const text = why.replaceAll(/[<>&"]/g, ' ')
  response
    .writeHead(503, {
      ...COMMON_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'refresh': '2',
    })
    .end(
      `<!doctype html><html lang="en"><title>Starting</title><body style="display:grid;place-items:center;min-height:90vh;font:15px system-ui;background:#16161a;color:#ece9e2"><p role="status">Your desktop is starting. <small>${text}</small></p></body></html>`,
    )
}
