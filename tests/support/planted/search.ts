import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs'
import { request } from 'node:http'
import { SYSCALL_SOCKET, SYSCALLS } from '@choiros/contract/syscalls.ts'

export interface Found {
  /** Where a secret was seen. */
  readonly found: string[]
  readonly files: number
  readonly processes: number
  readonly answers: number
}

/** Secrets are passed in reverse: otherwise the search would find itself. */
export function disguise(secrets: readonly string[]): string[] {
  return secrets.map((secret) => Array.from(secret).reverse().join(''))
}

/** As itself, in hex, and in base64 for every offset at which it may begin. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    return text.slice(shift === 0 ? 0 : 4, -4)
  })
  return [
    ...new Set([
      secret,
      bytes.toString('hex'),
      ...base64,
      ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ]
}

const FILE_BYTES_MAX = 64 * 1024 * 1024
/** The system's own programs, the same for everyone; files that are new there are read all the same. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64']
const RECENT_MS = 5 * 60 * 1000
/** Memory, which seccomp and the agent's mode keep closed, and what never ends. */
const ENDLESS = /^\/proc\/(kcore|kmsg|kpage\w+|sysrq-trigger|\d+\/(mem|pagemap|clear_refs))$/

/** Threads share everything that can be read with their process. */
const THREADS = /^\/proc\/\d+\/task$/

/** From inside a sandbox: every readable file, all of /proc, the environment, and what every syscall answers. */
export async function searchInside(disguised: readonly string[], more: readonly string[] = []): Promise<Found> {
  const forms = disguise(disguised).flatMap(formsOf)
  const found = new Set<string>()
  let files = 0
  let answers = 0
  const look = (where: string, data: Buffer | string) => {
    if (forms.some((form) => data.includes(form))) found.add(where)
  }
  const seen = new Set<string>()
  const walk = (folder: string) => {
    const isRecent = !isOldSystem(folder)
    for (const entry of attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const path = folder === '/' ? `/${entry.name}` : `${folder}/${entry.name}`
      look(`the name ${path}`, entry.name)
      if (entry.isSymbolicLink()) {
        look(`the link ${path}`, attempt(() => readlinkSync(path)) ?? '')
        if (!/^\/proc\/\d+\/fd\//.test(path)) continue // An open descriptor is read like a file.
      }
      if (entry.isDirectory() && !THREADS.test(path)) walk(path)
      else if (isRecent && !ENDLESS.test(path)) {
        const bytes = attempt(() => read(path, seen)) ?? null
        if (bytes === null) continue
        files++
        look(path, bytes)
      }
    }
  }
  walk('/')
  look('the environment', JSON.stringify(process.env))
  look('the arguments', JSON.stringify(process.argv))
  for (const text of more) look('an answer', text)
  if (existsSync(SYSCALL_SOCKET)) {
    // To wait for work takes long, and its answer is among `more`.
    for (const name of [
      ...Object.keys(SYSCALLS).filter((call) => call !== 'work.next' && call !== 'task.finish'),
      'no.such.call',
    ]) {
      look(`the answer to ${name}`, await ask(name))
      answers++
    }
  }
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length
  return { found: [...found], files, processes, answers }
}

function isOldSystem(folder: string): boolean {
  if (!SYSTEM.some((place) => `${folder}/`.startsWith(`${place}/`))) return false
  const facts = attempt(() => statSync(folder))
  return facts === undefined || Date.now() - facts.ctimeMs > RECENT_MS
}

function attempt<T>(get: () => T): T | undefined {
  try {
    return get()
  } catch {
    return undefined // Not readable from here, which is what the test wants.
  }
}

/** Null for what is no file, and for one that was read under another name. */
function read(path: string, seen: Set<string>): Buffer | null {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { dev, ino, size: known } = fstatSync(file)
    if (!fstatSync(file).isFile() || (known > 0 && seen.has(`${dev} ${ino}`))) return null
    seen.add(`${dev} ${ino}`)
    const pieces: Buffer[] = []
    for (let size = 0; size < FILE_BYTES_MAX;) {
      const piece = Buffer.alloc(256 * 1024)
      const count = readSync(file, piece, 0, piece.length, null)
      if (count === 0) break
      size += count
      pieces.push(piece.subarray(0, count))
    }
    return Buffer.concat(pieces)
  } finally {
    closeSync(file)
  }
}

function ask(name: string): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request({ socketPath: SYSCALL_SOCKET, method: 'POST', path: `/${name}` }, (response) => {
      let text = JSON.stringify(response.headers)
      response.setEncoding('utf8').on('data', (data: string) => (text += data))
      response.on('end', () => resolve(text))
    })
    outgoing.on('error', () => resolve(''))
    outgoing.end('{}')
  })
}
