import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { keepBeating } from './heartbeat.ts'

test('a peer that answers pings stays, one that has fallen silent is cut off', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const join = async (options: { autoPong: boolean }) => {
    const accepted = once(server, 'connection') as Promise<[WebSocket]>
    const peer = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, options)
    peer.on('error', () => {})
    const [own] = await accepted
    keepBeating(own, 100)
    return { peer, own }
  }
  const alive = await join({ autoPong: true })
  const dead = await join({ autoPong: false })
  await once(dead.own, 'close')
  for (let beats = 0; beats < 3; beats++) await once(alive.peer, 'ping')
  expect([alive.own.readyState, dead.own.readyState]).toEqual([WebSocket.OPEN, WebSocket.CLOSED])
  for (const socket of server.clients) socket.terminate()
  server.close()
})
