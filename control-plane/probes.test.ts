import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UserId } from '@choiros/contract/ids.ts'
import { WebSocket } from 'ws'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProbes, type Probes } from './probes.ts'
import { startStandIn, type StandIn } from './supervisor.fake.ts'

const SOON = { timeout: 3000, interval: 20 }
const as = { caller: 'desktop', user: UserId.parse('alice'), computer: 'c1' } as const

let standIn: StandIn
let probes: Probes
let server: ReturnType<typeof createServer>
let events: ServerResponse | null
/** How far the clock is ahead, so that no test has to wait until a page counts as silent. */
let aheadMs = 0

beforeEach(async () => {
  aheadMs = 0
  events = null
  standIn = await startStandIn()
  standIn.answers['health.pages'] = { pending: null }
  standIn.answers['health.report'] = {}
  standIn.route = (_, response) => {
    events = response.writeHead(200)
    events.flushHeaders()
  }
  probes = createProbes(standIn.client, () => Date.now() + aheadMs, () => {}) // prettier-ignore
  server = createServer()
  server.on('upgrade', (request, socket, head) => probes.join(as, (request.url ?? '').slice(1), request, socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  server.close()
  await standIn.close()
})

/** A page that answers as told: `says` is its verdict; null: no answer. */
async function open(label: string, says: boolean | null): Promise<{ socket: WebSocket; judged: object[] }> {
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/${label}`)
  const judged: object[] = []
  socket.on('message', (data: Buffer) => {
    const told = JSON.parse(data.toString()) as { judge?: number }
    judged.push(told)
    if (told.judge !== undefined && says !== null)
      socket.send(JSON.stringify({ land: told.judge, ok: says, why: says ? '' : 'TypeError: x' }))
  })
  await once(socket, 'open')
  return { socket, judged }
}
const land = (seq: number, paths: readonly string[] = []) =>
  events?.write(`${JSON.stringify({ seq, type: 'run.land', data: { changes: paths.map((path) => ({ path })) } })}\n`)
const reports = () => standIn.asked.filter(({ body }) => body.command === 'health.report').map(({ body }) => body.input)
const isFollowed = async () => {
  await expect.poll(() => events !== null, SOON).toBe(true)
}

test('a landing is judged by the pages that are looked at, and told of the paths of the desktop alone', async () => {
  const { judged, socket } = await open('a', true)
  await isFollowed()
  land(8, ['app/shell/x.tsx', 'artifacts/secret.txt'])
  await expect.poll(reports, SOON).toEqual([{ land: 8, ok: true, why: '', stack: '' }])
  expect(judged).toEqual([{ judge: 8, fresh: false, paths: ['app/shell/x.tsx'] }])
  socket.close()
})

test('one bad page is enough, whatever others are still to say', async () => {
  const pages = [await open('a', null), await open('b', false)]
  await isFollowed()
  land(8)
  await expect.poll(reports, SOON).toEqual([{ land: 8, ok: false, why: 'TypeError: x', stack: '' }])
  for (const { socket } of pages) socket.close()
})

test('good it is when all that look say so', async () => {
  const pages = [await open('a', true), await open('b', null)]
  await isFollowed()
  land(8)
  await expect.poll(() => pages.map(({ judged }) => judged.length), SOON).toEqual([1, 1])
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(reports()).toEqual([])
  pages[1]?.socket.send('{"land":8,"ok":true,"why":""}')
  await expect.poll(reports, SOON).toEqual([{ land: 8, ok: true, why: '', stack: '' }])
  for (const { socket } of pages) socket.close()
})

test('a visible page that falls silent over a landing counts as bad where no other is awake', async () => {
  const { socket } = await open('a', null)
  await isFollowed()
  land(8)
  await expect.poll(() => probes.isAlive('a'), SOON).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(reports()).toEqual([])
  aheadMs = 3000
  await expect.poll(reports, SOON).toEqual([{ land: 8, ok: false, why: 'the page stopped answering', stack: '' }])
  expect([probes.isAlive('a'), probes.state('a').broken]).toEqual([false, null])
  aheadMs = 6000
  expect(probes.state('a').broken).toBe('it stopped answering')
  socket.close()
})

test('what a page says of a landing it was not asked about is not heard, and what is no word of ours ends it', async () => {
  const { socket } = await open('a', null)
  await isFollowed()
  socket.send('{"land":99,"ok":true,"why":""}')
  socket.send('{"land":99,"ok":true}')
  const [code] = (await once(socket, 'close')) as [number]
  expect([code, reports()]).toEqual([1008, []])
})

test('a page that opens while a landing waits for its verdict gives it', async () => {
  standIn.answers['health.pages'] = { pending: 5 }
  const { socket, judged } = await open('a', true)
  await expect.poll(reports, SOON).toContainEqual({ land: 5, ok: true, why: '', stack: '' })
  expect(judged[0]).toEqual({ judge: 5, fresh: true, paths: [] })
  socket.close()
})

test('a page that is not looked at is not counted and judges nothing', async () => {
  const { socket, judged } = await open('a', true)
  await isFollowed()
  socket.send('{"visible":false}')
  const counted = () => standIn.asked.filter(({ body }) => body.command === 'health.pages').at(-1)?.body.input
  await expect.poll(counted, SOON).toEqual({ visible: 0 })
  land(8)
  events?.write('{"seq":9,"type":"run.revert","data":{}}\n')
  await expect.poll(() => judged, SOON).toEqual([{ reverted: true }])
  expect(reports()).toEqual([])
  socket.send('{"broken":"no taskbar"}')
  await expect.poll(() => probes.state('a'), SOON).toEqual({ known: true, broken: 'no taskbar' })
  socket.close()
})
