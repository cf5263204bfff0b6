import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ComputerView } from '@choiros/contract/commands/computers.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import { GATEWAY_TOKEN_NAME, TOKEN_NAME } from '@choiros/contract/home-folder.ts'
import { openBubblewrap } from '@choiros/ports/sandbox/bubblewrap.ts'
import type { ExecResult, SandboxHost, SandboxSpec } from '@choiros/ports/sandbox/sandbox.ts'
import { deskSpec, VITE } from '@choiros/supervisor/desk/desk.ts'
import { prepareToolchain, type Toolchain } from '@choiros/supervisor/desk/toolchain.ts'
import { verifierSpec } from '@choiros/supervisor/runs/verification.ts'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choirHere } from '../support/choir.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { bundleSearch, plant, plantAgents } from '../support/plant.ts'
import { disguise, formsOf, type Found } from '../support/planted/search.ts'
import { CHECKOUT } from '../support/run-home.ts'

const KEY = `key-${randomBytes(24).toString('hex')}`
const VARIABLE = 'CHOIR_PLANTED_KEY'
const LIMITS = { cwd: '/tmp', environment: {}, wallClockMs: 60_000, outputBytesMax: 256 * 1024 }

describe('[L9] no secret enters a sandbox', () => {
  const home = temporaryFolder()
  let secrets: string[] = []
  let computer: ComputerView
  let running: Running
  let toolchain: Toolchain
  let host: SandboxHost

  const lastLine = ({ output }: ExecResult) =>
    JSON.parse(output.toString('utf8').trim().split('\n').at(-1) ?? '') as Found
  const command = (folder: string) => [
    '/opt/choir/node',
    `${folder}/artifacts/search.mjs`,
    JSON.stringify(disguise(secrets)),
  ]
  const treeFolder = () => join(home, 'computers', computer.id, 'tree')
  const inDesk = async (change: Partial<SandboxSpec> = {}, environment: Record<string, string> = {}) => {
    const sandbox = await host.create({ ...deskSpec(computer.id, treeFolder(), toolchain), ...change })
    try {
      void sandbox.exec(VITE).catch(() => {})
      return lastLine(await sandbox.exec({ ...LIMITS, command: command('/desk'), environment }))
    } finally {
      await sandbox.kill()
    }
  }
  const inVerifier = async (more: readonly string[] = []) => {
    const spec = verifierSpec('verifier-tested', treeFolder(), join(toolchain.folder, 'node_modules'))
    return lastLine(await host.runOnce(spec, { ...LIMITS, command: [...command('/tree'), ...more] }))
  }
  const inAgents = async (more: { leak?: string } = {}): Promise<Found[]> => {
    const asked = await choirHere(home, ['prompt', plant({ search: disguise(secrets), ...more }), '--wait', '--json'])
    const [director, associate] = JSON.parse((asked.json() as RunView).reply ?? '') as [Found, string]
    return [director, JSON.parse(associate) as Found]
  }
  /** Everything that the log and its objects hold. */
  const inRecord = (): string[] => {
    const forms = secrets.flatMap(formsOf)
    const folder = join(home, 'computers', computer.id)
    const found: string[] = []
    const look = (where: string, bytes: Buffer) => forms.some((form) => bytes.includes(form)) && found.push(where)
    const db = new Database(join(folder, 'log.sqlite'), { readonly: true })
    try {
      for (const { seq, bytes } of db.prepare('SELECT seq, bytes FROM event').all() as { seq: number; bytes: Buffer }[])
        look(`event ${seq}`, bytes)
      for (const { bytes } of db.prepare('SELECT bytes FROM object').all() as { bytes: Buffer }[])
        look('an object', bytes)
    } finally {
      db.close()
    }
    for (const name of readdirSync(join(folder, 'objects')))
      look('a large object', readFileSync(join(folder, 'objects', name)))
    return found
  }

  beforeAll(async () => {
    process.env[VARIABLE] = KEY // Of this process, the supervisor and the front door.
    await plantAgents(home)
    mkdirSync(join(home, 'keys'), { mode: 0o700 })
    writeFileSync(join(home, 'keys', 'model.key'), KEY, { mode: 0o600 })
    running = await startAll(home)
    await choirHere(home, ['write', 'artifacts/search.mjs'], await bundleSearch())
    ;[computer] = (await choirHere(home, ['computer', 'list', '--json'])).json() as [ComputerView]
    toolchain = await prepareToolchain(CHECKOUT, home)
    host = openBubblewrap({ folder: join(temporaryFolder(), 'host'), toolchain: toolchain.folder })
    const pem = readFileSync(join(home, 'keys', 'signing.pem'), 'utf8').split('\n')[1] ?? ''
    const files = [join(home, TOKEN_NAME), join(home, 'keys', GATEWAY_TOKEN_NAME)]
    secrets = [KEY, pem.slice(20), ...files.map((file) => readFileSync(file, 'utf8').trim())]
  })
  afterAll(async () => {
    delete process.env[VARIABLE]
    await host?.close()
    await running?.stop()
    removeFolders()
  })

  test('there are secrets to look for', () => {
    expect(secrets.map((secret) => secret.length >= 40)).toEqual([true, true, true, true])
  })

  test('the Director and the Associate at work see none, in no file, process, environment or answer', async () => {
    for (const { found, files, processes, answers } of await inAgents()) {
      expect(found).toEqual([])
      expect([files > 100, processes > 2, answers > 4]).toEqual([true, true, true])
    }
  })

  test('the desk and the verifiers see none', async () => {
    for (const { found, files, processes } of [await inDesk(), await inVerifier()]) {
      expect(found).toEqual([])
      expect([files > 1000, processes > 1]).toEqual([true, true])
    }
  })

  test('the log and its objects hold none, nor does what is printed', async () => {
    expect(inRecord()).toEqual([])
    for (const form of secrets.flatMap(formsOf)) expect(running.output()).not.toContain(form)
  })

  test.runIf(IS_LONG_LANE)('one that is planted on purpose is found, wherever it is', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'leak.txt'), `x${Buffer.from(`ab${KEY}`).toString('base64')}`)
    const { mounts } = deskSpec(computer.id, treeFolder(), toolchain)
    const desk = await inDesk(
      { mounts: [...mounts, { host: folder, guest: '/leak' }] },
      { LEAK: Buffer.from(KEY).toString('hex') },
    )
    expect(desk.found).toEqual(expect.arrayContaining(['/leak/leak.txt', 'the environment']))
    expect((await inVerifier([KEY])).found.some((place) => place.endsWith('/cmdline'))).toBe(true)
    const [director, associate] = await inAgents({ leak: KEY }) // In the person's own words it goes where words go.
    expect([director?.found, associate?.found]).toEqual([
      expect.arrayContaining(['an answer']),
      expect.arrayContaining(['the answer to task.get']),
    ])
    expect(inRecord().some((place) => place.startsWith('event '))).toBe(true)
  })
})
