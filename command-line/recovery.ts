import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Recovery } from '@choiros/contract/recovery.ts'
import { take } from './arguments.ts'
import type { Command, Streams } from './command.ts'
import { changesText, inOneLine, printable } from './text.ts'

const SHOWN_MAX = 40

export const recover: Command = async ({ client, positionals, values, show }) => {
  take(positionals, [])
  if (!values.yes) {
    const plan = await client.run('recover.preview', {})
    show(
      plan,
      [...recoveryText(plan, 'can be'), 'Say --yes to go on with that. What is not found stays lost.'].join('\n'),
    )
    return false
  }
  const done = await client.run('recover', {})
  return show(done, [...recoveryText(done, 'was'), `this computer goes on at event ${done.seq}`].join('\n'))
}

function recoveryText(
  { head, known, witnesses, events, changes, missing, asked }: Recovery,
  verb: 'can be' | 'was',
): string[] {
  const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  const isWhole = events > 0 && head + events >= known
  const lines = [
    known > head
      ? `the log ends at event ${head}, but it had got to event ${known}`
      : `event ${known} of the log is not the one that was written`,
    ...witnesses.map(({ who, seq }) => `  ${who}: event ${seq}`),
  ]
  if (events > 0)
    lines.push(
      `${many(events, 'event')} ${verb} put back as ${events === 1 ? 'it was' : 'they were'}${isWhole ? ': nothing is lost' : ''}`,
    )
  if (isWhole) return lines
  lines.push(`${many(changes.length, 'file')} ${verb} brought back, as one new event:`)
  lines.push(changesText(changes.map((change) => ({ ...change, movedFrom: null, merged: false }))))
  if (missing.length > 0) {
    lines.push(`${many(missing.length, 'file')} changed in the lost part, but the bytes are nowhere any more:`)
    lines.push(...missing.slice(0, SHOWN_MAX).map((path) => `  ! ${printable(path)}`))
  }
  if (asked.length > 0) lines.push('what you had asked for there:', ...asked.map((text) => `  ${inOneLine(text)}`))
  return lines
}

export const receipt: Command = async ({ client, positionals, values, show, stdin }) => {
  take(positionals, [])
  if (values.check === undefined) {
    const made = await client.run('receipt', {})
    return show(
      made,
      `${made.text}\nKeep this where this machine cannot reach it. "choir receipt --check FILE" says whether the log still holds it.`,
    )
  }
  const { holds, seq, why } = await client.run('receipt.check', { text: await readText(values.check, stdin) })
  show({ holds, seq, why }, holds ? `it holds: event ${seq} is in the log as it was` : `it does not hold: ${why}`)
  return holds
}

const RECEIPT_CHARS_MAX = 4000

async function readText(name: string, stdin: Streams['stdin']): Promise<string> {
  try {
    const all = name === '-' ? await readAll(stdin) : readFileSync(resolve(name), 'utf8')
    return all.slice(0, RECEIPT_CHARS_MAX)
  } catch (cause) {
    throw new ChoirError('request.invalid', `${name} cannot be read`, { cause })
  }
}
