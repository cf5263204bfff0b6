import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeCheckout } from './fake-checkout.ts'

const ECHO = `
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  process.stderr.write(JSON.stringify({ cwd: process.cwd(), args: process.argv.slice(2) }))
  process.stdout.write(Buffer.concat(chunks), () => process.exit(7))
`
const WAIT = `
  process.on('SIGTERM', () => process.exit(9))
  process.stdout.write('ready')
  setTimeout(() => process.exit(1), 20_000) // an orphan must not outlive its test
`

let checkout: ReturnType<typeof createFakeCheckout>
let elsewhere: string
beforeEach(async () => {
  checkout = createFakeCheckout()
  checkout.addPackages()
  checkout.addNpm()
  checkout.write('command-line/main.ts', ECHO)
  checkout.write('scripts/launch.ts', WAIT)
  elsewhere = join(realpathSync(checkout.root), 'elsewhere')
  mkdirSync(elsewhere)
  await checkout.run('setup.mjs').ended
})
afterEach(() => checkout.remove())

// The first start of a checkout runs on the machine's own Node, which may be too old to replace itself.
describe.each([
  ['in place', {}],
  ['as a child', { NODE_OPTIONS: '--import=data:text/javascript,process.execve=undefined' }],
])('Node 24 %s', (_name, options) => {
  test('gets arguments and input byte for byte, and its exit code is ours', async () => {
    const input = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 256))
    const ended = await checkout.run('choir.mjs', ['write', '--', 'a b', ''], { cwd: elsewhere, env: options, input })
      .ended
    expect(ended.code).toBe(7)
    expect(ended.stdout.equals(input)).toBe(true)
    expect(JSON.parse(ended.stderr)).toEqual({ cwd: elsewhere, args: ['write', '--', 'a b', ''] })
  })

  test('stands where npm was called, not where npm went', async () => {
    const env = { ...options, npm_lifecycle_event: 'choir', INIT_CWD: elsewhere }
    const ended = await checkout.run('choir.mjs', [], { env }).ended
    expect(JSON.parse(ended.stderr)).toMatchObject({ cwd: elsewhere })
  })

  test('stands where it was called when another npm script is above it', async () => {
    const env = { ...options, npm_lifecycle_event: 'test', INIT_CWD: checkout.root }
    const ended = await checkout.run('choir.mjs', [], { env, cwd: elsewhere }).ended
    expect(JSON.parse(ended.stderr)).toMatchObject({ cwd: elsewhere })
  })

  test('gets the signal that its starter gets', async () => {
    const { child, ended } = checkout.run('start.mjs', [], { env: options })
    child.stdout!.once('data', () => child.kill('SIGTERM'))
    expect(await ended).toMatchObject({ code: 9, stdout: Buffer.from('ready'), stderr: '' })
  })
})

test('npm passes a signal on to the supervisor: without exec in the script it reaches only the shell between them, and an orphan stays', async () => {
  copyFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), join(checkout.root, 'package.json'))
  const npm = spawn('npm', ['start', '--silent'], { cwd: checkout.root, stdio: ['ignore', 'pipe', 'ignore'] })
  npm.stdout.once('data', () => npm.kill('SIGTERM'))
  const code = await new Promise((resolve) => {
    npm.on('close', resolve)
  })
  expect(code).toBe(9)
})
