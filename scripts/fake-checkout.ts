import { spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SCRIPTS = fileURLToPath(new URL('.', import.meta.url))
const TOOLS = ['/bin/sleep', '/bin/mkdir', '/bin/chmod', '/bin/ln', '/usr/bin/flock']

export interface Ended {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

/** A checkout with our scripts in it, on a machine that has only the commands that a test adds. */
export function createFakeCheckout() {
  const root = mkdtempSync(join(tmpdir(), 'checkout-'))
  const bin = join(root, 'machine')
  const journal = join(root, 'journal')
  mkdirSync(bin)
  mkdirSync(join(root, 'tests')) // A packed release has none.
  writeFileSync(join(root, 'package-lock.json'), '{}')
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  cpSync(SCRIPTS, join(root, 'scripts'), { recursive: true, filter: (path) => !path.endsWith('.ts') })
  for (const tool of TOOLS) symlinkSync(tool, join(bin, tool.slice(tool.lastIndexOf('/') + 1)))

  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  /** A shell script on the PATH that notes each of its calls in the journal. */
  const addCommand = (name: string, script = '') => {
    write(`machine/${name}`, `#!/bin/sh\necho "${name} $*" >> '${journal}'\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  /** The commands that `npm start` looks for. */
  const addPackages = () => {
    for (const name of ['git', 'bwrap']) addCommand(name)
  }
  const addNpm = ({ seconds = 0, node = process.execPath } = {}) =>
    addCommand(
      'npm',
      `sleep ${seconds}; mkdir -p node_modules/.bin; ln -sf '${node}' node_modules/.bin/node; echo 'npm done' >> '${journal}'`,
    )
  const run = (
    script: string,
    args: readonly string[] = [],
    { env = {}, cwd = root, input = Buffer.alloc(0) } = {},
  ): Running => {
    const child = spawn(process.execPath, [join(root, 'scripts', script), ...args], { cwd, env: { PATH: bin, ...env } })
    child.stdin.on('error', () => {}) // a script that refuses has gone before it read anything
    child.stdin.end(input)
    const stdout: Buffer[] = []
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code) => resolve({ code, stdout: Buffer.concat(stdout), stderr }))
    })
    return { child, ended }
  }
  return {
    root,
    write,
    addCommand,
    addPackages,
    addNpm,
    run,
    journal: () => (existsSync(journal) ? readFileSync(journal, 'utf8').trimEnd().split('\n') : []),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
