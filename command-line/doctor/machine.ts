import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { bad, ok, weaker, type Finding } from './finding.ts'

const run = promisify(execFile)
const PROGRAM_MS = 10_000
const NODE_MAJOR = 24
/** The supervisor looks for it at the same place. */
const BUBBLEWRAP = '/usr/bin/bwrap'
/** Architectures for which there is a filter of system calls. */
const ARCHITECTURES = ['x64', 'arm64']

/**
 * Browsers by the names of their programs, with the first release (if there is one) in which headers alone keep a page
 * from reaching outside (docs/security.md).
 */
const BROWSERS = [
  {
    engine: 'Chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    walledFrom: 152,
  },
  { engine: 'Firefox', programs: ['firefox', 'firefox-esr'], walledFrom: null },
]

export async function examineMachine(): Promise<Finding[]> {
  const [sandbox, browsers] = await Promise.all([examineSandbox(), examineBrowsers()])
  return [examineNode(), examineGit(), sandbox, examineCgroups(), examineKvm(), browsers]
}

function examineNode(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= NODE_MAJOR) return ok('node', process.version)
  return bad(
    'node',
    `${process.version}, and ChoirOS runs on ${NODE_MAJOR}`,
    'run "npm ci" in the folder of ChoirOS: the right Node comes with its lockfile',
  )
}

function examineGit(): Finding {
  const git = findProgram('git')
  return git === null
    ? bad('git', 'is missing: checkpoints are git commits, too', 'install it with "apt-get install git"')
    : ok('git', git)
}

async function examineSandbox(): Promise<Finding> {
  if (!ARCHITECTURES.includes(process.arch))
    return bad(
      'sandbox',
      `there is no filter of system calls for ${process.arch}`,
      `use a machine of one of ${ARCHITECTURES.join(', ')}`,
    )
  if (!existsSync(BUBBLEWRAP))
    return bad('sandbox', 'bubblewrap is missing', 'install it with "apt-get install bubblewrap"')
  try {
    await run(
      BUBBLEWRAP,
      ['--unshare-all', '--die-with-parent', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true'],
      {
        timeout: PROGRAM_MS,
      },
    )
  } catch (error) {
    return bad(
      'sandbox',
      `bubblewrap is there, but may not make a sandbox: ${firstLine((error as { stderr?: string }).stderr ?? String(error))}`,
      'allow user namespaces (in a container: run it with more rights; on Ubuntu: an AppArmor profile for bwrap), or start ChoirOS as root',
    )
  }
  if (process.getuid?.() === 0)
    return ok('sandbox', 'bubblewrap with a system call filter, one Unix user per sandbox, no network')
  return weaker(
    'sandbox',
    'bubblewrap with a system call filter, no network; all sandboxes and both parts of ChoirOS are your own Unix user',
    'started as root, each has a user of its own',
  )
}

function examineCgroups(): Finding {
  const isThere = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const controllers = isThere ? readFileSync('/sys/fs/cgroup/cgroup.controllers', 'utf8').trim() : ''
  return weaker(
    'limits',
    `sandboxes have limits of time and output, none of memory and processor yet (cgroups here: ${isThere ? `version 2, ${controllers === '' ? 'nothing handed down' : controllers}` : 'no version 2'})`,
  )
}

function examineKvm(): Finding {
  const isUsable = canUse('/dev/kvm', constants.R_OK | constants.W_OK)
  return ok(
    'kvm',
    isUsable
      ? 'is there; this release holds its sandboxes by bubblewrap'
      : 'is not usable here, and nothing needs it yet',
  )
}

async function examineBrowsers(): Promise<Finding> {
  const found = await Promise.all(
    BROWSERS.flatMap(({ programs, ...kind }) => programs.map((name) => ({ name, ...kind, path: findProgram(name) })))
      .filter(({ path }) => path !== null)
      .map(async ({ engine, walledFrom, path }) => {
        const version = await versionOf(path ?? '')
        const major = Number(/(\d+)\./.exec(version)?.[1] ?? 0)
        return {
          text: `${engine} ${version === '' ? '(version unknown)' : version}`,
          isWalled: walledFrom !== null && major >= walledFrom,
        }
      }),
  )
  const texts = [...new Set(found.map(({ text }) => text))].join(', ')
  if (found.length === 0)
    return ok('browser', 'none on this machine: open the link in the browser of another one, through an SSH tunnel')
  if (found.some(({ isWalled }) => isWalled)) return ok('browser', texts)
  return weaker(
    'browser',
    `${texts}: a hostile desktop may find a way out that these cannot close`,
    'use Chromium 152 or newer; docs/security.md says what others hold back',
  )
}

async function versionOf(program: string): Promise<string> {
  try {
    const { stdout } = await run(program, ['--version'], { timeout: PROGRAM_MS })
    return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? ''
  } catch {
    return ''
  }
}

function findProgram(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/'))
  return (
    folders
      .map((folder) => join(folder, name))
      .find((path) => canUse(path, constants.X_OK) && statSync(path).isFile()) ?? null
  )
}

function canUse(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}
