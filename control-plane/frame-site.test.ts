import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMPUTER, openDoor, type Door } from './supervisor.fake.ts'

let door: Door
let cookie = ''
let label = ''
beforeAll(async () => {
  door = await openDoor()
  ;({ cookie, label } = await door.signIn())
})
afterAll(() => door.close())

const origin = () => `http://localhost:${door.port}`
const get = (path: string) => door.ask(path, { headers: { cookie } })
const post = (path: string, body = '', headers: Record<string, string> = { origin: origin(), cookie }) =>
  door.ask(path, { method: 'POST', headers, body })

describe('signing in', () => {
  test('gives the same secret in two cookies that no script reads and no other site sends', async () => {
    const { headers } = await post('/sign-in', '{"code":"x"}', { origin: origin() })
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-choir-11111111=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=2592000$/,
      ),
      expect.stringMatching(/^choir-11111111=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/),
    ])
  })

  test('with half a link, or from another site, redeems nothing', async () => {
    const before = door.standIn.asked.length
    for (const body of ['', '{}', '{"code":""}', '{"code":1}', `{"code":"${'x'.repeat(201)}"}`])
      expect((await post('/sign-in', body)).status).toBe(401)
    expect((await post('/sign-in', '{"code":"x"}', { origin: 'http://evil.example' })).status).toBe(403)
    expect(door.standIn.asked.length).toBe(before)
  })

  test('again in the same browser is the same sign-in', async () => {
    expect((await post('/sign-in', '{"code":"x"}')).headers['set-cookie']).toBeUndefined()
  })
})

describe('pages', () => {
  test('frame nobody but the desktop that belongs to the sign-in, and are framed by nobody', async () => {
    const { headers } = await get('/')
    expect(headers['content-security-policy']).toContain(`frame-src http://${label}.localhost:${door.port};`)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    for (const path of ['/model', '/storage', '/rescue', '/sign-in'])
      expect([path, String((await get(path)).headers['content-security-policy']).includes("frame-src 'none'")]).toEqual(
        [path, true],
      )
  })

  test('wear what the desktop wears', async () => {
    for (const [theme, text] of [
      ['light', '{"theme":"light"}'],
      ['dark', '{}'],
    ] as const) {
      // prettier-ignore
      door.standIn.route = (_, response) => void response.end(text)
      expect((await get('/look')).text).toBe(JSON.stringify({ theme }))
    }
  })

  test('of a computer that lost something lead to the rescue page', async () => {
    door.standIn.route = (_, response) => void response.writeHead(500).end('{"error":{"code":"log.truncated"}}')
    expect(await get('/')).toMatchObject({ status: 303, headers: { location: '/rescue' } })
    door.standIn.route = (_, response) => void response.writeHead(404).end('{}')
    expect((await get('/')).status).toBe(200)
  })

  test('without a session are not there, but for signing in', async () => {
    for (const path of ['/frame.ts', '/frame.css', '/sign-in.ts', '/icon.svg', '/model', '/export', '/look'])
      expect([path, (await door.ask(path)).status]).toEqual([
        path,
        ['/frame.css', '/sign-in.ts', '/icon.svg'].includes(path) ? 200 : 401,
      ])
    for (const path of ['/probe.ts', '/keep-inside.ts', '/frame.test.ts', '/../main.ts', '/frame-site.ts'])
      expect([path, (await get(path)).status]).toEqual([path, 400])
  })
})

describe('what the frame asks', () => {
  test('is asked as the frame, of the person’s own computer, from this site alone', async () => {
    await post('/command', '{"command":"computer.list","input":{}}')
    expect(door.standIn.asked.at(-1)).toMatchObject({
      headers: { 'choir-caller': 'frame', 'choir-user': 'alice' },
      body: { computer: 'c1' },
    })
    for (const path of ['/command', '/computer', '/desktop/revive', '/rescue/undo', '/sign-out'])
      expect([
        path,
        (await post(path, '{}', { origin: `http://${label}.localhost:${door.port}`, cookie })).status,
      ]).toEqual([path, 403])
  })

  test('an export is a file to keep; where there is none the error is no file', async () => {
    door.standIn.route = (_, response) => void response.end('bytes')
    expect((await get('/export?rescue=1')).headers['content-disposition']).toBe('attachment; filename="computer.choir"')
    expect(door.standIn.asked.at(-1)?.route).toBe('/export?rescue=1&computer=c1')
    door.standIn.route = (_, response) => void response.writeHead(409).end('{}')
    const { status, headers } = await get('/export')
    expect([status, headers['content-disposition']]).toEqual([409, undefined])
  })

  test('rescue does what it knows and says what came of it, as text', async () => {
    expect((await post('/rescue/format-the-disk')).status).toBe(400)
    door.standIn.answers['undo'] = { target: { title: '<b>bold</b>' } }
    expect((await post('/rescue/undo')).text).toContain('Took back: &lt;b&gt;bold&lt;/b&gt;')
    door.standIn.answers['undo'] = { error: { code: 'undo.conflict', message: 'a file is in the way', details: {} } }
    expect((await post('/rescue/undo')).text).toContain('a file is in the way')
  })
})

test('another computer is looked at under another name, and only one’s own', async () => {
  const own = await door.signIn()
  const choose = (computer: string) =>
    post('/computer', JSON.stringify({ computer }), { origin: origin(), cookie: own.cookie })
  expect((await choose('c9')).status).toBe(404)
  door.standIn.answers['computer.list'] = [COMPUTER, { ...COMPUTER, id: 'c2', name: 'second' }]
  expect((await choose('c2')).text).toBe('{"computer":"c2"}')
  expect((await door.ask('/a.css', { host: own.host })).status).toBe(401)
  const { text } = await door.ask('/', { headers: { cookie: own.cookie } })
  expect(text).not.toContain(own.label)
})

test('a desktop that is not heard of gets another name; signing out ends both', async () => {
  const own = await door.signIn()
  const as = { origin: origin(), cookie: own.cookie }
  expect((await post('/desktop/revive', '', as)).text).toBe('{"revived":true}')
  expect((await door.ask('/a.css', { host: own.host })).status).toBe(401)
  const out = await post('/sign-out', '', as)
  expect(out.headers['set-cookie']?.every((one) => one.endsWith('Max-Age=0'))).toBe(true)
  expect((await door.ask('/computer', { headers: { cookie: own.cookie } })).status).toBe(401)
})
