import { request, type IncomingMessage } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { Caller } from '@choiros/contract/commands/command.ts'
import type { CommandName, InputOf, OutputOf } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { UserId } from '@choiros/contract/ids.ts'
import {
  CALLER_HEADER,
  CONTRACT_HEADER,
  CONTRACT_VERSION,
  fromWireError,
  ROUTES,
  TUNNEL,
  USER_HEADER,
} from '@choiros/contract/routes.ts'
import { AnswerLine } from '@choiros/contract/wire.ts'

/** For whom the gateway speaks. It has checked the session; the supervisor checks that it is the gateway. */
export interface Speaker {
  readonly caller: Caller
  readonly user: UserId | null
  /** Null: the user's only computer. */
  readonly computer: string | null
}

export interface SupervisorClient {
  run<Name extends CommandName>(as: Speaker, command: Name, input: InputOf<Name>): Promise<OutputOf<Name>>
  /** Any command by name; its answer is passed on as it comes: the supervisor checks name, caller and input. */
  send(
    as: Speaker,
    method: string,
    route: string,
    query?: Readonly<Record<string, string>>,
    body?: Readable | Buffer,
  ): Promise<IncomingMessage>
  /** A raw connection to the desk's Vite. */
  dialDesk(as: Speaker): Promise<Duplex>
}

const DIAL_MS = 30_000

/** `socketPath`: as seen by this process, which may see only one folder. */
export function createSupervisorClient(socketPath: string, token: string): SupervisorClient {
  const headersOf = ({ caller, user }: Speaker) => ({
    authorization: `Bearer ${token}`,
    [CONTRACT_HEADER]: String(CONTRACT_VERSION),
    [CALLER_HEADER]: caller,
    ...(user === null ? {} : { [USER_HEADER]: user }),
  })
  const pathOf = (route: string, { computer }: Speaker, query: Readonly<Record<string, string>> = {}) => {
    const search = new URLSearchParams({ ...query, ...(computer === null ? {} : { computer }) })
    return search.size === 0 ? route : `${route}?${search.toString()}`
  }

  const client: SupervisorClient = {
    send(as, method, route, query, body) {
      return new Promise((resolve, reject) => {
        const outgoing = request(
          { socketPath, method, path: pathOf(route, as, query), headers: headersOf(as) },
          resolve,
        )
        outgoing.on('error', (cause) => reject(unreachable(cause)))
        if (body === undefined || Buffer.isBuffer(body)) outgoing.end(body)
        else body.pipe(outgoing)
      })
    },
    async run(as, command, input) {
      const body = Buffer.from(JSON.stringify({ user: null, computer: as.computer, command, input }))
      const response = await client.send({ ...as, computer: null }, 'POST', ROUTES.command, {}, body)
      const lines = (await readText(response)).trim().split('\n')
      const line = AnswerLine.parse(JSON.parse(lines.at(-1) ?? ''))
      if ('error' in line) throw fromWireError(line.error)
      if (!('result' in line)) throw unreachable(null)
      return line.result as OutputOf<typeof command>
    },
    dialDesk(as) {
      return new Promise((resolve, reject) => {
        const outgoing = request({
          socketPath,
          path: pathOf(ROUTES.desk, as),
          headers: { ...headersOf(as), connection: 'upgrade', upgrade: TUNNEL },
          timeout: DIAL_MS,
        })
        outgoing.on('upgrade', (_, socket, head) => {
          if (head.length > 0) socket.unshift(head)
          resolve(socket)
        })
        outgoing.on('response', (response) => {
          void readText(response).then(
            (text) =>
              reject(new ChoirError('sandbox.unavailable', `the desktop cannot be reached: ${text.slice(0, 300)}`)),
            reject,
          )
        })
        outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
        outgoing.on('error', (cause) => reject(unreachable(cause)))
        outgoing.end()
      })
    },
  }
  return client
}

function unreachable(cause: unknown): ChoirError {
  return new ChoirError('supervisor.unreachable', 'ChoirOS is not answering; it may still be starting', { cause })
}

export async function readText(stream: AsyncIterable<unknown>, bytesMax = 64 * 1024 * 1024): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream) {
    size += (piece as Buffer).length
    if (size > bytesMax) throw new ChoirError('file.too-large', `the request is over the limit of ${bytesMax} bytes`)
    pieces.push(piece as Buffer)
  }
  return Buffer.concat(pieces).toString('utf8')
}
