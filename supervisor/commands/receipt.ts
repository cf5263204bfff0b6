import { LogRecover } from '@choiros/contract/events/files.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent } from '@choiros/contract/event.ts'
import type { Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { hasValidSignature, SignedHead } from '../signing/signing.ts'
import type { ComputerCommand, ComputerContext } from './context.ts'

const TITLE = 'ChoirOS receipt'

/**
 * A signed statement about the log's head that can be kept without this home: it tells when an older copy of the whole
 * home has taken its place.
 */
export const receipt: ComputerCommand<'receipt'> = async ({ computer, machine }) => {
  const head = computer.signHead()
  const time = machine.now()
  const lines = [
    TITLE,
    `name: ${computer.name}`,
    `written: ${new Date(time).toISOString()}`,
    `computer: ${head.computer}`,
    `event: ${head.seq}`,
    `hash: ${head.hash}`,
    `key: ${head.key}`,
    `signature: ${head.signature}`,
  ]
  return { seq: head.seq as Seq, hash: head.hash, time, text: `${lines.join('\n')}\n` }
}

export const checkReceipt: ComputerCommand<'receipt.check'> = async ({ computer }, { text }) => {
  const head = parseReceipt(text)
  const verdict = (why: string | null) => ({ holds: why === null, seq: head.seq as Seq, why })
  if (!hasValidSignature(head)) return verdict('its signature does not hold: it was changed after it was printed')
  const [stored] = await computer.log.read({ after: head.seq - 1, limit: 1 })
  if (stored?.hash === head.hash) return verdict(null)
  const recovered = await recoveredAt(computer.log, head.seq)
  const isElsewhere = head.computer !== computer.id ? 'It is the receipt of another computer. ' : ''
  if (recovered !== null)
    return verdict(`${isElsewhere}event ${head.seq} was lost; event ${recovered} says what was recovered in its place`)
  const { seq } = await computer.log.head()
  if (seq < head.seq)
    return verdict(`${isElsewhere}the log ends at event ${seq}: this is an older copy, or its newest events are gone`)
  return verdict(`${isElsewhere}event ${head.seq} of the log is another one: this is another history`)
}

function parseReceipt(text: string): SignedHead {
  const field = (name: string) => new RegExp(`^\\s*${name}:\\s*(\\S+)\\s*$`, 'm').exec(text)?.[1]
  const parsed = SignedHead.safeParse({
    computer: field('computer'),
    seq: Number(field('event')),
    hash: field('hash'),
    key: field('key'),
    signature: field('signature'),
  })
  if (!parsed.success || parsed.data.seq < 1)
    throw new ChoirError('request.invalid', 'this is no receipt: "choir receipt" prints one')
  return parsed.data
}

/** The recovery that accounts for an event, if one does. */
async function recoveredAt(log: ComputerContext['computer']['log'], lost: number): Promise<number | null> {
  for (let after = 0; ;) {
    const page = await log.read({ after, limit: LIMITS.eventsPageMax })
    for (const stored of page) {
      if (!stored.bytes.includes(LogRecover.type)) continue
      const { type, data } = readEvent(stored)
      const isAccount = type === LogRecover.type && (data.known as { seq: number }[]).some(({ seq }) => seq >= lost)
      if (isAccount && (data.after as number) < lost) return stored.seq
    }
    if (page.length === 0) return null
    after = page.at(-1)?.seq ?? after
  }
}
