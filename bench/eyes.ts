import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { touchedArgument } from '@choiros/contract/verdict.ts'
import { openBubblewrap } from '@choiros/ports/sandbox/bubblewrap.ts'
import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import { readBase } from '@choiros/supervisor/computer/base.ts'
import { findBrowser } from '@choiros/supervisor/desk/browser.ts'
import { prepareToolchain } from '@choiros/supervisor/desk/toolchain.ts'
import { ONLY_TOOLCHAIN, verifierSpec } from '@choiros/supervisor/runs/verification.ts'
import { interleave, median, time } from './measure.ts'
import type { Section } from './report.ts'

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))
const SEE_MS_MAX = 1500
const RENDER_MS_MAX = 2000
const APP = 'app/apps/files/app.tsx'

/** Both as an agent and a run have them, in their real sandboxes, on the desktop that every computer begins with. */
export async function run(folder: string): Promise<Section> {
  const home = join(folder, 'eyes-home')
  mkdirSync(home)
  const toolchain = await prepareToolchain(CHECKOUT, home)
  const host = openBubblewrap({ folder: join(home, 'sandboxes'), toolchain: toolchain.folder })
  const tree = join(home, 'tree')
  writeBase(tree)
  const packages = join(toolchain.folder, 'node_modules')
  const browser = findBrowser()
  if (browser === null) throw new Error('there is no browser on this machine to measure with')
  const render = await interleave(
    () => time(() => verify(host, tree, packages, 'render', browser)),
    () => time(() => startAlone(host, tree, packages, browser)),
  )
  const server = await interleave(
    () => time(() => verify(host, tree, packages, 'render', 'none')),
    () => time(() => verify(host, tree, packages, 'transform', 'none')),
  )
  const see = await seeWarm(host, tree, packages, browser)
  await host.close()
  return {
    rows: [
      {
        promise: '`see` warm: an app in its window, one click, picture, outline, console',
        against: 'the same without the click',
        ...see,
        target: `≤ ${SEE_MS_MAX / 1000} s`,
        also: { text: `${median(see.ours).toFixed(0)} ms`, met: median(see.ours) <= SEE_MS_MAX },
      },
      {
        promise: '`render` of one app and the desktop, with a picture of each, cold',
        against: 'a sandbox in which the browser shows an empty page',
        ...render,
        target: `≤ ${RENDER_MS_MAX / 1000} s`,
        also: { text: `${median(render.ours).toFixed(0)} ms`, met: median(render.ours) <= RENDER_MS_MAX },
      },
      { promise: '`render` without a browser', against: 'the verifier `transform`', ...server },
    ],
    memory: [],
    notes: [
      '`see` keeps its browser and its Vite in the Associate’s sandbox: after a change only the changed modules are made again, and the page is a new one each time. Before each look a file of the app is written. `render` starts both in a fresh sandbox; Vite makes the modules while the browser is starting, so the longer of the two counts.',
    ],
  }
}

function writeBase(tree: string): void {
  const { changes, objects } = readBase(join(CHECKOUT, 'desktop'))
  const bytes = new Map<string, Uint8Array>(objects.map((object) => [object.hash, object.bytes]))
  for (const { path, to } of changes) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), bytes.get(to?.object ?? '') ?? '')
  }
}

async function verify(host: SandboxHost, tree: string, packages: string, verifier: string, browser: string) {
  const { exitCode, output } = await host.runOnce(verifierSpec('bench', tree, packages), {
    command: [...ONLY_TOOLCHAIN, `/opt/choir/verify/${verifier}.mjs`, ...touchedArgument([APP])],
    cwd: '/tree',
    environment: { CHOIR_BROWSER: browser },
    wallClockMs: 60_000,
    outputBytesMax: 8 * 1024 * 1024,
  })
  if (exitCode !== 0) throw new Error(output.toString('utf8').slice(-500))
}

/** What no work of ours could save: a sandbox, the browser's own start, one page. */
async function startAlone(host: SandboxHost, tree: string, packages: string, browser: string): Promise<void> {
  const flags = ['--headless', '--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-dev-shm-usage']
  await host.runOnce(verifierSpec('bench', tree, packages), {
    command: [browser, ...flags, '--user-data-dir=/tmp/profile', '--dump-dom', 'about:blank'],
    cwd: '/tree',
    environment: {},
    wallClockMs: 60_000,
    outputBytesMax: 64 * 1024,
  })
}

async function seeWarm(host: SandboxHost, tree: string, packages: string, browser: string) {
  const sandbox = await host.create({
    name: 'bench-see',
    role: 'associate',
    mounts: [
      { host: tree, guest: '/base' },
      { host: packages, guest: '/node_modules' },
    ],
    scratch: [{ guest: '/stage', bytesMax: 64 * 1024 * 1024 }],
    syscallSocket: null,
  })
  try {
    // The loop runs inside, where an Associate asks; only its figures come out.
    const { output, exitCode } = await sandbox.exec({
      command: ['/bin/sh', '-c', 'cp -a /base/. /stage/ && exec /opt/choir/node --input-type=module -e "$0" ', INSIDE],
      cwd: '/stage',
      environment: { CHOIR_BROWSER: browser },
      wallClockMs: 300_000,
      outputBytesMax: 64 * 1024,
    })
    if (exitCode !== 0) throw new Error(output.toString('utf8').slice(-800))
    return JSON.parse(output.toString('utf8').trim().split('\n').at(-1) ?? '') as { ours: number[]; raw: number[] }
  } finally {
    await sandbox.kill()
  }
}

const INSIDE = `
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const eyes = spawn('/opt/choir/node', ['/opt/choir/agents/eyes.mjs', '/stage'], { cwd: '/tmp', env: process.env, stdio: ['pipe', 'pipe', 'ignore'] })
const lines = createInterface({ input: eyes.stdout })[Symbol.asyncIterator]()
const file = '/stage/${APP}'
const text = readFileSync(file, 'utf8')
let turn = 0
const look = async (steps) => {
  writeFileSync(file, text + '// ' + ++turn + '\\n')
  const start = performance.now()
  eyes.stdin.write(JSON.stringify({ app: 'files', steps }) + '\\n')
  const { value } = await lines.next()
  const { seen, error } = JSON.parse(value)
  if (error !== undefined || seen.findings.length > 0 || seen.stopped !== null) throw new Error(value.slice(0, 600))
  return performance.now() - start
}
const [ours, raw] = [[], []]
for (let round = -3; round < 30; round++) {
  const one = await look([{ click: 'Window Files' }])
  const other = await look([])
  if (round >= 0) { ours.push(one); raw.push(other) }
}
console.log(JSON.stringify({ ours, raw }))
process.exit(0)
`
