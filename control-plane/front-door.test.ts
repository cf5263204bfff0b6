import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readText } from './supervisor-client.ts'
import { openDoor, type Door } from './supervisor.fake.ts'

let door: Door
let host = ''
let cookie = ''
beforeAll(async () => {
  door = await openDoor()
  ;({ host, cookie } = await door.signIn())
})
afterAll(() => door.close())

/** The first line of the answer to a handshake. */
async function handshake(path: string, headers: Record<string, string>): Promise<string> {
  const socket = connect(door.port, '127.0.0.1')
  const lines = Object.entries({
    'connection': 'upgrade',
    'upgrade': 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'eHh4eHh4eHh4eHh4eHh4eA==',
    ...headers,
  })
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`)
  socket.setTimeout(1000, () => socket.destroy())
  return (await readText(socket).catch(() => '')).split('\r\n')[0] ?? ''
}

describe('which site is asked', () => {
  test('the frame under its own name, a desktop under the name it was given, nobody under others', async () => {
    expect((await door.ask('/health')).status).toBe(200)
    door.standIn.desk = (_, response) => void response.writeHead(200, { 'content-type': 'text/css' }).end('a{}')
    expect((await door.ask('/a.css', { host })).text).toBe('a{}')
    const { port } = door
    for (const other of [
      '',
      `127.0.0.1:${port}`,
      `evil.example:${port}`,
      `localhost:${port + 1}`,
      `x.localhost:${port}`,
      `.localhost:${port}`,
      `${host}.evil.example`,
    ])
      expect([other, (await door.ask('/health', { host: other })).status]).toEqual([other, 401])
  })

  test('the frame’s cookie opens no desktop, and the desktop’s name no frame', async () => {
    expect((await door.ask('/rescue', { host, headers: { cookie } })).text).not.toContain('Rescue')
    expect((await door.ask('/computer')).status).toBe(401)
    expect((await door.ask('/computer', { headers: { cookie } })).text).toBe('{"computer":"c1"}')
  })
})

test('a handshake from another site is refused on both sites', async () => {
  const own = `localhost:${door.port}`
  for (const origin of ['http://evil.example', `http://${host}`, ''])
    expect(await handshake('/events', { host: own, origin, cookie })).toBe('HTTP/1.1 403 refused')
  for (const origin of ['http://evil.example', `http://${own}`])
    expect(await handshake('/choir/events', { host, origin })).toBe('HTTP/1.1 403 refused')
  expect(await handshake('/events', { host: own, origin: `http://${own}` })).toBe('HTTP/1.1 401 refused')
})

test('while the supervisor is away a page waits and comes back by itself; a script is told', async () => {
  const away = await openDoor()
  const { host: gone } = await away.signIn()
  await away.standIn.close()
  const page = await away.ask('/', { host: gone, headers: { accept: 'text/html' } })
  expect([page.status, page.headers['refresh']]).toEqual([503, '2'])
  const script = await away.ask('/main.tsx', { host: gone })
  expect([script.status, (JSON.parse(script.text) as { error: { code: string } }).error.code]).toEqual([
    503,
    'supervisor.unreachable',
  ])
  expect(away.warned).toEqual([])
  await away.close()
})
