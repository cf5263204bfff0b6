import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { ChoirError } from '@choiros/contract/error.ts'
import { openAgentChannel } from './agent-channel.ts'
import type { ExecResult, ExecSpec, Mount, Sandbox, SandboxHost, SandboxSpec } from './sandbox.ts'
import { seccompProgram } from './seccomp.ts'

export interface BubblewrapOptions {
  /** A folder for us to write: it holds the guests' /etc and the seccomp program. */
  readonly folder: string
  /** Mounted at /opt/choir in every sandbox: `node` and the guest agent. */
  readonly toolchain: string
}

const START_MS = 10_000
/** The agent waits for most of its life: without the limit V8 keeps more memory than the agent ever uses. */
const AGENT = ['/opt/choir/node', '--max-semi-space-size=1', '/opt/choir/agents/guest.mjs']
const MEBIBYTE = 1024 * 1024
/**
 * One host uid per sandbox: limits and inotify instances count per uid, and no sandbox may touch another's processes.
 */
const FIRST_UID = 61_000
const UIDS = 2000
const BASE_ENVIRONMENT = { PATH: '/opt/choir:/usr/bin:/bin', HOME: '/home/choir', LANG: 'C.UTF-8', TMPDIR: '/tmp' }

/** Throws an error with one clear sentence where this machine cannot have such sandboxes. */
export function checkBubblewrap(): Buffer {
  const program = seccompProgram(process.arch)
  if (program === null)
    throw new ChoirError('sandbox.unavailable', `sandboxes are not known to be safe on ${process.arch} machines`)
  if (!existsSync('/usr/bin/bwrap'))
    throw new ChoirError('sandbox.unavailable', 'bubblewrap is missing: install it with "apt-get install bubblewrap"')
  return program
}

/**
 * Sandboxes by bubblewrap: namespaces, a seccomp filter, a uid of their own where we are root, no network, nothing of
 * the host but what is mounted.
 */
export function openBubblewrap({ folder, toolchain }: BubblewrapOptions): SandboxHost {
  const program = checkBubblewrap()
  const etc = join(folder, 'etc')
  const filter = join(folder, 'seccomp.bpf')
  mkdirSync(etc, { recursive: true, mode: 0o755 })
  writeEtc(etc)
  writeFileSync(filter, program)
  const isRoot = process.getuid?.() === 0
  const running = new Set<Sandbox>()
  let nextUid = 0
  let closed = false

  const start = (spec: SandboxSpec, command: readonly string[], stdio: 'agent' | 'output'): ChildProcess => {
    const mounts: Mount[] = [{ host: toolchain, guest: '/opt/choir' }, { host: etc, guest: '/etc' }, ...spec.mounts]
    if (spec.syscallSocket !== null) mounts.push({ host: spec.syscallSocket, guest: '/run/choir.sock' })
    const seccomp = openSync(filter, 'r')
    const uid = FIRST_UID + (nextUid++ % UIDS)
    const [executable = '', ...args] = isRoot
      ? asUid(uid, mounts, spec, command)
      : ['/usr/bin/bwrap', ...bubblewrapArguments(mounts, spec, command)]
    try {
      return spawn(executable, args, {
        // Bubblewrap's own first process keeps this environment, readable inside at /proc/1/environ.
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        cwd: '/',
        detached: true, // A group of its own, for `end`.
        stdio: ['ignore', 'pipe', 'pipe', stdio === 'agent' ? 'pipe' : 'ignore', seccomp],
      })
    } finally {
      closeSync(seccomp)
    }
  }

  return {
    isolation: isRoot
      ? 'bubblewrap, one user per sandbox, seccomp, no network'
      : 'bubblewrap, seccomp, no network (not root: sandboxes share your user)',
    list: () => [...running].map(({ name, role }) => ({ name, role })),
    async create(spec) {
      if (closed) throw new ChoirError('sandbox.unavailable', 'no sandbox is started any more: ChoirOS is stopping')
      const child = start(spec, AGENT, 'agent')
      const said = collectOutput(child, 64 * 1024)
      const ended = new Promise<{ reason: string }>((resolve) => {
        child.once('error', (error) => resolve({ reason: error.message }))
        child.once('close', (code, signal) => resolve({ reason: `${signal ?? `exit ${code}`} ${said.text()}`.trim() }))
      })
      const channel = openAgentChannel(child.stdio[3] as unknown as Duplex)
      const sandbox: Sandbox = {
        name: spec.name,
        role: spec.role,
        exec: (exec) => channel.exec({ ...exec, environment: { ...BASE_ENVIRONMENT, ...exec.environment } }),
        collect: (collectSpec) => channel.collect(collectSpec),
        dial: (port) => channel.dial(port),
        ended,
        async kill() {
          end(child)
          await ended
        },
      }
      void ended.then(() => {
        running.delete(sandbox)
        channel.close()
      })
      running.add(sandbox)
      try {
        await Promise.race([
          channel.ping(START_MS),
          ended.then(({ reason }) =>
            Promise.reject(new ChoirError('sandbox.unavailable', `the sandbox did not start: ${reason.slice(0, 500)}`)),
          ),
        ])
      } catch (error) {
        await sandbox.kill()
        throw error
      }
      return sandbox
    },
    runOnce: (spec, exec, signal) => runOnce(start(spec, withEnvironment(exec), 'output'), exec, signal),
    async close() {
      closed = true
      await Promise.all([...running].map((sandbox) => sandbox.kill()))
    },
  }
}

/**
 * Killing bubblewrap's first process ends the whole pid namespace, once the two are bound together. Before that moment
 * the second process would survive and wait for ever, so the whole process group is killed: the second process leaves
 * it only later.
 */
function end(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function withEnvironment({ command, cwd, environment }: ExecSpec): string[] {
  const variables = Object.entries({ ...BASE_ENVIRONMENT, ...environment }).map(([name, value]) => `${name}=${value}`)
  return ['/usr/bin/env', '-i', '-C', cwd, ...variables, ...command]
}

function runOnce(
  child: ChildProcess,
  { wallClockMs, outputBytesMax }: ExecSpec,
  signal?: AbortSignal,
): Promise<ExecResult> {
  const said = collectOutput(child, outputBytesMax)
  const kill = () => end(child)
  if (signal?.aborted === true) kill()
  signal?.addEventListener('abort', kill, { once: true })
  let timedOut = false
  const clock = setTimeout(() => {
    timedOut = true
    kill()
  }, wallClockMs)
  const done = () => {
    clearTimeout(clock)
    signal?.removeEventListener('abort', kill)
  }
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      done()
      reject(new ChoirError('sandbox.unavailable', 'the sandbox could not be started', { cause }))
    })
    child.once('close', (exitCode, killedBy) => {
      done()
      resolve({
        end: timedOut ? 'timed-out' : killedBy === null ? 'exited' : 'killed',
        exitCode,
        output: said.bytes(),
        truncated: said.truncated(),
      })
    })
  })
}

function collectOutput(
  child: ChildProcess,
  bytesMax: number,
): { bytes(): Buffer; text(): string; truncated(): boolean } {
  const pieces: Buffer[] = []
  let left = bytesMax
  let truncated = false
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      const part = data.subarray(0, left)
      truncated ||= part.length < data.length
      left -= part.length
      if (part.length > 0) pieces.push(part)
    })
  }
  return {
    bytes: () => Buffer.concat(pieces),
    text: () => Buffer.concat(pieces).toString('utf8'),
    truncated: () => truncated,
  }
}

/**
 * As root: what is mounted may lie where the sandbox's uid cannot go, so it is bound first into a mount namespace that
 * only this sandbox has, then the uid is dropped for good, then bubblewrap starts. The namespace goes with its last
 * process: no mount is ever left on the host.
 */
function asUid(uid: number, mounts: readonly Mount[], spec: SandboxSpec, command: readonly string[]): string[] {
  const script = ['set -e', 'mount -t tmpfs -o mode=755,size=1m choir /mnt']
  const seen = mounts.map(({ host, guest }, index) => {
    const place = `/mnt/${index}`
    script.push(
      statSync(host).isDirectory() ? `mkdir ${place}` : `touch ${place}`,
      `mount --bind "$1" ${place}`,
      'shift',
    )
    return { host: place, guest }
  })
  script.push(`exec setpriv --reuid=${uid} --regid=${uid} --clear-groups --no-new-privs bwrap "$@"`)
  return [
    'unshare',
    '--mount',
    '--propagation',
    'private',
    '/bin/sh',
    '-c',
    script.join('\n'),
    'sh',
    ...mounts.map((mount) => mount.host),
    ...bubblewrapArguments(seen, spec, command),
  ]
}

function bubblewrapArguments(mounts: readonly Mount[], spec: SandboxSpec, command: readonly string[]): string[] {
  const system = ['/usr', '/bin', '/lib', '/lib64', '/sbin'].filter((path) => existsSync(path))
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    '--uid',
    '1000',
    '--gid',
    '1000',
    '--hostname',
    spec.role,
    ...system.flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
    ),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    // Without this, /dev is a writable tmpfs of half the memory.
    '--size',
    String(64 * MEBIBYTE),
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--size',
    String(256 * MEBIBYTE),
    '--tmpfs',
    '/tmp',
    '--size',
    String(256 * MEBIBYTE),
    '--tmpfs',
    '/home/choir',
    ...mounts.flatMap(({ host, guest }) => ['--ro-bind', host, guest]),
    ...spec.scratch.flatMap(({ guest, bytesMax }) => ['--size', String(bytesMax), '--tmpfs', guest]),
    ...Object.entries(BASE_ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    '/home/choir',
    '--remount-ro',
    '/',
    '--seccomp',
    '4',
    '--',
    ...command,
  ]
}

/**
 * A /etc of our own: without it `localhost` does not resolve inside, and with the host's its users and hosts would be
 * seen.
 */
function writeEtc(etc: string): void {
  const files = {
    'passwd': 'choir:x:1000:1000:choir:/home/choir:/bin/sh\n',
    'group': 'choir:x:1000:\n',
    'hosts': '127.0.0.1 localhost\n::1 localhost\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
    'resolv.conf': '',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(etc, name), text, { mode: 0o644 })
}
