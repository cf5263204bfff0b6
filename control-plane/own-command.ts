import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { ChoirError } from '@choiros/contract/error.ts'
import { parseJson, readBody } from './answer.ts'
import type { Speaker } from './supervisor-client.ts'

const COMMAND_BYTES_MAX = 8 * 1024 * 1024
const SentCommand = z.strictObject({ command: z.string().max(100), input: z.unknown() })

/** A page's command is always about the page's own computer, whatever it says. */
export async function ownCommand(request: IncomingMessage, as: Speaker): Promise<Buffer> {
  const parsed = SentCommand.safeParse(parseJson(await readBody(request, COMMAND_BYTES_MAX)))
  if (!parsed.success) throw new ChoirError('request.invalid', 'a command is {"command": …, "input": …}')
  return Buffer.from(JSON.stringify({ user: null, computer: as.computer, ...parsed.data }))
}
