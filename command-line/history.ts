import { ChoirError } from '@choiros/contract/error.ts'
import { ComputerName, RunId, type Seq } from '@choiros/contract/ids.ts'
import type { UndoTarget } from '@choiros/contract/undo-view.ts'
import { take, type Values } from './arguments.ts'
import type { Client } from './client.ts'
import type { Command } from './command.ts'
import { given, toSeq } from './given.ts'
import { changesText, erasedText, inOneLine, planText, printable } from './text.ts'

export const undo: Command = async ({ client, positionals, values, show }) => {
  take(positionals, [])
  const target = undoTarget(values)
  if (values.preview) {
    const plan = await client.run('undo.preview', { target })
    show(plan, planText(plan, target.kind === 'point' ? 'go back to' : 'undo'))
    return plan.conflicts.length === 0
  }
  const done = await client.run('undo', { target, tree: null })
  const what =
    target.kind === 'point'
      ? `went back to event ${done.target.seq}`
      : `took back: ${inOneLine(done.target.title)} (event ${done.target.seq})`
  const gone = done.erased.length === 0 ? '' : `\n${erasedText(done.erased)}`
  return show(done, `${what}\n${changesText(done.changes)}${gone}\n"choir redo" takes this back`)
}

export const redo: Command = async ({ client, positionals, values, show }) => {
  take(positionals, [])
  if (values.preview) {
    const plan = await client.run('redo.preview', {})
    show(plan, planText(plan, 'redo what was undone in'))
    return plan.conflicts.length === 0
  }
  const done = await client.run('redo', {})
  return show(done, `redone: ${inOneLine(done.target.title)}\n${changesText(done.changes)}`)
}

export const restore: Command = async ({ client, positionals, values, show }) => {
  const [point] = take(values.to === undefined ? positionals : [values.to, ...positionals], ['SEQ or CHECKPOINT'])
  const to = await toPoint(client, point ?? '')
  if (values.preview) {
    const plan = await client.run('restore.preview', { to })
    return show(plan, planText(plan, 'restore to'))
  }
  const done = await client.run('restore', { to })
  const gone = done.erased.length === 0 ? '' : `\n${erasedText(done.erased)}`
  return show(
    done,
    `restored files and windows to event ${to}\n${changesText(done.changes)}${gone}\n"choir undo" takes this back`,
  )
}

export const checkpoint: Command = async ({ client, positionals, values, show }) => {
  const [name] = take(positionals, ['NAME'], 1)
  if (values.list) {
    const list = await client.run('checkpoint.list', {})
    return show(
      list,
      list.length === 0
        ? 'no checkpoint yet'
        : list.map((item) => `${String(item.seq).padStart(6)}  ${printable(item.name)}`).join('\n'),
    )
  }
  const made = await client.run('checkpoint', { name: name ?? null })
  return show(
    made,
    `checkpoint "${printable(made.name)}" at event ${made.seq}${made.commit === null ? '' : `, git commit ${made.commit.slice(0, 10)}`}`,
  )
}

export const fork: Command = async ({ client, positionals, values, show }) => {
  const [name] = take(positionals, ['NAME'])
  const computer = await client.run('fork', { name: given(ComputerName, name), at: toSeq(values.at, '--at') })
  show(
    computer,
    `made ${computer.name}; say --computer ${computer.name} to use it; without, your first computer is meant`,
  )
}

function undoTarget({ run, event, to }: Values): UndoTarget {
  const chosen = [run, event, to].filter((value) => value !== undefined)
  if (chosen.length > 1) throw new ChoirError('request.invalid', 'say only one of --run, --event and --to')
  if (run !== undefined) return { kind: 'run', run: given(RunId, run) }
  const seq = toSeq(event, '--event')
  if (seq !== null) return { kind: 'event', seq }
  const point = toSeq(to, '--to')
  return point === null ? { kind: 'newest', scope: 'any' } : { kind: 'point', seq: point }
}

/** By number or by name: points that a person named come before automatic ones, and of several the newest counts. */
async function toPoint(client: Client, text: string): Promise<Seq> {
  if (/^\d+$/.test(text)) return toSeq(text, 'the point') as Seq
  for (const kind of ['user', 'automatic'] as const) {
    const points = await client.run('checkpoint.list', { kind })
    const found =
      points.findLast(({ name }) => name === text) ??
      points.findLast(({ name }) => name.toLowerCase() === text.trim().toLowerCase())
    if (found !== undefined) return found.seq
  }
  throw new ChoirError(
    'point.unknown',
    `there is no checkpoint called ${JSON.stringify(text.slice(0, 80))}; "choir checkpoint --list" shows them`,
  )
}
