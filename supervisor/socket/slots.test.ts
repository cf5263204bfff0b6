import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createSlots } from './slots.ts'

test('[L11] thirty downloads that nobody reads hold no more in memory than is allowed, and one who reads is served', async () => {
  const MIB = 1024 * 1024
  const slots = createSlots(20 * MIB, 100)
  let loaded = 0
  let most = 0
  const server = createServer((_, response) => {
    void slots.send(8 * MIB, response, async () => {
      most = Math.max(most, ++loaded)
      response.once('close', () => loaded--)
      return Buffer.alloc(8 * MIB)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const unread: IncomingMessage[] = []
  for (let count = 0; count < 30; count++)
    get(url, { agent: false }, (response) => unread.push(response.pause())).on('error', () => {})
  await expect.poll(() => unread.length, { timeout: 5000 }).toBeGreaterThan(0)
  const read = await new Promise<number>((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let size = 0
      response.on('data', (piece: Buffer) => (size += piece.length)).on('end', () => resolve(size))
    }).on('error', reject)
  })
  expect([read, most <= 2]).toEqual([8 * MIB, true])
  server.closeAllConnections()
  server.close()
})
