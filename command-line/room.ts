import { ChoirError } from '@choiros/contract/error.ts'
import type { RoomView } from '@choiros/contract/room-view.ts'
import { take } from './arguments.ts'
import type { Command } from './command.ts'
import { sizeText } from './text.ts'

/** How much room the computer takes, and how much it may take. */
export const room: Command = async ({ client, positionals, show }) => {
  take(positionals, [])
  const view = await client.run('room', {})
  show(view, `${roomText(view)}\n"choir thin --older-than 30d" shows what old versions would give back`)
}

/** Removes old versions for good, to make room. */
export const thin: Command = async ({ client, positionals, values, show }) => {
  take(positionals, [])
  const age = values['older-than'] ?? ''
  const olderThanMs = toAge(age)
  if (!values.yes) {
    const plan = await client.run('thin.preview', { olderThanMs })
    if (plan.versions === 0) {
      show(plan, `nothing to remove: no version that may go is older than ${age}`)
      return true
    }
    const text = [
      `would remove ${versionsOf(plan)} for good and give back ${sizeText(plan.bytes)}; no undo brings them back.`,
      'What your files are now stays, and so does what your checkpoints and the last 20 undos need.',
      'Say --yes to do it.',
    ]
    show(plan, text.join('\n'))
    return false
  }
  const done = await client.run('thin', { olderThanMs })
  const more = done.more ? '\nthere is more: say it again' : ''
  show(
    done,
    `${done.seq === null ? 'nothing was there to remove' : `removed ${versionsOf(done)} for good (event ${done.seq}), ${sizeText(done.bytes)} given back`}${more}\n${roomText(done.room)}`,
  )
  return true
}

function versionsOf({ versions, files }: { versions: number; files: number }): string {
  const count = (number: number, one: string) => `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`
  return `${count(versions, 'old version')} of ${count(files, 'file')}`
}

function roomText({ files, versions, history }: RoomView): string {
  const line = (name: string, { bytes, max }: { bytes: number; max: number }) =>
    `${name.padEnd(14)}${sizeText(bytes)} of ${sizeText(max)}`
  return [
    `${line('files:', files)}, ${files.count.toLocaleString('en')} of ${files.countMax.toLocaleString('en')}`,
    line('old versions:', versions),
    line('history:', history),
  ].join('\n')
}

const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

function toAge(text: string): number {
  const [, number, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  if (number === undefined || unit === undefined)
    throw new ChoirError(
      'request.invalid',
      `--older-than takes hours, days or weeks, as in 12h, 30d or 4w${text === '' ? '' : `, not ${JSON.stringify(text.slice(0, 40))}`}`,
    )
  return Number(number) * (UNITS_MS[unit] ?? 0)
}
