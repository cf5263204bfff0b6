import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { checkOrigin, isPage, parseJson, pathAsked, readBody, sendError, sendWaitingPage } from './answer.ts'

const OWN = 'http://localhost:4000'
const asked = (request: Partial<IncomingMessage>) => ({ headers: {}, ...request }) as IncomingMessage

test('only a path that can be read is asked for', () => {
  for (const url of ['/', '/a%20b?c=d', '/%E2%82%AC', '/a//b']) expect(pathAsked(asked({ url }), OWN).origin).toBe(OWN)
  for (const url of ['', '*', 'http://evil.example/', '//evil.example/x', '/\\evil.example', '/%', '/%ff', '/a%00b'])
    expect(() => pathAsked(asked({ url }), OWN)).toThrow('this address cannot be read')
})

test('a request that does not say it comes from this very site is refused', () => {
  expect(() => checkOrigin(asked({ headers: { origin: OWN } }), OWN)).not.toThrow()
  for (const origin of [
    undefined,
    'null',
    'http://localhost:4001',
    'https://localhost:4000',
    'http://x.localhost:4000',
    `${OWN}/`,
  ])
    expect(() => checkOrigin(asked({ headers: origin === undefined ? {} : { origin } }), OWN)).toThrow(
      'comes from another site',
    )
})

test('a body over its limit ends the reading and not the connection', async () => {
  const request = Readable.from([Buffer.alloc(10), Buffer.alloc(10)])
  await expect(readBody(request as unknown as IncomingMessage, 15)).rejects.toMatchObject({ code: 'file.too-large' })
  expect(request.destroyed).toBe(false)
  expect(() => parseJson('{')).toThrow('not JSON')
})

test('a page is what a person opens, not what a script asks for', () => {
  expect(isPage(asked({ method: 'GET', headers: { accept: 'text/html,*/*' } }))).toBe(true)
  expect([
    isPage(asked({ method: 'POST', headers: { accept: 'text/html' } })),
    isPage(asked({ method: 'GET', headers: { accept: '*/*' } })),
  ]).toEqual([false, false])
})

function sent() {
  const seen = { status: 0, headers: {} as Record<string, unknown>, body: '', destroyed: false }
  const response = {
    headersSent: false,
    writeHead: (status: number, headers: Record<string, unknown>) => (
      Object.assign(seen, { status, headers }),
      response
    ),
    end: (body: string) => void (seen.body = body),
    destroy: () => void (seen.destroyed = true),
  }
  return { seen, response }
}

test('what nobody foresaw is told without its details; an answer that has begun is cut off', () => {
  const { seen, response } = sent()
  sendError(response as unknown as ServerResponse, new Error('secret of the inside'))
  expect([seen.status, seen.body.includes('secret'), seen.headers['cache-control']]).toEqual([500, false, 'no-store'])
  response.headersSent = true
  sendError(response as unknown as ServerResponse, new Error('x'))
  expect(seen.destroyed).toBe(true)
})

test('words of others cannot become markup on the waiting page', () => {
  const { seen, response } = sent()
  sendWaitingPage(response as unknown as ServerResponse, '<script>alert("x")</script>&')
  expect(seen).toMatchObject({ status: 503, headers: { refresh: '2' } })
  expect(seen.body).not.toContain('<script>')
})
