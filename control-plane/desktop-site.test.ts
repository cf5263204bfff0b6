import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDoor, type Door } from './supervisor.fake.ts'

let door: Door
let host = ''
beforeAll(async () => {
  door = await openDoor()
  ;({ host } = await door.signIn())
})
afterAll(() => door.close())

let seen: IncomingHttpHeaders = {}
let type = 'text/html'
let body = ''
beforeEach(() => {
  ;[type, body] = ['text/html', '<!doctype html><html><head><title>x</title></head><body></body></html>']
  door.standIn.desk = (request, response) => {
    seen = request.headers
    response
      .writeHead(200, {
        'content-type': type,
        'content-security-policy': 'default-src *',
        'set-cookie': 'a=b',
        'x-of-vite': 'yes',
      })
      .end(body)
  }
})
const get = (path: string, headers: Record<string, string> = {}) => door.ask(path, { host, headers })
const policyOf = (headers: IncomingHttpHeaders) => String(headers['content-security-policy'])

describe('what Vite serves', () => {
  test('comes under our policy, with a nonce of its own for each page, and with no header of Vite’s', async () => {
    const [one, two] = [await get('/'), await get('/')]
    expect(policyOf(one.headers)).toContain("connect-src 'self'")
    expect(policyOf(one.headers)).toContain(`frame-ancestors http://localhost:${door.port}`)
    expect(policyOf(one.headers)).not.toContain("'unsafe-inline' 'unsafe-eval'")
    const nonceOf = (headers: IncomingHttpHeaders) => /'nonce-([\w-]+)'/.exec(policyOf(headers))?.[1]
    expect(nonceOf(one.headers)).not.toBe(nonceOf(two.headers))
    expect([one.headers['set-cookie'], one.headers['x-of-vite'], one.headers['connection-allowlist']]).toEqual([
      undefined,
      undefined,
      '(response-origin)',
    ])
  })

  test('has our script before any other, wherever the page puts those', async () => {
    const first = async (page: string) => {
      body = page
      return (await get('/')).text
    }
    expect(await first('<!doctype html><html><head><script>1</script></head></html>')).toMatch(
      /<head><script src="\/choir\/probe.js"><\/script><script nonce="[\w-]+">1/,
    )
    expect(await first('<!doctype html><script>1</script>')).toMatch(/^<!doctype html><script src="\/choir\/probe.js">/)
    expect(await first('<script>1</script>')).toMatch(/^<script src="\/choir\/probe.js">/)
  })

  test('holds no frame of its own', async () => {
    body = '<iframe src="//x"></iframe><OBJECT data=x></OBJECT><embed\n><frameset></frameset>'
    expect((await get('/')).text).not.toMatch(/<(iframe|object|embed|frameset)\b/i)
  })

  test('that is no page is never shown as one, and a worker lives under our policy', async () => {
    ;[type, body] = ['image/svg+xml', '<svg/>']
    expect(policyOf((await get('/a.svg')).headers)).toContain('sandbox;')
    expect(await get('/a.svg', { 'sec-fetch-dest': 'iframe' })).toMatchObject({
      status: 303,
      headers: { location: '/' },
    })
    type = 'text/javascript'
    expect(policyOf((await get('/w.js', { 'sec-fetch-dest': 'worker' })).headers)).toMatch(/^default-src 'self'/)
  })

  test('is told nothing of cookies and rights', async () => {
    await get('/', { cookie: 'choir=secret', authorization: 'Bearer x', accept: 'a/b' })
    expect([seen.cookie, seen.authorization, seen.accept]).toEqual([undefined, undefined, 'a/b'])
  })

  test('is only read, has no service worker, and is not opened by itself', async () => {
    expect((await door.ask('/', { host, method: 'POST' })).status).toBe(403)
    expect((await get('/sw.js', { 'service-worker': 'script' })).status).toBe(403)
    expect(await get('/', { 'sec-fetch-dest': 'document' })).toMatchObject({
      status: 303,
      headers: { location: `http://localhost:${door.port}/` },
    })
    expect((await get('/choir/other')).status).toBe(400)
  })
})

describe('what a desktop asks of its computer', () => {
  const command = (sent: unknown, origin = `http://${host}`) =>
    door.ask('/choir/command', { host, method: 'POST', headers: { origin }, body: JSON.stringify(sent) })

  test('is asked as the desktop, of its own computer, whatever it says', async () => {
    await command({ command: 'computer.list', input: {} })
    expect(door.standIn.asked.at(-1)).toMatchObject({
      headers: { 'choir-caller': 'desktop', 'choir-user': 'alice' },
      body: { computer: 'c1' },
    })
    for (const more of [{ computer: 'c2' }, { user: 'bob' }, { caller: 'frame' }])
      expect((await command({ command: 'computer.list', input: {}, ...more })).status).toBe(400)
    expect((await command({ command: 'computer.list', input: {} }, 'http://evil.example')).status).toBe(403)
  })

  test('gives files as bytes, never as a page', async () => {
    door.standIn.route = (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>1</script>')
    const { headers } = await get('/choir/file?path=a.html&computer=c2&after=1')
    expect([headers['content-type'], policyOf(headers).startsWith('sandbox;')]).toEqual([
      'application/octet-stream',
      true,
    ])
    expect(door.standIn.asked.at(-1)?.route).toBe('/file?path=a.html&computer=c1')
  })
})
