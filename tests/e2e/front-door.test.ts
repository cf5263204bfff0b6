import { readFileSync } from 'node:fs'
import { FRONT_DOOR_UID } from '@choiros/contract/home-folder.ts'
import { COMMANDS, type CommandName } from '@choiros/contract/commands.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choirHere } from '../support/choir.ts'
import { ask, startAll, type Asked, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { partsOf } from '../support/processes.ts'
import { askRaw, listen } from '../support/raw-http.ts'

const MODEL_KEY = 'sk-front-door-5d1c'
/**
 * What only a person may do and nobody is harmed by: it moves between states of the computer, all of which stay.
 * Anything else hands out power, money or data.
 */
const HARMLESS: readonly string[] = [
  'status',
  'computer.list',
  'next',
  'undo',
  'redo',
  'restore',
  'restore.preview',
  'checkpoint',
  'safe-mode',
  'verify',
  'replay',
]
/**
 * What agents ask for and the person decides where they see it: beside the desktop, on a card of the frame that does
 * nothing in its first moment.
 */
const DECIDED = /^(approval\.(answer|list|revoke)|lease\.revoke|mood\.(pin|unpin)|memory\.(add|correct|forget|back))$/
const POWERFUL = (Object.keys(COMMANDS) as CommandName[]).filter(
  (name) =>
    !(COMMANDS[name].from as readonly string[]).includes('desktop') && !HARMLESS.includes(name) && !DECIDED.test(name),
)

describe('the front door', () => {
  let home = ''
  let running: Running
  let cookie = ''
  let label = ''
  const origin = () => `http://localhost:${running.port}`
  const desktopHost = () => `${label}.localhost:${running.port}`
  const frame = (path: string, more: Asked = {}) =>
    ask(running.port, path, { ...more, headers: { cookie, ...more.headers } })
  const desktop = (path: string, more: Asked = {}) => ask(running.port, path, { host: desktopHost(), ...more })
  const command = (name: string, input: unknown, more: Record<string, unknown> = {}) =>
    desktop('/choir/command', {
      method: 'POST',
      headers: { 'origin': `http://${desktopHost()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ command: name, input, ...more }),
    })
  const signIn = (code: string, from = origin()) =>
    ask(running.port, '/sign-in', {
      method: 'POST',
      headers: { 'origin': from, 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
  const codeOf = (link: string) => link.split('#')[1] ?? ''
  const freshCode = async () => codeOf((await choirHere(home, ['link'])).text.trim())

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home, {
      CHOIR_MODEL_PROVIDER: 'anthropic',
      CHOIR_MODEL_NAME: 'none',
      CHOIR_MODEL_KEY: MODEL_KEY,
    })
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
      expect([path, (await ask(running.port, path, { method, headers: { origin: origin() } })).status]).toEqual([
        path,
        401,
      ])
    }
    const opened = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    expect(await ask(running.port, '/rescue', { headers: opened })).toMatchObject({
      status: 303,
      headers: { location: '/sign-in' },
      text: '',
    })
    expect(
      (await ask(running.port, '/rescue/undo', { method: 'POST', headers: { ...opened, origin: origin() } })).status,
    ).toBe(401)
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
      expect.stringMatching(/^__Host-choir-[0-9a-f]{8}=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict/),
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

  test('[L9] a page with a secret, or with something that hands out power, holds no desktop', async () => {
    /** A page and all scripts it loads. */
    const whole = async (path: string) => {
      const { text, headers } = await frame(path)
      const scripts = new Map<string, string>()
      const waiting = [...text.matchAll(/src="(\/[\w-]+\.ts)"/g)].map(([, name]) => name ?? '')
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        if (scripts.has(name)) continue
        scripts.set(name, (await frame(name)).text)
        const imported = [...(scripts.get(name) ?? '').matchAll(/from '([^']+)'/g)].map(([, found]) => found ?? '')
        waiting.push(...imported.map((found) => new URL(found, new URL(name ?? '', origin())).pathname))
      }
      const all = [...scripts.values()].join('\n')
      return {
        canHoldADesktop:
          text.includes('<iframe') || !String(headers['content-security-policy']).includes("frame-src 'none'"),
        canBeFramed: !String(headers['content-security-policy']).includes("frame-ancestors 'none'"),
        secrets: [...text.matchAll(/<(?:input|textarea)[^>]*>/g)]
          .map(String)
          .filter((field) => !field.includes('type="checkbox"')),
        power: POWERFUL.filter((name) => all.includes(`'${name}'`)),
      }
    }
    expect(await whole('/')).toEqual({ canHoldADesktop: true, canBeFramed: false, secrets: [], power: [] })
    expect(await whole('/model')).toMatchObject({
      canHoldADesktop: false,
      canBeFramed: false,
      secrets: expect.arrayContaining([expect.stringContaining('type="password"')]) as string[],
      power: ['model.set', 'model.list', 'model.remove', 'model.test', 'budget.set'],
    })
    for (const path of ['/rescue', '/sign-in'])
      expect(await whole(path)).toMatchObject({ canHoldADesktop: false, canBeFramed: false })
  })

  test('what is no request is refused with a sentence, and nothing is said to have gone wrong inside', async () => {
    const before = running.output()
    const sent = { 'origin': origin(), 'content-type': 'application/json', cookie }
    const json = (path: string, body: string) => ask(running.port, path, { method: 'POST', headers: sent, body })
    for (const path of ['/sign-in', '/computer', '/command']) {
      for (const body of ['no JSON', '{', '"text"', '[]', '', '\0', '{"__proto__":1}'])
        expect([path, body, (await json(path, body)).status]).toEqual([
          path,
          body,
          expect.toSatisfy((status) => status >= 400 && status < 500),
        ])
    }
    expect(JSON.parse((await json('/sign-in', 'no JSON')).text)).toMatchObject({
      error: { code: 'request.invalid', message: 'the request is not JSON' },
    })
    expect((await json('/computer', 'x'.repeat(100_000))).status).toBe(413)
    const targets = [
      '//',
      '///',
      '//evil.example/',
      '/\\',
      '*',
      'http://evil.example/',
      `${origin()}/`,
      '/%',
      '/%ff',
      '/%00',
      '/a b',
      'x',
      '?',
    ]
    for (const host of [`localhost:${running.port}`, desktopHost()]) {
      for (const target of targets) {
        for (const upgrade of [false, true])
          expect([
            host,
            target,
            upgrade,
            await askRaw(running.port, target, { host, cookie, origin: `http://${host}`, upgrade }),
          ]).toEqual([host, target, upgrade, expect.stringMatching(/^HTTP\/1\.1 4\d\d /)])
      }
    }
    expect(await askRaw(running.port, '/', { host: `localhost:${running.port}`, cookie: 'x'.repeat(100_000) })).toMatch(
      /^HTTP\/1\.1 431 /,
    )
    expect(running.output()).toBe(before)
  })

  test('the desktop is served by Vite from its sandbox, under our policy', { timeout: 60_000 }, async () => {
    const page = await desktop('/')
    expect([page.status, page.text.includes('/@vite/client')]).toEqual([200, true])
    expect(page.headers['content-security-policy']).toContain(`frame-ancestors ${origin()}`)
    expect((await desktop('/main.tsx')).text).toContain('createRoot')
    expect((await desktop('/main.tsx', { headers: { 'service-worker': 'script' } })).status).toBe(403)
    expect((await desktop('/', { method: 'POST', headers: { origin: `http://${desktopHost()}` } })).status).toBe(403)
    expect((await choirHere(home, ['status', '--json'])).json()).toMatchObject({
      running: true,
      address: origin(),
      sandboxes: [{ role: 'desk' }],
    })
  })

  test('nobody is at home under other names', async () => {
    for (const host of [
      `nobody.localhost:${running.port}`,
      `127.0.0.1:${running.port}`,
      'evil.example',
      `${label}.localhost:1`,
    ]) {
      expect([host, (await ask(running.port, '/', { host })).status]).toEqual([host, 401])
    }
  })

  for (const name of (Object.keys(COMMANDS) as CommandName[]).filter(
    (key) => !(COMMANDS[key].from as readonly string[]).includes('desktop'),
  )) {
    test(`a desktop may not ${name}`, async () => {
      expect(await command(name, {})).toMatchObject({ status: 403, text: expect.stringContaining('request.refused') })
    })
  }

  test('a desktop reads and writes its own computer and no other, whatever it says', async () => {
    await choirHere(home, ['computer', 'add', 'other'])
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
      expect(
        (await frame('/command', { method: 'POST', headers: from === '' ? {} : { origin: from }, body })).status,
      ).toBe(403)
    }
    expect(
      (
        await desktop('/choir/command', {
          method: 'POST',
          headers: { origin: origin() },
          body: '{"command":"tree","input":{"at":null}}',
        })
      ).status,
    ).toBe(403)
  })

  test('after signing out neither cookie nor host name opens anything', async () => {
    const own = await signIn(await freshCode())
    const ownCookie = String(own.headers['set-cookie']).split(';')[0] ?? ''
    const page = await ask(running.port, '/', { headers: { cookie: ownCookie } })
    const ownHost = `${/http:\/\/([a-z0-9]+)\.localhost/.exec(page.text)?.[1]}.localhost:${running.port}`
    expect((await ask(running.port, '/choir/file?path=artifacts/from-desktop.txt', { host: ownHost })).status).toBe(200)
    expect(
      (await ask(running.port, '/sign-out', { method: 'POST', headers: { cookie: ownCookie, origin: origin() } }))
        .status,
    ).toBe(200)
    expect((await ask(running.port, '/', { headers: { cookie: ownCookie } })).headers.location).toBe('/sign-in')
    expect((await ask(running.port, '/', { host: ownHost })).status).toBe(401)
  })

  test('signing out ends every connection of that sign-in and of no other, whatever its desktop was called', async () => {
    const own = await signIn(await freshCode())
    const ownCookie = String(own.headers['set-cookie']).split(';')[0] ?? ''
    const page = await ask(running.port, '/', { headers: { cookie: ownCookie } })
    const post = (path: string) =>
      ask(running.port, path, { method: 'POST', headers: { cookie: ownCookie, origin: origin() } })
    const ownHost = `${/http:\/\/([a-z0-9]+)\.localhost/.exec(page.text)?.[1]}.localhost:${running.port}`
    const socketAt = (host: string, path: string, with_: string) =>
      listen(running.port, path, { host, cookie: with_, origin: `http://${host}` })
    const other = await socketAt(`localhost:${running.port}`, '/events?after=0', cookie)
    const early = await socketAt(`localhost:${running.port}`, '/events?after=0', ownCookie)
    const desktops = await socketAt(ownHost, '/choir/events?after=0', '')
    // Another host name, the same sign-in.
    expect(JSON.parse((await post('/desktop/revive')).text)).toEqual({ revived: true })
    await desktops.ended
    const late = await socketAt(`localhost:${running.port}`, '/events?after=0', ownCookie)
    // A second link in a browser that is signed in makes no second sign-in, which signing out would forget.
    const again = await ask(running.port, '/sign-in', {
      method: 'POST',
      headers: { 'origin': origin(), 'content-type': 'application/json', 'cookie': ownCookie },
      body: JSON.stringify({ code: await freshCode() }),
    })
    expect([again.status, again.headers['set-cookie']]).toEqual([200, undefined])
    expect([other.isOpen(), early.isOpen(), late.isOpen()]).toEqual([true, true, true])
    await post('/sign-out')
    await Promise.all([early.ended, late.ended])
    expect(other.isOpen()).toBe(true)
    other.close()
  })

  test('a second start on the home, and a taken port, say so in one sentence', async () => {
    await expect(startAll(home)).rejects.toThrow(
      /it ended with 1: ChoirOS is already running on .*Use that one, or stop it with "choir stop --all --home [^"]+"\.\s*$/,
    )
  })

  test('a browser looks only at computers of its own person, and the address of the one it left is dead', async () => {
    const choose = (computer: string, from = origin()) =>
      frame('/computer', {
        method: 'POST',
        headers: { 'origin': from, 'content-type': 'application/json' },
        body: JSON.stringify({ computer }),
      })
    await choirHere(home, ['computer', 'add', 'second'])
    const { computers } = JSON.parse((await choirHere(home, ['status', '--json'])).text) as {
      computers: { id: string; name: string }[]
    }
    const second = computers.find(({ name }) => name === 'second')!.id
    expect(await choose('nobodys')).toMatchObject({ status: 404, text: expect.stringContaining('computer.unknown') })
    expect((await choose(second, `http://${desktopHost()}`)).status).toBe(403)
    expect(await choose(second)).toMatchObject({ status: 200 })
    expect((await desktop('/')).status).toBe(401)
    expect(JSON.parse((await frame('/computer')).text)).toEqual({ computer: second })
  })
})
