import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox, SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { ComputerId } from '@choiros/contract/ids.ts'
import { createDesk } from '@choiros/supervisor/desk/desk.ts'
import { choirHere } from '../support/choir.ts'
import { ask, startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'

describe('[L13] GET is pure', { timeout: 60_000 }, () => {
  let home = ''
  let running: Running
  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    await choirHere(home, ['write', 'artifacts/a.txt'], 'a')
  })
  afterAll(async () => {
    await running?.stop()
    removeFolders()
  })

  test('[L13] no address that is only looked at changes anything: not the log, not the sign-in, not the link', async () => {
    const log = lookAt(home)
    const origin = `http://localhost:${running.port}`
    const [page = '', code = ''] = running.link.split('#')
    // A preview of the link, by a browser or a chat program, does not use it up.
    expect((await ask(running.port, new URL(page).pathname)).status).toBe(200)
    const signedIn = await ask(running.port, '/sign-in', {
      method: 'POST',
      headers: { origin },
      body: JSON.stringify({ code }),
    })
    expect(signedIn.status).toBe(200)
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    await log.quiet()
    const before = await log.head()
    for (const path of [
      '/',
      '/rescue',
      '/rescue/undo',
      '/rescue/safe-mode',
      '/sign-out',
      '/desktop/revive',
      '/desktop/state',
      '/look',
      '/computer',
      '/export',
      '/command',
      '/health',
    ])
      await ask(running.port, path, { headers: { cookie } })
    expect(await log.head()).toBe(before)
    expect((await ask(running.port, '/computer', { headers: { cookie } })).status).toBe(200)
    expect(JSON.parse((await choirHere(home, ['status', '--json'])).text)).toMatchObject({ running: true })
  })
})

describe('[L13] one start in flight', () => {
  /** Answers as Vite does, but only after a while: slow is not dead. */
  const slowHost = (created: string[], startMs: number): SandboxHost => {
    const sandbox = (name: string): Sandbox => {
      const bornMs = Date.now()
      return {
        name,
        role: 'desk',
        exec: () => new Promise<never>(() => {}),
        collect: () => new Promise<never>(() => {}),
        async dial() {
          if (Date.now() - bornMs < startMs) throw new Error('not yet')
          const stream = new PassThrough()
          const written = stream.write.bind(stream)
          stream.write = (() => {
            written('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
            return true
          }) as typeof stream.write
          return stream
        },
        ended: new Promise<never>(() => {}),
        kill: async () => {},
      }
    }
    return {
      create: async ({ name }) => {
        created.push(name)
        await delay(20)
        return sandbox(name)
      },
      runOnce: () => new Promise<never>(() => {}),
      list: () => [],
      isolation: 'none',
      close: async () => {},
    }
  }

  test('[L13] many callers of a desk that is slow to start share one start, and none of them kills it', async () => {
    const created: string[] = []
    const computer = { id: 'c' as ComputerId, name: 'c', folder: '/nowhere', idle: async () => {} }
    const toolchain = { folder: '/nowhere', hash: 'x' } as never
    const desk = createDesk({ host: slowHost(created, 400), toolchain, computer, warn: () => {} })
    const streams = await Promise.all(Array.from({ length: 20 }, () => desk.dial()))
    expect([created, streams.length]).toEqual([['desk-c'], 20])
    await desk.close()
  })
})
