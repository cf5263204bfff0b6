// Makes the checkout runnable. Plain JavaScript and Node's own modules only: it runs before anything is installed, on
// whatever Node >= 20 is there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { machine } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly } from './run-quietly.mjs'

export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
export const BIN = join(ROOT, 'node_modules', '.bin')
export const NODE = join(BIN, 'node')
const STAMP = join(ROOT, 'node_modules', '.setup-stamp')
const NODE_MAJOR = 24
const BOOTSTRAP_MAJOR_MIN = 20
const LOCK_WAIT_S = 900

/**
 * Debian's packages by purpose, and the command that shows a package is there.
 * @type {Record<string, Record<string, string>>}
 */
const PACKAGES = {
  start: { git: 'git', bubblewrap: 'bwrap' },
  check: {},
  test: {
    'git': 'git',
    'strace': 'strace',
    'bubblewrap': 'bwrap',
    'chromium': 'chromium',
    'firefox-esr': 'firefox-esr',
    'webkit2gtk-driver': 'WebKitWebDriver',
    'xvfb': 'Xvfb',
  },
}

/**
 * @param {string} purpose a key of PACKAGES. Returns when everything for it is there; ends the process with one
 * sentence when that cannot be.
 */
export async function setup(purpose) {
  if (!(purpose in PACKAGES)) fail(`there is no purpose "${purpose}", only ${Object.keys(PACKAGES).join(', ')}`)
  if (missingPackages(purpose).length === 0 && isInstalled()) return touchStamp()
  if (major(process.version) < BOOTSTRAP_MAJOR_MIN)
    fail(`ChoirOS needs Node ${BOOTSTRAP_MAJOR_MIN} or newer to install itself, and this is ${process.version}.`)
  // Before the minutes that npm ci takes: a person who may not install packages is told at once.
  refuseUnlessInstallable(missingPackages(purpose))
  const lock = takeLock()
  const missing = missingPackages(purpose)
  if (missing.length > 0) await installPackages(missing, lock)
  if (!isInstalled()) await installNodeModules(lock)
  closeSync(lock)
}

/**
 * Called after every npm install (`dependencies` in package.json, which runs in a checkout only), so that one done by
 * hand is not repeated.
 */
export function writeStamp() {
  if (!isRightNode()) return
  // A half-written stamp would match no lockfile and cost a reinstall under running processes.
  const draft = `${STAMP}.${process.pid}`
  writeFileSync(draft, expectedStamp())
  renameSync(draft, STAMP)
}

/**
 * Touches a stamp that is right but older than a lockfile that was only touched: the `choir` command compares nothing
 * but their times.
 */
function touchStamp() {
  const now = new Date()
  if (statSync(STAMP).mtimeMs <= statSync(join(ROOT, 'package-lock.json')).mtimeMs) utimesSync(STAMP, now, now)
}

function expectedStamp() {
  const lockfile = readFileSync(join(ROOT, 'package-lock.json'))
  // The platform is part of it: a checkout copied from another machine has binaries that do not run here.
  return `${createHash('sha256').update(lockfile).digest('hex')} ${process.platform}-${process.arch} ${machine()}\n`
}

function isInstalled() {
  try {
    return readFileSync(STAMP, 'utf8') === expectedStamp() && isRightNode()
  } catch {
    return false
  }
}

function isRightNode() {
  try {
    if (process.execPath === realpathSync(NODE)) return major(process.version) === NODE_MAJOR
  } catch {
    return false
  }
  const answer = spawnSync(NODE, ['--version'], { encoding: 'utf8' })
  return answer.status === 0 && major(answer.stdout) === NODE_MAJOR
}

/** @param {string} version */
function major(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0)
}

/** @param {string} purpose */
function missingPackages(purpose) {
  const packages = Object.entries(PACKAGES[purpose] ?? {})
  return packages.filter(([, command]) => !hasCommand(command)).map(([name]) => name)
}

/** @param {string} command */
function hasCommand(command) {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK)
      return statSync(join(folder, command)).isFile()
    } catch {
      return false
    }
  })
}

/** @param {string[]} missing */
function refuseUnlessInstallable(missing) {
  if (missing.length === 0 || (process.getuid?.() === 0 && hasCommand('apt-get'))) return
  const [noun, them] = missing.length === 1 ? ['package', 'it'] : ['packages', 'them']
  fail(
    `ChoirOS needs the ${noun} ${inWords(missing)}: install ${them} with "sudo apt-get install -y --no-install-recommends ${missing.join(' ')}" and run this again.`,
  )
}

/**
 * The kernel holds the lock for the open file: it is released when its last holder ends, so that kill -9 leaves no lock
 * behind. npm gets the file too: if a killed setup's npm still runs, the next setup must wait.
 */
function takeLock() {
  const lock = openSync(join(ROOT, '.setup-lock'), 'a')
  /** @param {string[]} options */
  const flock = (...options) => spawnSync('flock', [...options, '3'], { stdio: ['ignore', 'ignore', 'ignore', lock] })
  const first = flock('--nonblock')
  // no flock on this machine: then nothing protects two setups that run at once
  if (first.error || first.status === 0) return lock
  say('another setup is at work here, waiting for it')
  if (flock('--timeout', String(LOCK_WAIT_S)).status !== 0)
    fail(`another setup has been at work here for ${LOCK_WAIT_S} s; end it and run this again.`)
  return lock
}

/**
 * @param {string[]} missing
 * @param {number} lock
 */
async function installPackages(missing, lock) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  /** @param {string[]} args */
  const apt = (...args) =>
    runQuietly('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=600', ...args], {
      env,
      lock,
      say,
      what: `apt-get ${args.join(' ')}`,
    })
  // Always: nothing on the machine tells how old its lists are (their times are the server's), and with old lists we
  // would get browsers of months ago, or none.
  const update = await apt('update')
  const install = await apt('install', '-y', '--no-install-recommends', ...missing)
  const result = install.ok || update.ok ? install : { ok: false, output: `${update.output}\n${install.output}` }
  if (!result.ok) fail(`apt-get could not install ${inWords(missing)}; it said:\n${result.output}`)
  const still = missing.filter((name) =>
    Object.values(PACKAGES).some((packages) => name in packages && !hasCommand(packages[name] ?? '')),
  )
  if (still.length > 0) fail(`apt-get installed ${inWords(still)}, but the command is not on the PATH.`)
}

/** @param {number} lock */
async function installNodeModules(lock) {
  // Without our own folder in the PATH: npm would run on the very Node that it is about to delete.
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== BIN)
  // A packed release has no tests, and needs nothing for them.
  const args = [
    'ci',
    existsSync(join(ROOT, 'tests')) ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const result = await runQuietly('npm', args, {
    env: { ...process.env, PATH: path.join(delimiter) },
    cwd: ROOT,
    lock,
    say,
    what: 'npm ci',
  })
  if (!result.ok) fail(`npm ci failed; it said:\n${result.output}`)
  if (!isRightNode())
    fail(
      `npm ci ran, but ${NODE} is not Node ${NODE_MAJOR}; if your npm ignores install scripts, run "npm ci --ignore-scripts=false".`,
    )
  writeStamp()
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`setup: ${line}\n`)
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  say(sentence)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === '--stamp') writeStamp()
  else await setup(process.argv[2] ?? 'start')
}

/** @param {string[]} names "a", "a and b", "a, b and c" */
function inWords(names) {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
