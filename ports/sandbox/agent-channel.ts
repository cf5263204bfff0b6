import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import { ChoirError } from '@choiros/contract/error.ts'
import { IGNORED_NAMES } from '@choiros/contract/path.ts'
import { readCollected } from './collected.ts'
import { frames } from './frames.ts'
import type { Collected, CollectSpec, ExecResult, ExecSpec } from './sandbox.ts'

/**
 * The host's end of the one stream to a guest agent. Everything that comes back is untrusted: sizes are capped, shapes
 * are checked, and nothing waits for ever.
 */
export interface AgentChannel {
  ping(limitMs: number): Promise<void>
  exec(spec: ExecSpec): Promise<ExecResult>
  collect(spec: CollectSpec): Promise<Collected[]>
  dial(port: number): Promise<Duplex>
  close(): void
}

const DIAL_MS = 5000
/** How long a guest may take, after the time is up, to say so. */
const GRACE_MS = 2000

export function openAgentChannel(stream: Duplex): AgentChannel {
  const session: ClientHttp2Session = connect('http://guest', { createConnection: () => stream })
  session.on('error', () => {}) // Each request reports its own failure.

  const open = (path: string): ClientHttp2Stream => {
    if (session.destroyed) throw gone()
    return session.request({ ':method': 'POST', ':path': path }, { endStream: false })
  }

  return {
    async ping(limitMs) {
      const request = open('/ping')
      request.end()
      await answered(request, limitMs)
      request.resume()
    },
    async exec(spec) {
      const request = open('/exec')
      request.end(JSON.stringify(spec))
      const limit = setTimeout(() => request.close(), spec.wallClockMs + GRACE_MS)
      try {
        return await readExec(request, spec.outputBytesMax)
      } finally {
        clearTimeout(limit)
      }
    },
    async collect(spec) {
      const request = open('/collect')
      request.end(JSON.stringify({ root: spec.root, known: [...spec.known], ignored: [...IGNORED_NAMES] }))
      const limit = setTimeout(() => request.close(), spec.wallClockMs)
      try {
        return await readCollected(request, spec)
      } finally {
        clearTimeout(limit)
        request.close()
      }
    },
    async dial(port) {
      const request = open(`/dial/${port}`)
      const status = await answered(request, DIAL_MS)
      if (status !== 200) {
        request.close()
        throw new ChoirError('sandbox.unavailable', `nothing answers on port ${port} inside the sandbox`)
      }
      return request
    },
    close: () => session.destroy(),
  }
}

function gone(): ChoirError {
  return new ChoirError('sandbox.unavailable', 'the sandbox is gone')
}

function answered(request: ClientHttp2Stream, limitMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      request.close()
      reject(new ChoirError('sandbox.unavailable', `the sandbox did not answer within ${limitMs} ms`))
    }, limitMs)
    request.once('response', (headers) => {
      clearTimeout(limit)
      resolve(Number(headers[':status']))
    })
    const fail = () => {
      clearTimeout(limit)
      reject(gone())
    }
    request.once('error', fail)
    request.once('close', fail)
  })
}

async function readExec(request: ClientHttp2Stream, outputBytesMax: number): Promise<ExecResult> {
  const output: Buffer[] = []
  let size = 0
  let truncated = false
  let verdict: Omit<ExecResult, 'output'> | null = null
  try {
    for await (const { kind, bytes } of frames(request)) {
      if (kind === 'e') verdict = toVerdict(bytes)
      else if (size + bytes.length <= outputBytesMax) {
        output.push(bytes)
        size += bytes.length
      } else truncated = true
    }
  } catch {
    // Cut off in the middle: without a verdict the end below is `killed`.
  }
  return { ...(verdict ?? { end: 'killed', exitCode: null, truncated }), output: Buffer.concat(output) }
}

function toVerdict(bytes: Buffer): Omit<ExecResult, 'output'> {
  const { end, exitCode, truncated } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
  return {
    end: end === 'exited' || end === 'timed-out' ? end : 'killed',
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    truncated: truncated === true,
  }
}
