import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, mkdtempSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { AFTER_HEADER, CONTRACT_HEADER } from '@choiros/contract/routes.ts'
import { startSupervisor } from '../support/choir.ts'
import { answerOf, ask, command, connectRaw, gatewayHeaders, start, tokenHeaders } from './raw-client.ts'

let home: string
let supervisor: Awaited<ReturnType<typeof startSupervisor>>
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'choir-socket-'))
  supervisor = await startSupervisor(home)
  for (const name of ['one', 'two']) await command(home, 'computer.add', { name })
  for (const name of ['one', 'two']) await command(home, 'tree', { at: null }, name)
})
afterAll(async () => {
  await supervisor.stop()
  rmSync(home, { recursive: true, force: true })
})

const write = (path: string, content: unknown) => ({ operations: [{ op: 'write', path, content, from: null }] })
const change = (path: string, content: unknown) => command(home, 'files.change', write(path, content), 'one')
const objectsOf = (computer: string) => {
  const folder = join(home, 'computers')
  const id =
    readdirSync(folder).find((name) =>
      readFileSync(join(folder, name, 'computer.json'), 'utf8').includes(`"${computer}"`),
    ) ?? ''
  return readdirSync(join(folder, id, 'objects'))
}
const eventually = async (holds: () => boolean) => {
  for (let waited = 0; waited < 5000 && !holds(); waited += 20) await delay(20)
  expect(holds()).toBe(true)
}

describe('a caller', () => {
  test('without a token, or with a wrong one, is refused before anything is looked at', async () => {
    const { authorization, ...rest } = tokenHeaders(home)
    for (const headers of [
      rest,
      { ...rest, authorization: 'Bearer x' },
      { ...rest, authorization: `${String(authorization)}x` },
      { ...rest, authorization: '' },
    ]) {
      for (const path of ['/hello', '/command', '/export', '/no/such/route', '//', '/%']) {
        expect(await ask(home, 'GET', path, '', headers)).toMatchObject({ status: 401, code: 'token.invalid' })
      }
    }
  })

  test('of another release is told so', async () => {
    for (const version of ['0', '2', 'x', '']) {
      const answer = await ask(home, 'GET', '/hello', '', { ...tokenHeaders(home), [CONTRACT_HEADER]: version })
      expect(answer).toMatchObject({ status: 403, code: 'request.refused' })
    }
  })

  test('that asks for what is not there gets a code', async () => {
    const cases: readonly (readonly [string, string])[] = [
      ['GET', '/'],
      ['GET', '/nothing'],
      ['DELETE', '/command'],
      ['GET', '/command'],
      ['POST', '/hello'],
      ['PUT', '/export'],
      ['GET', '//'],
      ['GET', '//['],
      ['GET', '/\\'],
      ['GET', '/%00'],
      ['GET', '/file'],
      ['GET', '/file?path=..'],
      ['GET', '/file?path=a%00b'],
      ['GET', `/file?path=${'a'.repeat(5000)}`],
      ['GET', '/events?after=-1'],
      ['GET', '/events?after=x'],
      ['GET', '/events?surprise=1'],
      ['GET', '/file?path=a&at=0'],
      ['GET', '/events?computer=no-such'],
      ['GET', '/export?rescue=2'],
      ['POST', '/import?name=..'],
    ]
    for (const [method, path] of cases) {
      const { status, code } = await ask(home, method, path)
      expect([method, path, status >= 400 && status < 500, code === null]).toEqual([method, path, true, false])
    }
  })

  test('that is the desktop may neither take nor bring a whole computer, nor may the gateway for itself', async () => {
    for (const caller of ['desktop', 'gateway']) {
      const headers = gatewayHeaders(home, caller, 'someone')
      expect(await ask(home, 'GET', '/export?computer=one', '', headers)).toMatchObject({
        status: 403,
        code: 'request.refused',
      })
      expect(await ask(home, 'GET', '/export?computer=one&rescue=1', '', headers)).toMatchObject({ status: 403 })
      expect(await ask(home, 'POST', '/import', 'x', headers)).toMatchObject({ status: 403, code: 'request.refused' })
    }
    expect(await ask(home, 'GET', '/file?path=a&computer=one', '', gatewayHeaders(home, 'gateway', 'x'))).toMatchObject(
      { status: 403 },
    )
    expect(await ask(home, 'GET', '/hello', '', gatewayHeaders(home, 'cli', 'x'))).toMatchObject({ status: 403 })
    expect(await ask(home, 'GET', '/hello', '', gatewayHeaders(home, 'frame', '../x'))).toMatchObject({ status: 403 })
  })
})

describe('a body', () => {
  const send = (body: Buffer | string) => ask(home, 'POST', '/command', body)

  test('that is no command is refused with a code', async () => {
    const bodies: readonly (Buffer | string)[] = [
      '',
      '{',
      'null',
      '[]',
      '7',
      '"x"',
      '{}',
      '{"user":null}',
      '\0',
      Buffer.from([0xff, 0xfe]),
      '{"user":null,"computer":null,"command":"","input":{}}',
      '{"user":null,"computer":null,"command":"toString","input":{}}',
      '{"user":null,"computer":null,"command":"__proto__","input":{}}',
      '{"user":"..","computer":null,"command":"status","input":{}}',
      `{"user":null,"computer":"${'x'.repeat(101)}","command":"status","input":{}}`,
      '{"user":null,"computer":null,"command":"status","input":{},"more":1}',
      '{"user":null,"computer":null,"command":"status","input":[]}',
      '{"user":null,"computer":null,"command":"status","input":{"__proto__":{}}}',
    ]
    for (const body of bodies) {
      const { status, code } = await send(body)
      expect([body.toString(), status, code]).toEqual([body.toString(), 400, 'request.invalid'])
    }
  })

  test('of nested lists is refused before it is read', { timeout: 20_000 }, async () => {
    const startedMs = performance.now()
    expect(await send('['.repeat(40 * 1024 * 1024))).toMatchObject({ status: 400, code: 'request.invalid' })
    expect(await send(`{"input":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`)).toMatchObject({
      status: 400,
      code: 'request.invalid',
    })
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  })

  test('that is too large is refused with a code its sender can read', { timeout: 20_000 }, async () => {
    const answer = await send(Buffer.alloc(LIMITS.commandBytesMax + 10, 'x'))
    expect(answer).toMatchObject({ status: 413, code: 'file.too-large' })
    expect(await command(home, 'status', {})).toMatchObject({ status: 200 })
  })

  test('that is broken off in the middle changes nothing', async () => {
    const before = (await command(home, 'tree', { at: null }, 'one')).text
    for (const cut of [1, 10, 60]) {
      const body = JSON.stringify({
        user: null,
        computer: 'one',
        command: 'files.change',
        input: write('cut.txt', { text: 'cut' }),
      })
      const outgoing = start(home, 'POST', '/command', { ...tokenHeaders(home), 'content-length': body.length }).on(
        'error',
        () => {},
      )
      outgoing.write(body.slice(0, cut))
      await delay(20)
      outgoing.destroy()
    }
    expect((await command(home, 'tree', { at: null }, 'one')).text).toBe(before)
  })

  test('that comes byte by byte is waited for, and others are served meanwhile', async () => {
    const body = JSON.stringify({
      user: null,
      computer: 'one',
      command: 'files.change',
      input: write('slow.txt', { text: 'slow' }),
    })
    const outgoing = start(home, 'POST', '/command', { ...tokenHeaders(home), 'content-length': body.length })
    const answer = answerOf(outgoing)
    const others: number[] = []
    for (const character of body) {
      outgoing.write(character)
      if (character === ',') others.push((await command(home, 'status', {})).status)
    }
    outgoing.end()
    expect(await answer).toMatchObject({ status: 200 })
    expect(new Set(others)).toEqual(new Set([200]))
  })

  test('that is no HTTP at all ends the connection and nothing else', async () => {
    for (const bytes of [
      randomBytes(2000),
      'GET / HTTP/9.9\r\n\r\n',
      `GET / HTTP/1.1\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
      '\r\n\r\n\r\n',
      'GET /hello HTTP/1.1\r\nupgrade: choir-tunnel\r\nconnection: upgrade\r\n\r\n',
    ]) {
      const socket = connectRaw(home)
      socket.write(bytes)
      await Promise.race([once(socket, 'close'), once(socket, 'data'), delay(300)])
      socket.destroy()
    }
    expect((await command(home, 'status', {})).status).toBe(200)
  })
})

describe('a client that hangs up', () => {
  test('in the middle of a command does not stop the command, which lands whole or not at all', async () => {
    for (let round = 0; round < 10; round++) {
      const operations = Array.from(
        { length: 50 },
        (_, index) => write(`hang-up/${round}/${index}.txt`, { text: `${index}` }).operations[0],
      )
      const outgoing = start(home, 'POST', '/command').on('error', () => {})
      outgoing.end(JSON.stringify({ user: null, computer: 'one', command: 'files.change', input: { operations } }))
      await delay(round * 3)
      outgoing.destroy()
    }
    const { files } = JSON.parse((await command(home, 'tree', { at: null }, 'one')).text).result as {
      files: Record<string, unknown>
    }
    const counts = new Map<string, number>()
    for (const path of Object.keys(files).filter((name) => name.startsWith('hang-up/'))) {
      const round = path.split('/')[1] ?? ''
      counts.set(round, (counts.get(round) ?? 0) + 1)
    }
    expect([...counts.values()].every((count) => count === 50)).toBe(true)
  })

  test('while it uploads an object leaves nothing behind', async () => {
    const before = objectsOf('one')
    const outgoing = start(home, 'PUT', '/object?computer=one').on('error', () => {})
    outgoing.write(Buffer.alloc(300_000))
    await eventually(() => objectsOf('one').length > before.length)
    outgoing.destroy()
    await eventually(() => objectsOf('one').length === before.length)
    expect(objectsOf('one')).toEqual(before)
  })

  test('while it downloads an export, or uploads an import, leaves no temporary file', async () => {
    await change('large.bin', { base64: randomBytes(8_000_000).toString('base64') })
    const exporting = start(home, 'GET', '/export?computer=one').on('error', () => {})
    exporting.end()
    const [response] = (await once(exporting, 'response')) as [NodeJS.ReadableStream]
    response.on('error', () => {})
    await once(response, 'data')
    exporting.destroy()
    const importing = start(home, 'POST', '/import?name=never').on('error', () => {})
    importing.write(Buffer.alloc(100_000))
    await eventually(() => readdirSync(join(home, 'tmp')).length > 0)
    importing.destroy()
    await eventually(() => readdirSync(join(home, 'tmp')).length === 0)
    expect((await command(home, 'computer.list', {})).text).not.toContain('never')
  })

  test('while it follows the log is forgotten', async () => {
    for (let round = 0; round < 20; round++) {
      const following = start(home, 'GET', '/events?computer=one&follow=1').on('error', () => {})
      following.end()
      const [response] = (await once(following, 'response')) as [NodeJS.ReadableStream]
      response.on('error', () => {})
      if (round % 2 === 0) await once(response, 'data')
      following.destroy()
    }
    expect((await change('after-followers.txt', { text: 'x' })).status).toBe(200)
  })
})

describe('an object named in a command', () => {
  const named = (hash: string, computer: string) =>
    command(home, 'files.change', write(`named/${computer}.bin`, { object: hash, size: 1 }), computer)

  test('must be on that very computer', async () => {
    const bytes = randomBytes(100_000)
    const upload = await ask(home, 'PUT', '/object?computer=one', bytes)
    expect(upload.status).toBe(200)
    expect(await named(sha256(bytes), 'two')).toMatchObject({ status: 404, code: 'object.missing' })
    expect(await named(sha256('never stored'), 'one')).toMatchObject({ status: 404, code: 'object.missing' })
    const small = 'a small object of the other'
    expect((await command(home, 'files.change', write('small.txt', { text: small }), 'two')).status).toBe(200)
    expect(await named(sha256(small), 'one')).toMatchObject({ code: 'object.missing' })
    expect((await named(sha256(bytes), 'one')).status).toBe(200)
    const stat = await command(home, 'files.stat', { path: 'named/one.bin', at: null }, 'one')
    expect(JSON.parse(stat.text)).toMatchObject({ result: { entry: { size: 100_000 } } })
  })

  test('must be named by a hash', async () => {
    for (const hash of ['', '..', '../../../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(63)}/`, 'a'.repeat(65)]) {
      expect(await named(hash, 'one')).toMatchObject({ status: 400, code: 'request.invalid' })
    }
  })
})

test('200 commands at once are all done, each exactly once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => change(`parallel/${index}.txt`, { text: `${index}` })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const seqs = answers.map(({ text }) => (JSON.parse(text) as { result: { seq: number } }).result.seq)
  expect(new Set(seqs).size).toBe(200)
  const verify = await command(home, 'verify', {}, 'one')
  expect(JSON.parse(verify.text.trim().split('\n').at(-1) ?? '')).toMatchObject({ result: { ok: true, mended: [] } })
})

test('who asks for what comes after the head gets nothing older, also of a computer that nobody has opened since the start', async () => {
  await supervisor.stop()
  supervisor = await startSupervisor(home)
  const outgoing = start(home, 'GET', '/events?computer=one&after=head&follow=1').on('error', () => {})
  outgoing.end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const first = once(response, 'data') as Promise<[Buffer]>
  const changed = await change('after-the-head.txt', { text: 'new' })
  const { seq } = (JSON.parse(changed.text) as { result: { seq: number } }).result
  expect(JSON.parse(String((await first)[0]))).toMatchObject({ seq, type: 'file.change' })
  expect(response.headers[AFTER_HEADER]).toBe(String(seq - 1))
  outgoing.destroy()
})

test('after all of this the supervisor has nothing to complain about and stops as it should', async () => {
  expect(await supervisor.stop()).toBe(0)
  expect(supervisor.output()).not.toMatch(/nobody foresaw|could not go on|warning|\.ts:\d/i)
})
