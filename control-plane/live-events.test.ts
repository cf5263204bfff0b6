import { once } from 'node:events'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDoor, type Door } from './supervisor.fake.ts'

let door: Door
let host = ''
let cookie = ''
beforeAll(async () => {
  door = await openDoor()
  ;({ host, cookie } = await door.signIn())
})
afterAll(() => door.close())

const join = (after: string) =>
  new WebSocket(`ws://127.0.0.1:${door.port}/events?after=${after}`, {
    headers: { host: `localhost:${door.port}`, cookie },
    origin: `http://localhost:${door.port}`,
  })

test('every event after a point comes once and in order, then as they come; at the end the page is told to come back', async () => {
  door.standIn.route = (_, response) => {
    response.writeHead(200).write('{"seq":3}\n{"se')
    setTimeout(() => response.end('q":4}\n'), 30)
  }
  const socket = join('2')
  const heard: string[] = []
  socket.on('message', (data: Buffer) => heard.push(data.toString()))
  const [code] = (await once(socket, 'close')) as [number]
  expect([heard, code]).toEqual([['{"seq":3}', '{"seq":4}'], 1012])
  expect(door.standIn.asked.at(-1)?.route).toBe('/events?after=2&follow=1&computer=c1')
})

test('from the head on: where that is, the supervisor knows', async () => {
  door.standIn.route = (_, response) => void response.writeHead(200).end()
  await once(join('head'), 'close')
  expect(door.standIn.asked.at(-1)?.route).toBe('/events?after=head&follow=1&computer=c1')
})

test('a page is connected to its computer, or not at all', async () => {
  door.standIn.route = (_, response) => void response.writeHead(503).end('{}')
  const [error] = (await once(join('0'), 'error')) as [Error]
  expect(error.message).toContain('503')
})

test('a page that leaves takes its stream along; one that shouts is cut off', async () => {
  let closed = 0
  door.standIn.route = (_, response) => {
    response.writeHead(200).write('{"seq":1}\n')
    response.on('close', () => closed++)
  }
  const left = join('0')
  await once(left, 'message')
  left.close()
  await expect.poll(() => closed).toBe(1)
  const loud = join('0')
  await once(loud, 'message')
  loud.send('x'.repeat(2000))
  const [code] = (await once(loud, 'close')) as [number]
  expect(code).toBe(1009)
  await expect.poll(() => closed).toBe(2)
})

test('a desktop hears what is being said, the frame does not', async () => {
  door.standIn.route = (_, response) => void response.writeHead(200).end()
  const socket = new WebSocket(`ws://127.0.0.1:${door.port}/choir/events?after=0`, {
    headers: { host },
    origin: `http://${host}`,
  })
  await once(socket, 'close')
  expect(door.standIn.asked.at(-1)).toMatchObject({
    route: '/events?after=0&follow=1&live=1&computer=c1',
    headers: { 'choir-caller': 'desktop' },
  })
})
