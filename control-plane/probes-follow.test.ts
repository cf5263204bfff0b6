import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { AFTER_HEADER } from '@choiros/contract/routes.ts'
import { createProbes } from './probes.ts'
import type { Speaker, SupervisorClient } from './supervisor-client.ts'

const AS: Speaker = { caller: 'desktop', user: null, computer: 'c' }

const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach((end) => end()))

/** A supervisor with a long log: it records from where it is followed, and sends what it is told. */
function aSupervisor(head: number) {
  const asked: string[] = []
  let stream = new PassThrough()
  const client: SupervisorClient = {
    run: (async () => ({ pending: null })) as unknown as SupervisorClient['run'],
    async send(_, __, ___, query = {}) {
      asked.push(query['after'] ?? '')
      stream = new PassThrough()
      const after = query['after'] === 'head' ? head : Number(query['after'])
      for (let seq = after + 1; seq <= head; seq++) tell(seq)
      return Object.assign(stream, { headers: { [AFTER_HEADER]: String(after) } }) as unknown as IncomingMessage
    },
    dialDesk: () => Promise.reject(new Error('no desk here')),
  }
  const tell = (seq: number) =>
    void stream.write(`${JSON.stringify({ seq, type: 'run.land', data: { changes: [] } })}\n`)
  return {
    client,
    asked,
    land() {
      tell(++head)
    },
    landUnheard: () => void head++,
    restart: () => stream.end(),
  }
}

async function aPage(client: SupervisorClient) {
  const probes = createProbes(client, Date.now, () => {})
  const server = createServer()
  server.on('upgrade', (request, socket, head) => probes.join(AS, 'label', request, socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const beat = setInterval(() => page.readyState === WebSocket.OPEN && page.send('{"beat":true}'), 200)
  const judged: number[] = []
  page.on('message', (bytes: Buffer) => judged.push((JSON.parse(bytes.toString()) as { judge: number }).judge))
  ends.push(() => {
    clearInterval(beat)
    page.terminate()
    server.close()
  })
  await once(page, 'open')
  return judged
}

test('a page judges what lands from now on, and nothing that landed before, also where the computer was closed', async () => {
  const supervisor = aSupervisor(500)
  const judged = await aPage(supervisor.client)
  await expect.poll(() => supervisor.asked).toEqual(['head'])
  supervisor.land()
  await expect.poll(() => judged).toEqual([501])
})

test('a supervisor that comes back is followed from where it was left: what landed meanwhile is judged, once', async () => {
  const supervisor = aSupervisor(500)
  const judged = await aPage(supervisor.client)
  await expect.poll(() => supervisor.asked.length).toBe(1)
  supervisor.restart()
  supervisor.landUnheard()
  await expect.poll(() => judged, { timeout: 5000 }).toEqual([501])
  supervisor.restart()
  await expect.poll(() => supervisor.asked, { timeout: 5000 }).toEqual(['head', '500', '501'])
  supervisor.land()
  await expect.poll(() => judged).toEqual([501, 502])
})
