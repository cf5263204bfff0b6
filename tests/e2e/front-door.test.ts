import { readFileSync } from 'node:fs'
import { FRONT_DOOR_UID } from '@choiros/contract/home-folder.ts'
import { COMMANDS, type CommandName } from '@choiros/contract/commands.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choir } from '../support/choir.ts'
import { ask, startAll, type Asked, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { partsOf } from '../support/processes.ts'

const MODEL_KEY = 'sk-front-door-5d1c'

describe('the front door', () => {
  let home = ''
  let running: Running
  let cookie = ''
  let label = ''
  const origin = () => `http://localhost:${running.port}`
  const desktopHost = () => `${label}.localhost:${running.port}`
  const frame = (path: string, more: Asked = {}) => ask(running.port, path, { ...more, headers: { cookie, ...more.headers } })
  const desktop = (path: string, more: Asked = {}) => ask(running.port, path, { host: desktopHost(), ...more })
  const command = (name: string, input: unknown, more: Record<string, unknown> = {}) =>
    desktop('/choir/command', {
      method: 'POST',
      headers: { 'origin': `http://${desktopHost()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ command: name, input, ...more }),
    })
  const signIn = (code: string, from = origin()) =>
    ask(running.port, '/sign-in', { method: 'POST', headers: { 'origin': from, 'content-type': 'application/json' }, body: JSON.stringify({ code }) })
  const codeOf = (link: string) => link.split('#')[1] ?? ''
  const freshCode = async () => codeOf((await choir(home, ['link'])).text.trim())

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home, { CHOIR_MODEL_PROVIDER: 'anthropic', CHOIR_MODEL_NAME: 'none', CHOIR_MODEL_KEY: MODEL_KEY })
    const { headers } = await signIn(codeOf(running.link))
    cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    label = /http:\/\/([a-z0-9]+)\.localhost/.exec((await frame('/')).text)?.[1] ?? ''
  }, 90_000)
  afterAll(async () => {
    await running.stop()
    removeFolders()
  })

  test('says that it is well to anyone, and nothing else without a session', async () => {
    expect(await ask(running.port, '/health')).toMatchObject({ status: 200, text: '{"ok":true}' })
    expect((await ask(running.port, '/')).headers.location).toBe('/sign-in')
    for (const [method, path] of [
      ['GET', '/frame.ts'],
      ['POST', '/command'],
      ['POST', '/sign-out'],
      ['GET', '/rescue'],
      ['GET', '/anything'],
    ] as const) {
      expect([path, (await ask(running.port, path, { method, headers: { origin: origin() } })).status]).toEqual([path, 401])
    }
    const opened = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    expect(await ask(running.port, '/rescue', { headers: opened })).toMatchObject({ status: 303, headers: { location: '/sign-in' }, text: '' })
    expect((await ask(running.port, '/rescue/undo', { method: 'POST', headers: { ...opened, origin: origin() } })).status).toBe(401)
  })

  test.runIf(process.getuid?.() === 0)(
    '[L9] it is another Unix user than the supervisor, without groups, and holds no key in its environment',
    () => {
      const { frontDoor, supervisor } = partsOf(home)
      const idsOf = (pid: number) => /^Uid:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]?.split('\t')
      expect(idsOf(frontDoor)).toEqual(Array.from({ length: 4 }, () => String(FRONT_DOOR_UID)))
      expect(idsOf(supervisor)).toEqual(['0', '0', '0', '0'])
      expect(/^Groups:\t(.*)$/m.exec(readFileSync(`/proc/${frontDoor}/status`, 'utf8'))?.[1]?.trim()).toBe('')
      expect(readFileSync(`/proc/${supervisor}/environ`, 'utf8')).toContain(MODEL_KEY)
      expect(readFileSync(`/proc/${frontDoor}/environ`, 'utf8')).not.toContain(MODEL_KEY)
    },
  )

  test('a link works once: looking at it does not use it up, another site cannot use it, the second use is refused', async () => {
    const code = await freshCode()
    expect((await ask(running.port, '/sign-in')).status).toBe(200)
    expect((await signIn(code, 'http://evil.example')).status).toBe(403)
    const first = await signIn(code)
    expect([first.status, String(first.headers['set-cookie'])]).toEqual([
      200,
      expect.stringMatching(/^__Host-choir=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict/),
    ])
    expect(await signIn(code)).toMatchObject({ status: 401, text: expect.stringContaining('link.invalid') })
    expect((await signIn('x'.repeat(32))).status).toBe(401)
  })

  test('the frame holds one iframe, the desktop, on another site', async () => {
    const { text, headers } = await frame('/')
    expect(text.match(/<iframe[^>]*title="Desktop"/g)).toHaveLength(1)
    expect(headers['content-security-policy']).toContain(`frame-src http://${desktopHost()};`)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('the desktop is served by Vite from its sandbox, under our policy', { timeout: 60_000 }, async () => {
    const page = await desktop('/')
    expect([page.status, page.text.includes('/@vite/client')]).toEqual([200, true])
    expect(page.headers['content-security-policy']).toContain(`frame-ancestors ${origin()}`)
    expect((await desktop('/main.tsx')).text).toContain('createRoot')
    expect((await desktop('/main.tsx', { headers: { 'service-worker': 'script' } })).status).toBe(403)
    expect((await desktop('/', { method: 'POST', headers: { origin: `http://${desktopHost()}` } })).status).toBe(403)
    expect((await choir(home, ['status', '--json'])).json()).toMatchObject({ running: true, address: origin(), sandboxes: [{ role: 'desk' }] })
  })

  test('nobody is at home under other names', async () => {
    for (const host of [`nobody.localhost:${running.port}`, `127.0.0.1:${running.port}`, 'evil.example', `${label}.localhost:1`]) {
      expect([host, (await ask(running.port, '/', { host })).status]).toEqual([host, 401])
    }
  })

  for (const name of (Object.keys(COMMANDS) as CommandName[]).filter((key) => !(COMMANDS[key].from as readonly string[]).includes('desktop'))) {
    test(`a desktop may not ${name}`, async () => {
      expect(await command(name, {})).toMatchObject({ status: 403, text: expect.stringContaining('request.refused') })
    })
  }

  test('a desktop reads and writes its own computer and no other, whatever it says', async () => {
    await choir(home, ['computer', 'add', 'other'])
    const written = await command('files.change', {
      operations: [{ op: 'write', path: 'artifacts/from-desktop.txt', content: { text: 'hello' }, from: null }],
    })
    expect(written.status).toBe(200)
    expect((await desktop('/choir/file?path=artifacts/from-desktop.txt')).text).toBe('hello')
    expect((await command('tree', { at: null }, { computer: 'other' })).status).toBe(400)
    expect((await command('tree', { at: null }, { user: 'alice' })).status).toBe(400)
    expect((await desktop('/choir/file?path=artifacts/from-desktop.txt&computer=other')).text).toBe('hello')
  })

  test('a request that another site made the browser send is refused', async () => {
    const body = JSON.stringify({ command: 'undo', input: { target: { kind: 'newest', scope: 'any' }, tree: null } })
    for (const from of [`http://${desktopHost()}`, 'http://evil.example', '']) {
      expect((await frame('/command', { method: 'POST', headers: from === '' ? {} : { origin: from }, body })).status).toBe(403)
    }
    expect(
      (await desktop('/choir/command', { method: 'POST', headers: { origin: origin() }, body: '{"command":"tree","input":{"at":null}}' })).status,
    ).toBe(403)
  })

  test('after signing out neither cookie nor host name opens anything', async () => {
    const own = await signIn(await freshCode())
    const ownCookie = String(own.headers['set-cookie']).split(';')[0] ?? ''
    const page = await ask(running.port, '/', { headers: { cookie: ownCookie } })
    const ownHost = `${/http:\/\/([a-z0-9]+)\.localhost/.exec(page.text)?.[1]}.localhost:${running.port}`
    expect((await ask(running.port, '/choir/file?path=artifacts/from-desktop.txt', { host: ownHost })).status).toBe(200)
    expect((await ask(running.port, '/sign-out', { method: 'POST', headers: { cookie: ownCookie, origin: origin() } })).status).toBe(200)
    expect((await ask(running.port, '/', { headers: { cookie: ownCookie } })).headers.location).toBe('/sign-in')
    expect((await ask(running.port, '/', { host: ownHost })).status).toBe(401)
  })

  test('a second start on the home, and a taken port, say so in one sentence', async () => {
    await expect(startAll(home)).rejects.toThrow(
      /it ended with 1: ChoirOS is already running on .*Use that one, or stop it with "npm run -s choir -- stop"\.\s*$/,
    )
  })

  test('a browser looks only at computers of its own person, and the address of the one it left is dead', async () => {
    const choose = (computer: string, from = origin()) =>
      frame('/computer', { method: 'POST', headers: { 'origin': from, 'content-type': 'application/json' }, body: JSON.stringify({ computer }) })
    await choir(home, ['computer', 'add', 'second'])
    const { computers } = JSON.parse((await choir(home, ['status', '--json'])).text) as { computers: { id: string; name: string }[] }
    const second = computers.find(({ name }) => name === 'second')!.id
    expect(await choose('nobodys')).toMatchObject({ status: 404, text: expect.stringContaining('computer.unknown') })
    expect((await choose(second, `http://${desktopHost()}`)).status).toBe(403)
    expect(await choose(second)).toMatchObject({ status: 200 })
    expect((await desktop('/')).status).toBe(401)
    expect(JSON.parse((await frame('/computer')).text)).toEqual({ computer: second })
  })
})
