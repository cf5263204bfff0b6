import { eventTime, type Event } from '@choiros/contract/event.ts'
import { take } from './arguments.ts'
import type { Command } from './command.ts'
import { toSeq } from './given.ts'
import { inOneLine, printable } from './text.ts'

/** An event that answers another names it by its number if that is at most this far back. */
const ANSWERED_WITHIN = 1000

export const events: Command = async ({ client, positionals, values, stdout, json }) => {
  take(positionals, [])
  const seqOf = new Map<string, number>()
  const line = (event: Event) => {
    seqOf.set(event.id, event.seq)
    for (const old of seqOf.keys()) if (seqOf.size > ANSWERED_WITHIN) seqOf.delete(old)
    return eventText(event, seqOf.get(event.cause ?? ''))
  }
  for await (const event of client.events({
    after: values.after === '0' ? 0 : (toSeq(values.after, '--after') ?? 0),
    follow: values.follow,
  })) {
    if (!stdout.write(`${json ? JSON.stringify(event) : line(event)}\n`))
      await new Promise((resolve) => stdout.once('drain', resolve))
  }
}

/** `answers`: the number of the event that caused it. */
export function eventText(event: Event, answers?: number): string {
  const time = new Date(eventTime(event.time)).toISOString().replace('T', ' ').slice(0, 19)
  return `${String(event.seq).padStart(6)}  ${time}  ${event.via.padEnd(8)} ${nameOf(event).padEnd(16)} ${inOneLine(summaryOf(event))}${answers === undefined ? '' : ` (to ${answers})`}`
}

/** A redo is stored as an undo of an undo; nobody looks for it under that name. */
function nameOf({ type, data }: Event): string {
  return type === 'undo' && data['kind'] === 'redo' ? 'redo' : type
}

function summaryOf({ data }: Event): string {
  const { changes, manifest, name, text, target, to, summary, reason, kind } = data
  if (Array.isArray(changes) && changes.length > 0) {
    const paths = changes.map((change: { path: string }) => printable(change.path))
    return paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ')
  }
  if (typeof manifest === 'string') return 'more than 500 files'
  for (const value of [text, summary, name, reason]) if (typeof value === 'string') return value
  if (typeof target === 'number') return `${String(kind)} ${target}`
  return typeof to === 'number' ? `to ${to}` : ''
}
