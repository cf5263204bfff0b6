import { request } from 'node:http'
import { ChoirError } from '@choiros/contract/error.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { fromWireError } from '@choiros/contract/routes.ts'
import { WireError } from '@choiros/contract/wire.ts'
import {
  SYSCALL_SOCKET,
  SYSCALLS,
  type SyscallInput,
  type SyscallName,
  type SyscallOutput,
} from '@choiros/contract/syscalls.ts'

/** All that an agent can ask of the world outside of its sandbox. */
export interface Syscalls {
  /** Rejects with a `ChoirError`: the supervisor's own, or `supervisor.unreachable` where no answer came. */
  call<Name extends SyscallName>(name: Name, input: SyscallInput<Name>): Promise<SyscallOutput<Name>>
}

export function openSyscalls(socketPath: string = SYSCALL_SOCKET): Syscalls {
  return {
    async call(name, input) {
      const answer = parseAnswer(name, await post(socketPath, `/${name}`, JSON.stringify(input)))
      if ('error' in answer) throw toError(name, answer.error)
      const output = SYSCALLS[name].output.safeParse(answer.result)
      if (!output.success)
        throw new ChoirError('request.invalid', `${name} was answered in a shape that the contract does not know`, {
          cause: output.error,
        })
      return output.data as SyscallOutput<typeof name>
    },
  }
}

/** No time limit of its own: a task takes as long as its budget allows, and the supervisor ends what takes longer. */
function post(socketPath: string, path: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) =>
      reject(
        new ChoirError(
          'supervisor.unreachable',
          `no answer on ${socketPath}: ${cause instanceof Error ? cause.message : String(cause)}`,
          { cause },
        ),
      )
    const call = request(
      { socketPath, path, method: 'POST', headers: { 'content-type': 'application/json' }, agent: false },
      (response) => {
        const pieces: Buffer[] = []
        let bytes = 0
        response.on('data', (piece: Buffer) => {
          bytes += piece.length
          if (bytes > LIMITS.syscallBytesMax)
            response.destroy(new Error(`the answer is longer than ${LIMITS.syscallBytesMax} bytes`))
          else pieces.push(piece)
        })
        response.once('end', () => resolve(Buffer.concat(pieces).toString('utf8')))
        response.once('error', fail)
      },
    )
    call.once('error', fail)
    call.end(body)
  })
}

function parseAnswer(name: string, text: string): { result: unknown } | { error: unknown } {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && ('result' in parsed || 'error' in parsed)) return parsed
  } catch {
    // Reported below, as for every other invalid answer.
  }
  throw new ChoirError('request.invalid', `${name} was answered with something that is not an answer`)
}

function toError(name: string, error: unknown): ChoirError {
  const parsed = WireError.safeParse(error)
  return parsed.success
    ? fromWireError(parsed.data)
    : new ChoirError('request.invalid', `${name} failed in a way the contract does not know`)
}
