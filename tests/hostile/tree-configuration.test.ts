import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ComputerId } from '@choiros/contract/ids.ts'
import { openBubblewrap } from '@choiros/ports/sandbox/bubblewrap.ts'
import type { Sandbox, SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import { deskSpec, VITE } from '@choiros/supervisor/desk/desk.ts'
import { prepareToolchain, type Toolchain } from '@choiros/supervisor/desk/toolchain.ts'
import { readBase } from '@choiros/supervisor/computer/base.ts'
import { verifierSpec } from '@choiros/supervisor/runs/verification.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lendToolchain } from '../support/shared-toolchain.ts'
import { CHECKOUT } from '../support/run-home.ts'

const MARK = 'planted-configuration'
/** Everything that a tool of the desk would take for its configuration, and modules on which it would be seen. */
const PLANTED: Readonly<Record<string, string>> = {
  'app/postcss.config.mjs': `export default { plugins: [{ postcssPlugin: 'x', Once(root) { root.append('.${MARK} { color: red }') } }] }`,
  'app/.postcssrc.json': `{ "plugins": { "${MARK}": {} } }`,
  'app/vite.config.ts': `throw new Error('${MARK}')`,
  'app/tsconfig.json': '{ "compilerOptions": { "useDefineForClassFields": false, "target": "ES2020" } }',
  'app/apps/tsconfig.json': '{ this is not JSON',
  'app/.env': `VITE_PLANTED=${MARK}`,
  'app/.env.local': `VITE_PLANTED=${MARK}`,
  'app/package.json': `{ "name": "react", "type": "commonjs", "exports": "./${MARK}.js", "imports": { "#own": "./${MARK}.js" }, "browserslist": "ie 6" }`,
  'app/.browserslistrc': 'ie 6',
  [`app/${MARK}.js`]: 'export default 1',
  'app/fields.ts':
    'class Base { set field(_: number) { throw new Error() } }\nexport class Fields extends Base { field = 1 }',
  'app/environment.ts': 'export const environment = import.meta.env',
  'app/imports.tsx': "import { useState } from 'react'\nexport const state = useState",
  'app/plain.css': 'p { color: green }',
}

// The real desk and the real verifiers, on a tree that is full of configuration.
describe('no file of a tree is configuration', { timeout: 120_000 }, () => {
  const folder = temporaryFolder()
  const tree = join(folder, 'planted')
  let toolchain: Toolchain
  let host: SandboxHost
  let desk: Sandbox

  const put = (path: string, bytes: string | Uint8Array) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), bytes)
  }
  const get = async (path: string): Promise<string> => {
    const stream = await desk.dial(5173)
    return new Promise((resolve, reject) => {
      const asked = request(
        { createConnection: () => stream, path, headers: { host: 'localhost', connection: 'close' } },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
          response.on('end', () => resolve(response.statusCode === 200 ? text : `${response.statusCode} ${text}`))
        },
      )
      asked.on('error', reject).end()
    })
  }
  const verify = async (name: string, paths: readonly string[]) => {
    const spec = verifierSpec(`verifier-${name}`, tree, join(toolchain.folder, 'node_modules'))
    const command = ['/opt/choir/node', `/opt/choir/verify/${name}.mjs`, JSON.stringify(paths)]
    const { output } = await host.runOnce(spec, {
      command,
      cwd: '/tree',
      environment: {},
      wallClockMs: 60_000,
      outputBytesMax: 1024 * 1024,
    })
    return JSON.parse(output.toString('utf8').trim().split('\n').at(-1) ?? '') as {
      ok: boolean
      problems: { path: string; message: string }[]
    }
  }

  beforeAll(async () => {
    const { changes, objects } = readBase(join(CHECKOUT, 'desktop'))
    const bytes = new Map(objects.map((object) => [object.hash, object.bytes]))
    for (const { path, to } of changes) put(path, bytes.get(to?.object ?? ('' as never)) ?? '')
    for (const [path, text] of Object.entries(PLANTED)) put(path, text)
    await lendToolchain(folder)
    toolchain = await prepareToolchain(CHECKOUT, folder)
    host = openBubblewrap({ folder: join(folder, 'sandboxes'), toolchain: toolchain.folder })
    desk = await host.create(deskSpec(ComputerId.parse('planted'), tree, toolchain))
    void desk.exec(VITE).catch(() => {})
    for (let tries = 0; tries < 300 && !(await get('/@vite/client').then(Boolean, () => false)); tries++)
      await delay(100)
  }, 120_000)
  afterAll(async () => {
    await host.close()
    removeFolders()
  })

  test('PostCSS is not configured by it', async () => {
    const style = await get('/plain.css?direct')
    expect(style).toContain('green')
    expect(style).not.toContain(MARK)
  })

  test('a tsconfig neither changes what code becomes nor keeps it from being served', async () => {
    // By the tree's own it would be an assignment, and the setter would throw.
    expect(await get('/fields.ts')).not.toMatch(/this\.field = 1|^500/)
    expect(await get('/apps/files/app.tsx')).not.toMatch(/^500/)
    expect(await get('/main.tsx')).not.toMatch(/^500/)
  })

  test('environment files are not read', async () => {
    const module = await get('/environment.ts')
    expect(module).toContain('import.meta.env')
    expect(module).not.toContain(MARK)
  })

  test('a package.json does not say what a package is', async () => {
    const module = await get('/imports.tsx')
    expect(module).toMatch(/\/node_modules\/\.page\/react\.js/)
    expect(module).not.toContain(MARK)
  })

  test('what the desk finds in a tree it does not execute', async () => {
    const [node = '', ...options] = VITE.command.slice(0, 2)
    const { output, exitCode } = await desk.exec({
      ...VITE,
      command: [node, ...options, '/desk/app/vite.config.ts'],
      wallClockMs: 20_000,
    })
    expect([exitCode, output.toString('utf8')]).toEqual([1, expect.stringContaining('not a part of the toolchain')])
  })

  test('the verifiers do not read it either', async () => {
    put('app/ambient.ts', "declare module '*'\n")
    put('app/ambient-types.d.ts', "declare module '*'\n")
    put('app/silenced.ts', "import { nothing } from 'nowhere'\nexport const x: number = nothing\n")
    const [transform, types, policy] = [
      await verify('transform', []),
      await verify('types', []),
      await verify('policy', Object.keys(PLANTED)),
    ]
    expect(
      transform.problems.filter(({ path }) => path.startsWith('app/apps/files/') || path.endsWith('.tsx')),
    ).toEqual([])
    expect(types.problems).toContainEqual(
      expect.objectContaining({ path: 'app/silenced.ts', message: expect.stringContaining('nowhere') as string }),
    )
    expect(policy.problems.map(({ path }) => path).sort()).toEqual([
      'app/.browserslistrc',
      'app/.env',
      'app/.env.local',
      'app/.postcssrc.json',
      'app/apps/tsconfig.json',
      'app/package.json',
      'app/postcss.config.mjs',
      'app/tsconfig.json',
      'app/vite.config.ts',
    ])
  })
})
