import { spawn } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LAYERS, findViolations, type Manifests } from './layers.ts'
import { readFacts, type SourceFacts } from './source-facts.ts'

/** A tool that hangs must not hang the check with it. */
const TOOL_TIMEOUT_MS = 120_000

interface Outcome {
  readonly name: string
  readonly problem: string | null
  readonly seconds: number
}

const TOOLS = {
  'types': ['tsc'],
  'desktop types': ['tsc', '-p', 'desktop'],
  'frame types': ['tsc', '-p', 'control-plane/frame'],
  'lint': ['oxlint', '--type-aware', '--deny-warnings', '--format=unix'],
  'format': ['oxfmt', '--check'],
  'nothing dead': ['knip', '--no-progress'],
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const outcomes = await Promise.all([
  ...Object.entries(TOOLS).map(([name, [command, ...args]]) => timed(name, () => runTool(command!, args))),
  timed('layers', checkLayers),
  timed('contract types', () => runProgram(process.execPath, ['scripts/types.ts', '--check'])),
])
for (const { name, problem, seconds } of outcomes) {
  process.stdout.write(`check: ${name} ${problem === null ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)\n`)
  if (problem !== null) process.stdout.write(`${problem.trimEnd().replaceAll(/^/gm, '  ')}\n`)
}
const failed = outcomes.filter(({ problem }) => problem !== null).map(({ name }) => name)
if (failed.length > 0) {
  process.stdout.write(`check: ${failed.join(', ')} failed\n`)
  process.exitCode = 1
}

async function timed(name: string, run: () => Promise<string | null>): Promise<Outcome> {
  const start = performance.now()
  const problem = await run()
  return { name, problem, seconds: (performance.now() - start) / 1000 }
}

function runTool(command: string, args: readonly string[]): Promise<string | null> {
  return runProgram(join('node_modules', '.bin', command), args)
}

/** The output if it fails, null if it succeeds. */
function runProgram(command: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TOOL_TIMEOUT_MS })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) =>
      resolve(code === 0 ? null : `${output}\n${command} ended with ${signal ?? code}`),
    )
  })
}

async function checkLayers(): Promise<string | null> {
  const files = readSources()
  // A scan that finds nothing would pass for ever; that has happened, with a scanner that could not read our language.
  // So this file must be found.
  const own = files.find(({ path }) => path === 'scripts/check.ts')
  if (own === undefined || own.imports.length === 0) return 'the scan did not find its own source: it cannot be trusted'
  const rooms = readdirSync('.').filter((name) => name in LAYERS)
  const manifests: Manifests = Object.fromEntries(['', ...rooms].map((folder) => [folder, readManifest(folder)]))
  const violations = findViolations(files, manifests)
  return violations.length === 0
    ? null
    : violations.map(({ path, line, message }) => `${path}:${line} ${message}`).join('\n')
}

function readSources(): SourceFacts[] {
  const folders = readdirSync('.', { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !['node_modules', 'docs'].includes(entry.name),
  )
  const inFolders = folders.flatMap(({ name }) =>
    readdirSync(name, { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
  )
  const atRoot = readdirSync('.')
  const paths = [...atRoot, ...inFolders].filter(
    (path) => /\.(ts|tsx|mts|js|jsx|mjs)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path),
  )
  return paths.sort().map((path) => readFacts(path, readFileSync(path, 'utf8')))
}

function readManifest(folder: string): Manifests[string] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: object
    devDependencies?: object
  }
  return {
    dependencies: Object.keys(manifest.dependencies ?? {}),
    devDependencies: Object.keys(manifest.devDependencies ?? {}),
  }
}
