import { COMMANDS, type CommandName } from '@choiros/contract/commands.ts'
import { request } from 'node:http'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CALLER_HEADER, CONTRACT_HEADER, CONTRACT_VERSION, ROUTES, USER_HEADER } from '@choiros/contract/routes.ts'
import type { ComputerView } from '@choiros/contract/commands/computers.ts'
import { STATE_TABLES } from '@choiros/supervisor/state/state.ts'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choirHere, startSupervisor } from '../support/choir.ts'
import { INPUTS } from '../support/command-inputs.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'

const SECRET = 'only alice may read this'

describe('L10 every query carries the computer and the user', () => {
  let home = ''
  let stop: () => Promise<unknown>
  let alice: ComputerView
  const headOf = async () => (await ask('GET', `${ROUTES.events}?user=alice&computer=${alice.id}`)).text

  beforeAll(async () => {
    home = temporaryFolder()
    const supervisor = await startSupervisor(home)
    stop = supervisor.stop
    await choirHere(home, ['--user', 'alice', 'computer', 'add', 'desk'])
    await choirHere(home, ['--user', 'bob', 'computer', 'add', 'bobs'])
    await choirHere(home, ['--user', 'alice', 'write', 'artifacts/secret.txt'], SECRET)
    alice = (
      (await choirHere(home, ['--user', 'alice', 'computer', 'list', '--json'])).json() as ComputerView[]
    )[0] as ComputerView
  })
  afterAll(async () => {
    await stop()
    removeFolders()
  })

  /** As the command line, which may name any user; or as the gateway, which speaks for one. */
  function ask(
    method: string,
    path: string,
    body?: string,
    gatewayFor?: string,
  ): Promise<{ status: number; text: string }> {
    const token = readFileSync(join(home, gatewayFor === undefined ? 'token' : 'keys/gateway-token'), 'utf8')
    const headers = {
      authorization: `Bearer ${token}`,
      [CONTRACT_HEADER]: String(CONTRACT_VERSION),
      ...(gatewayFor === undefined ? {} : { [CALLER_HEADER]: 'gateway', [USER_HEADER]: gatewayFor }),
    }
    return new Promise((resolve, reject) => {
      const outgoing = request({ socketPath: join(home, 'supervisor.sock'), method, path, headers }, (response) => {
        let text = ''
        response.on('data', (data: Buffer) => (text += data.toString('latin1')))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  for (const by of ['name', 'id'] as const) {
    for (const command of Object.keys(COMMANDS) as CommandName[]) {
      test(`[L10] ${command}: one user never reaches the other's computer by its ${by}`, async () => {
        const before = await headOf()
        const body = JSON.stringify({ user: 'bob', computer: alice[by], command, input: INPUTS[command] })
        const isGateways = !(COMMANDS[command].from as readonly string[]).includes('cli')
        const { text } = await ask('POST', ROUTES.command, body, isGateways ? 'bob' : undefined)
        const about = COMMANDS[command].computer ? /"code":"computer.unknown"/ : /^(?!.*desk)/
        expect(text).toMatch(about)
        expect(text.replaceAll(JSON.stringify(alice[by]).slice(1, -1), '')).not.toContain(alice.id)
        expect(text).not.toContain(SECRET)
        expect(await headOf()).toBe(before)
      })
    }

    for (const [method, route, more] of [
      ['GET', ROUTES.events, ''],
      ['GET', ROUTES.file, '&path=artifacts/secret.txt'],
      ['PUT', ROUTES.object, ''],
      ['GET', ROUTES.export, ''],
    ] as const) {
      test(`[L10] ${method} ${route}: one user never reaches the other's computer by its ${by}`, async () => {
        const { status, text } = await ask(
          method,
          `${route}?user=bob&computer=${alice[by]}${more}`,
          method === 'PUT' ? 'x' : undefined,
        )
        expect([status, text.includes('computer.unknown')]).toEqual([404, true])
        expect(text).not.toContain(SECRET)
      })
    }
  }

  test('[L10] an import lands with the user who asked for it', async () => {
    const file = join(temporaryFolder(), 'x.choir')
    await choirHere(home, ['--user', 'alice', 'export', file])
    await choirHere(home, ['--user', 'carol', 'import', file, '--name', 'carols'])
    expect((await choirHere(home, ['--user', 'carol', 'cat', 'artifacts/secret.txt'])).text).toBe(SECRET)
    for (const user of ['alice', 'bob'])
      expect((await choirHere(home, ['--user', user, 'computer', 'list'])).text).not.toContain('carols')
  })

  test('[L10] every table lies in a file of one computer, which names it', async () => {
    const bobs = (
      (await choirHere(home, ['--user', 'bob', 'computer', 'list', '--json'])).json() as ComputerView[]
    )[0] as ComputerView
    const open = (id: string, file: string) => new Database(join(home, 'computers', id, file), { readonly: true })
    for (const { id } of [alice, bobs]) {
      const log = open(id, 'log.sqlite')
      expect(log.prepare('SELECT computer FROM identity').pluck().all()).toEqual([id])
      log.close()
    }
    await choirHere(home, ['--user', 'bob', '--computer', 'bobs', 'write', 'artifacts/b.txt'], 'b')
    const state = open(bobs.id, 'state.sqlite')
    for (const table of STATE_TABLES)
      expect(JSON.stringify(state.prepare(`SELECT * FROM ${table}`).all())).not.toContain('secret.txt')
    state.close()
  })
})
