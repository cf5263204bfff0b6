import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Caller } from '@choiros/contract/commands/command.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { UserId } from '@choiros/contract/ids.ts'
import { CALLER_HEADER, CONTRACT_HEADER, CONTRACT_VERSION, USER_HEADER } from '@choiros/contract/routes.ts'

/**
 * Who sent a request. A null user means that the request itself may name one: so for the owner's token, and where the
 * gateway speaks for itself without naming a user.
 */
export interface Asker {
  readonly caller: Caller
  readonly user: UserId | null
}

const GatewayCaller = z.enum(['frame', 'desktop', 'gateway'])

/**
 * The token says who speaks. The owner's token is the command line's, which may do what the frame may. The gateway's
 * token speaks for the user and caller that its headers name, on every single call: the gateway has checked the
 * sign-in, and this checks that nobody else can claim so.
 */
export function identify(request: IncomingMessage, tokens: { owner: string; gateway: string }): Asker {
  const { authorization = '' } = request.headers
  const isOwner = sameText(authorization, `Bearer ${tokens.owner}`)
  if (!isOwner && !sameText(authorization, `Bearer ${tokens.gateway}`)) {
    throw new ChoirError(
      'token.invalid',
      "the token is missing or wrong; the command line reads it from the home's token file",
    )
  }
  if (request.headers[CONTRACT_HEADER] !== String(CONTRACT_VERSION)) {
    throw new ChoirError(
      'request.refused',
      'this program and the running ChoirOS are of different releases; stop and start ChoirOS',
    )
  }
  if (isOwner) return { caller: 'cli', user: null }
  const caller = GatewayCaller.safeParse(request.headers[CALLER_HEADER])
  const user = UserId.safeParse(request.headers[USER_HEADER])
  if (!caller.success) throw new ChoirError('request.refused', 'the gateway must say for whom it speaks')
  if (caller.data === 'gateway') return { caller: 'gateway', user: user.success ? user.data : null }
  if (!user.success) throw new ChoirError('request.refused', 'the gateway must name the user it speaks for')
  return { caller: caller.data, user: user.data }
}

function sameText(given: string, wanted: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(wanted)
  return a.length === b.length && timingSafeEqual(a, b)
}
