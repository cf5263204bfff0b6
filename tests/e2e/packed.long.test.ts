import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, freePort } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'

const run = promisify(execFile)
const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const BIN = join(CHECKOUT, 'node_modules', '.bin')

describe('a packed release, installed from the npm cache into an empty folder', { timeout: 600_000 }, () => {
  let folder = ''
  let environment: NodeJS.ProcessEnv = {}
  const npm = (...args: string[]) =>
    run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: join(folder, 'app'), env: environment })
  const choir = (...args: string[]) =>
    run(join(folder, 'app', 'node_modules', '.bin', 'choir'), args, { cwd: folder, env: environment })

  beforeAll(async () => {
    folder = temporaryFolder()
    mkdirSync(join(folder, 'app'))
    mkdirSync(join(folder, 'home'))
    environment = {
      PATH: (process.env['PATH'] ?? '')
        .split(':')
        .filter((one) => one !== BIN)
        .join(':'),
      HOME: join(folder, 'home'),
      npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
      npm_config_offline: 'true',
    }
    await run('npm', ['pack', '--pack-destination', folder], { cwd: CHECKOUT, env: environment })
    await npm('install', join(folder, 'choiros-0.1.0.tgz'))
  })
  afterAll(removeFolders)

  test('it is one package without others, and a command', () => {
    const modules = join(folder, 'app', 'node_modules')
    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['choiros'])
    expect(readlinkSync(join(modules, '.bin', 'choir'))).toBe('../choiros/command-line/choir')
    expect(readdirSync(join(modules, 'choiros'))).not.toContain('tests')
  })

  test('the first command sets it up; of two at once both answer', async () => {
    const answers = await Promise.all([choir('status', '--json'), choir('status', '--json')])
    expect(answers.map(({ stdout }) => JSON.parse(stdout) as object)).toEqual([
      expect.objectContaining({ ok: true, running: false }),
      expect.objectContaining({ ok: true, running: false }),
    ])
    const [release = ''] = readdirSync(join(folder, 'home', '.cache', 'choiros'))
    expect(release).toMatch(/^0\.1\.0-[0-9a-f]{16}$/)
    expect(readdirSync(join(folder, 'home', '.cache', 'choiros', release, 'node_modules'))).not.toContain('vitest')
  })

  test('by npx it is the same command', async () => {
    const { stdout } = await run(
      'npx',
      ['--offline', '--yes', '--package', join(folder, 'choiros-0.1.0.tgz'), 'choir', 'status'],
      {
        cwd: folder,
        env: environment,
      },
    )
    expect(stdout).toContain('ChoirOS is not running')
  })

  test('it starts, lands a wish, and stops', async () => {
    const port = await freePort()
    const child = spawn(join(folder, 'app', 'node_modules', '.bin', 'choir'), ['start', '--port', String(port)], {
      cwd: folder,
      env: environment,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
    const ended = once(child, 'close')
    try {
      await expect.poll(() => output, { timeout: 120_000 }).toContain('Sign in:')
      expect(output).toContain('"choir link" makes another')
      expect((await ask(port, '/health')).status).toBe(200)
      expect((await choir('prompt', 'make the accent teal', '--wait')).stdout).toContain('Made the accent teal')
      expect((await choir('stop', '--all')).stdout).toBe('ChoirOS has ended\n')
    } finally {
      child.kill()
    }
    expect(await ended).toEqual([0, null])
  })
})
