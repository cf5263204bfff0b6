import { z } from 'zod'
import { Entry } from '../change.ts'
import { Hash, Seq } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { TreePath } from '../path.ts'
import { change, type Command, HEAVY, look } from './command.ts'

/**
 * Small content travels in the command and shares the event's own transaction; large content is stored first and named
 * by its hash.
 */
export const Content = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ base64: z.base64() }),
  z.strictObject({ object: Hash, size: z.number().int().min(0).max(LIMITS.objectBytesMax) }),
])
export type Content = z.infer<typeof Content>

/**
 * The version that a write is based on: the object that stood at the path, or null if nothing did. Where another stands
 * there now, the write is refused with `file.conflict`.
 */
const from = Hash.nullable()

export const Operation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('write'), path: TreePath, content: Content, from, exec: z.boolean().optional() }),
  z.strictObject({ op: z.literal('link'), path: TreePath, target: z.string(), from }),
  z.strictObject({ op: z.literal('folder'), path: TreePath }),
  z.strictObject({ op: z.literal('remove'), path: TreePath, from: from.optional() }),
  z.strictObject({ op: z.literal('move'), path: TreePath, to: TreePath, from: from.optional() }),
])
export type Operation = z.infer<typeof Operation>

const Listing = z.strictObject({ path: TreePath, entry: Entry, seq: Seq.nullable() })

/** Files, now and as they were. */
export const FILES_COMMANDS = {
  'files.change': {
    ...change,
    input: z.strictObject({ operations: z.array(Operation).min(1).max(LIMITS.operationsMax) }),
    /**
     * `written`: the versions that the first writes and links have made, in their order, so that a page that goes on
     * from one need not ask what stands there.
     */
    output: z.strictObject({ seq: Seq.nullable(), changes: z.number().int(), written: z.array(Hash) }),
  },
  'files.list': {
    ...look,
    input: z.strictObject({ path: TreePath.nullable(), at: Seq.nullable() }),
    output: z.array(Listing),
  },
  'files.stat': {
    ...look,
    input: z.strictObject({ path: TreePath, at: Seq.nullable() }),
    output: z.strictObject({ entry: Entry.nullable() }),
  },
  'tree': {
    ...look,
    cost: HEAVY,
    input: z.strictObject({ at: Seq.nullable() }),
    output: z.strictObject({ seq: z.number().int(), hash: Hash, files: z.record(z.string(), Entry) }),
  },
} as const satisfies Record<string, Command>
