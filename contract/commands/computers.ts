import { z } from 'zod'
import { ComputerId, ComputerName, Hash, UserId } from '../ids.ts'
import { type Command, homeChange, homeLook, ofGateway } from './command.ts'

export const ComputerView = z.strictObject({
  id: ComputerId,
  name: ComputerName,
  user: UserId,
  state: z.enum(['open', 'opening', 'closed', 'damaged']),
  head: z.strictObject({ seq: z.number().int(), hash: Hash }).nullable(),
  problem: z.string().nullable(),
})
export type ComputerView = z.infer<typeof ComputerView>

/** Computers, and the way in. */
export const COMPUTERS_COMMANDS = {
  'status': {
    ...homeLook,
    input: z.strictObject({}),
    output: z.strictObject({
      ok: z.literal(true),
      release: z.string(),
      pid: z.number().int(),
      home: z.string(),
      user: UserId,
      running: z.boolean(),
      address: z.string().nullable(),
      sandboxes: z.array(z.strictObject({ name: z.string(), role: z.string() })),
      computers: z.array(ComputerView),
    }),
  },
  'computer.add': {
    ...homeChange,
    input: z.strictObject({ name: ComputerName }),
    output: ComputerView,
  },
  'computer.list': {
    ...homeLook,
    input: z.strictObject({}),
    output: z.array(ComputerView),
  },
  /** A fresh one-time sign-in link. */
  'link.create': {
    ...homeLook,
    input: z.strictObject({}),
    output: z.strictObject({ url: z.string().nullable(), code: z.string(), expiresMs: z.number().int() }),
  },
  'link.redeem': {
    ...ofGateway,
    input: z.strictObject({ code: z.string().max(200) }),
    output: z.strictObject({ user: UserId }),
  },
  /** Where the front door is, so that the command line can print whole links. */
  'gateway.announce': {
    ...ofGateway,
    input: z.strictObject({ origin: z.url().max(300) }),
    output: z.strictObject({ release: z.string() }),
  },
} as const satisfies Record<string, Command>
