import { z } from 'zod'
import { ChoirError } from '@choiros/contract/error.ts'
import { frames } from './frames.ts'
import type { Collected, CollectSpec } from './sandbox.ts'

const Facts = z.union([
  z.strictObject({
    path: z.string(),
    kind: z.literal('file'),
    mode: z.enum(['644', '755']),
    hash: z.string().nullable(),
    size: z.number().int().min(0),
  }),
  z.strictObject({
    path: z.string(),
    kind: z.literal('symlink'),
    mode: z.literal('777'),
    hash: z.null(),
    size: z.number().int().min(0),
  }),
  z.strictObject({
    path: z.string(),
    kind: z.literal('folder'),
    mode: z.literal('755'),
    hash: z.null(),
    size: z.literal(0),
  }),
])
/** As much as the facts of one entry may take, on average: the longest path and a little more. */
const FACTS_BYTES = 2048
const End = z.object({ ok: z.boolean(), why: z.string().optional() })

/**
 * Reads what a guest says stands in a folder. The guest may lie: a hash counts only if the host named it, sent bytes
 * are counted here, and everything has a limit.
 */
export async function readCollected(
  stream: AsyncIterable<unknown>,
  { known, filesMax, bytesMax }: CollectSpec,
): Promise<Collected[]> {
  const collected: { facts: z.infer<typeof Facts>; pieces: Buffer[] }[] = []
  let bytesLeft = bytesMax
  // Names need memory as well: without this limit a guest could fill the host's memory with them.
  let factsLeft = filesMax * FACTS_BYTES + FACTS_BYTES
  let ended: z.infer<typeof End> | null = null
  for await (const { kind, bytes } of frames(stream)) {
    if (ended !== null) throw nonsense()
    if (kind === 'n') {
      factsLeft -= bytes.length
      if (factsLeft < 0) throw nonsense()
      const facts = Facts.safeParse(parseJson(bytes))
      if (!facts.success) throw nonsense()
      if (facts.data.hash !== null && !known.has(facts.data.hash)) throw nonsense()
      if (collected.length >= filesMax)
        throw new ChoirError('quota.exceeded', `there are more than ${filesMax} files in the stage`)
      collected.push({ facts: facts.data, pieces: [] })
    } else if (kind === 'b') {
      bytesLeft -= bytes.length
      if (bytesLeft < 0) throw new ChoirError('quota.exceeded', `more than ${bytesMax} bytes were changed in the stage`)
      const last = collected.at(-1)
      if (last === undefined || last.facts.hash !== null || last.facts.kind === 'folder') throw nonsense()
      last.pieces.push(Buffer.from(bytes))
    } else if (kind === 'e') ended = End.safeParse(parseJson(bytes)).data ?? null
    else throw nonsense()
  }
  if (ended?.ok !== true)
    throw new ChoirError(
      'sandbox.unavailable',
      `the stage could not be collected: ${ended?.why ?? 'the sandbox is gone'}`,
    )
  return collected.map(({ facts, pieces }) => {
    const bytes = facts.hash !== null || facts.kind === 'folder' ? null : Buffer.concat(pieces)
    return { ...facts, bytes, size: bytes?.length ?? facts.size }
  })
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw nonsense()
  }
}

function nonsense(): ChoirError {
  return new ChoirError('sandbox.unavailable', 'the sandbox sent nonsense')
}
