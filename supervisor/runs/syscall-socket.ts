import { chmodSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { basename, dirname } from 'node:path'
import { ChoirError } from '@choiros/contract/error.ts'
import { inputError } from '@choiros/contract/issue.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { HTTP_STATUS, toWireError } from '@choiros/contract/routes.ts'
import {
  isSyscallName,
  SYSCALLS,
  type SyscallInput,
  type SyscallName,
  type SyscallOutput,
  type SyscallRole,
} from '@choiros/contract/syscalls.ts'
import type { z } from 'zod'
import { receiveBody } from '../wire/body.ts'
import { shortSocketPath } from '../wire/short-path.ts'

/** What a role's socket answers. A role that leaves a call out refuses it. */
export type SyscallHandlers = {
  readonly [Name in SyscallName]?: (input: z.infer<(typeof SYSCALLS)[Name]['input']>) => Promise<SyscallOutput<Name>>
}

export interface SyscallSocket {
  readonly file: string
  close(): void
}

/**
 * One socket for one sandbox. There is no token: a caller here is that sandbox, because nothing else can reach the
 * file. Everything it sends is untrusted and parsed.
 */
export async function openSyscallSocket(
  file: string,
  role: SyscallRole,
  handlers: SyscallHandlers,
  warn: (message: string, cause?: unknown) => void,
  calls: { called(): void; answered(): void } = { called: () => {}, answered: () => {} },
): Promise<SyscallSocket> {
  const answer = async (name: string, body: Buffer): Promise<unknown> => {
    if (!isSyscallName(name) || !(SYSCALLS[name].from as readonly SyscallRole[]).includes(role))
      throw new ChoirError('syscall.refused', `a ${role} has no call ${JSON.stringify(name.slice(0, 60))}`)
    const handler = handlers[name] as ((input: unknown) => Promise<unknown>) | undefined
    if (handler === undefined) throw new ChoirError('syscall.refused', `${name} is not possible here`)
    const input = SYSCALLS[name].input.safeParse(parseJson(body), { reportInput: true })
    if (!input.success) throw inputError(input.error, name)
    return handler(input.data satisfies SyscallInput<SyscallName>)
  }
  const server = createServer((request, response) => {
    const serve = async () => {
      if (request.method !== 'POST') throw new ChoirError('request.invalid', 'a call is a POST')
      return answer((request.url ?? '/').slice(1), await receiveBody(request, LIMITS.syscallBytesMax))
    }
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    calls.called()
    response.once('close', calls.answered)
    serve().then(
      (result) => send(200, { result }),
      (error: unknown) => {
        if (!(error instanceof ChoirError)) warn(`a call of the ${role}'s failed in a way nobody foresaw`, error)
        const wire = toWireError(error)
        request.resume()
        send(HTTP_STATUS[wire.code], { error: wire })
      },
    )
  })
  server.requestTimeout = 0 // A task takes as long as its own budget allows.
  rmSync(file, { force: true })
  const short = shortSocketPath(dirname(file), basename(file))
  server.listen(short.path)
  await once(server, 'listening')
  chmodSync(file, 0o666) // The sandbox runs as a uid of its own; only its mount leads here.
  return {
    file,
    close() {
      server.close()
      server.closeAllConnections()
      short.close()
      rmSync(file, { force: true })
    },
  }
}

function parseJson(body: Buffer): unknown {
  try {
    const text = body.toString('utf8')
    // A lone half of a character, which only an escape can express, may not be in an event or an object: it is replaced
    // here.
    return JSON.parse(
      text,
      /\\ud/i.test(text)
        ? (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)
        : undefined,
    )
  } catch (cause) {
    throw new ChoirError('request.invalid', 'the call is not JSON', { cause })
  }
}
