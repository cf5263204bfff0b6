import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSyscalls } from './syscall-client.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'syscalls-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function withServer<Value>(answer: RequestListener, use: (socket: string) => Promise<Value>): Promise<Value> {
  const socket = join(folder, 's')
  const server = createServer(answer).listen(socket)
  await once(server, 'listening')
  try {
    return await use(socket)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const answering =
  (body: string): RequestListener =>
  (_, response) =>
    void response.end(body)
const next = (socket: string) => openSyscalls(socket).call('work.next', {})

test('a call is one POST with its input, and its result is parsed by the contract', async () => {
  let heard = ''
  const listener: RequestListener = (request, response) => {
    request.setEncoding('utf8').on('data', (piece: string) => (heard += piece))
    request.on('end', () => {
      heard += ` ${request.method} ${request.url}`
      response.end('{"result":null}')
    })
  }
  expect(await withServer(listener, next)).toBeNull()
  expect(heard).toBe('{} POST /work.next')
})

test("the supervisor's refusal arrives with its code and words", async () => {
  const body = JSON.stringify({ error: { code: 'syscall.refused', message: 'not now', details: {} } })
  await expect(withServer(answering(body), next)).rejects.toMatchObject({ code: 'syscall.refused', message: 'not now' })
})

test.each(['', 'nonsense', '{}', '{"result":{"run":1}}', '{"error":"x"}', 'null'])(
  'the answer %j is an error, not a crash',
  async (body) => {
    await expect(withServer(answering(body), next)).rejects.toMatchObject({ code: 'request.invalid' })
  },
)

test('an answer that never ends, one that is cut and nobody there are errors, too', async () => {
  const endless: RequestListener = (_, response) => void response.end('x'.repeat(5 * 1024 * 1024))
  const cut: RequestListener = (_, response) => {
    response.write('{"res')
    setTimeout(() => response.destroy(), 20)
  }
  for (const listener of [endless, cut])
    await expect(withServer(listener, next)).rejects.toMatchObject({ code: 'supervisor.unreachable' })
  await expect(next(join(folder, 'nobody'))).rejects.toMatchObject({ code: 'supervisor.unreachable' })
})
