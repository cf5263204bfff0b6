import type { UndoTarget } from '@choiros/contract/undo-view.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { ComputerName, RunId, type Seq } from '@choiros/contract/ids.ts'
import { given, take, toPath, toSeq, type Values } from './arguments.ts'
import type { CommandLineCommand } from './command.ts'
import type { Client } from './client.ts'
import { readPieces } from './connection.ts'
import { model } from './model.ts'
import { receipt, recover } from './recovery.ts'
import { room, thin } from './room.ts'
import { answer, prompt, runs, steer } from './runs.ts'
import { write } from './write.ts'
import { exportTo, importFrom, replayInto } from './transfer.ts'
import { changesText, computerText, eventText, inOneLine, planText, printable, sizeText, erasedText } from './text.ts'

/** As many as one erase event names. */
const ERASED_AT_ONCE_MAX = 4000

export const COMMAND_LINE: Readonly<Record<string, CommandLineCommand>> = {
  status: {
    options: [],
    async run({ client, show }) {
      const status = await client.run('status', {})
      const computers = status.computers.length === 0 ? ['no computer yet: "choir computer add NAME" makes one'] : status.computers.map(computerText)
      show(
        status,
        [
          `ChoirOS ${status.release} ${status.running ? `is running (process ${status.pid})` : 'is not running'}`,
          ...(status.address === null ? [] : [`address: ${status.address}`]),
          `home: ${status.home}`,
          ...(status.sandboxes.length === 0 ? [] : [`sandboxes: ${status.sandboxes.map((sandbox) => sandbox.name).join(', ')}`]),
          ...computers,
        ].join('\n'),
      )
    },
  },
  computer: {
    options: [],
    async run({ client, positionals, show }) {
      const [action] = positionals
      if (action === 'list') {
        take(positionals, ['list'])
        const computers = await client.run('computer.list', {})
        return show(
          computers,
          computers.length === 0 ? 'no computer yet: "choir computer add NAME" makes one' : computers.map(computerText).join('\n'),
        )
      }
      if (action !== 'add') throw new ChoirError('request.invalid', '"choir computer" takes add or list')
      const [, name] = take(positionals, ['add', 'NAME'])
      const computer = await client.run('computer.add', { name: given(ComputerName, name) })
      return show(computer, `made ${computer.name}`)
    },
  },
  link: {
    options: [],
    async run({ client, positionals, show }) {
      take(positionals, [])
      const link = await client.run('link.create', {})
      show(link, link.url ?? 'ChoirOS runs without its front door: there is nowhere to sign in')
      return link.url !== null
    },
  },
  write,
  rm: {
    options: [],
    async run({ client, positionals, show }) {
      const [path] = take(positionals, ['PATH'])
      const result = await client.run('files.change', { operations: [{ op: 'remove', path: toPath(path) }] })
      show(result, `deleted ${printable(path ?? '')}; "choir undo" brings it back`)
    },
  },
  mv: {
    options: [],
    async run({ client, positionals, show }) {
      const [path, to] = take(positionals, ['PATH', 'NEW-PATH'])
      const result = await client.run('files.change', { operations: [{ op: 'move', path: toPath(path), to: toPath(to) }] })
      show(result, result.seq === null ? 'nothing to do' : `moved ${printable(path ?? '')} to ${printable(to ?? '')}`)
    },
  },
  mkdir: {
    options: [],
    async run({ client, positionals, show }) {
      const [path] = take(positionals, ['PATH'])
      const result = await client.run('files.change', { operations: [{ op: 'folder', path: toPath(path) }] })
      show(result, result.seq === null ? 'it is already there' : `made ${printable(path ?? '')}`)
    },
  },
  ls: {
    options: ['at'],
    async run({ client, positionals, values, show }) {
      const [path] = take(positionals, ['PATH'], 1)
      const listing = await client.run('files.list', { path: path === undefined ? null : toPath(path), at: toSeq(values.at, '--at') })
      const marks = { file: '', folder: '/', symlink: '@' } as const
      show(
        listing,
        listing
          .map((item) => `${printable(item.path)}${marks[item.entry.kind]}${item.entry.kind === 'file' ? `\t${sizeText(item.entry.size)}` : ''}`)
          .join('\n'),
      )
    },
  },
  cat: {
    options: ['at'],
    async run({ client, positionals, values, stdout }) {
      const [path] = take(positionals, ['PATH'])
      for await (const piece of readPieces(await client.readFile(toPath(path), toSeq(values.at, '--at')))) {
        if (!stdout.write(piece)) await new Promise((resolve) => stdout.once('drain', resolve))
      }
    },
  },
  tree: {
    options: ['at'],
    async run({ client, positionals, values, show }) {
      take(positionals, [])
      const { hash, files, seq } = await client.run('tree', { at: toSeq(values.at, '--at') })
      const lines = Object.entries(files).map(([path, entry]) => `${entry.kind === 'file' ? entry.mode : entry.kind}\t${printable(path)}`)
      show({ hash, files, seq }, [...lines, `${hash}  ${lines.length} ${lines.length === 1 ? 'entry' : 'entries'} at event ${seq}`].join('\n'))
    },
  },
  events: {
    options: ['after', 'follow'],
    async run({ client, positionals, values, stdout, json }) {
      take(positionals, [])
      for await (const event of client.events({ after: values.after === '0' ? 0 : (toSeq(values.after, '--after') ?? 0), follow: values.follow })) {
        if (!stdout.write(`${json ? JSON.stringify(event) : eventText(event)}\n`)) await new Promise((resolve) => stdout.once('drain', resolve))
      }
    },
  },
  model,
  prompt,
  runs,
  steer,
  answer,
  undo: {
    options: ['run', 'event', 'to', 'preview'],
    async run({ client, positionals, values, show }) {
      take(positionals, [])
      const target = undoTarget(values)
      if (values.preview) {
        const plan = await client.run('undo.preview', { target })
        show(plan, planText(plan, target.kind === 'point' ? 'go back to' : 'undo'))
        return plan.conflicts.length === 0
      }
      const done = await client.run('undo', { target, tree: null })
      const what =
        target.kind === 'point' ? `went back to event ${done.target.seq}` : `took back: ${inOneLine(done.target.title)} (event ${done.target.seq})`
      const gone = done.erased.length === 0 ? '' : `\n${erasedText(done.erased)}`
      return show(done, `${what}\n${changesText(done.changes)}${gone}\n"choir redo" takes this back`)
    },
  },
  redo: {
    options: ['preview'],
    async run({ client, positionals, values, show }) {
      take(positionals, [])
      if (values.preview) {
        const plan = await client.run('redo.preview', {})
        show(plan, planText(plan, 'redo what was undone in'))
        return plan.conflicts.length === 0
      }
      const done = await client.run('redo', {})
      return show(done, `redone: ${inOneLine(done.target.title)}\n${changesText(done.changes)}`)
    },
  },
  restore: {
    options: ['to', 'preview'],
    async run({ client, positionals, values, show }) {
      const [point] = take(values.to === undefined ? positionals : [values.to, ...positionals], ['SEQ or CHECKPOINT'])
      const to = await toPoint(client, point ?? '')
      if (values.preview) {
        const plan = await client.run('restore.preview', { to })
        return show(plan, planText(plan, 'restore to'))
      }
      const done = await client.run('restore', { to })
      const gone = done.erased.length === 0 ? '' : `\n${erasedText(done.erased)}`
      return show(done, `restored files and windows to event ${to}\n${changesText(done.changes)}${gone}\n"choir undo" takes this back`)
    },
  },
  checkpoint: {
    options: ['list'],
    async run({ client, positionals, values, show }) {
      const [name] = take(positionals, ['NAME'], 1)
      if (values.list) {
        const list = await client.run('checkpoint.list', {})
        return show(
          list,
          list.length === 0 ? 'no checkpoint yet' : list.map((item) => `${String(item.seq).padStart(6)}  ${printable(item.name)}`).join('\n'),
        )
      }
      const made = await client.run('checkpoint', { name: name ?? null })
      return show(
        made,
        `checkpoint "${printable(made.name)}" at event ${made.seq}${made.commit === null ? '' : `, git commit ${made.commit.slice(0, 10)}`}`,
      )
    },
  },
  fork: {
    options: ['at'],
    async run({ client, positionals, values, show }) {
      const [name] = take(positionals, ['NAME'])
      const computer = await client.run('fork', { name: given(ComputerName, name), at: toSeq(values.at, '--at') })
      show(computer, `made ${computer.name}; say --computer ${computer.name} to use it; without, your first computer is meant`)
    },
  },
  export: exportTo,
  import: importFrom,
  verify: {
    options: [],
    async run({ client, positionals, show }) {
      take(positionals, [])
      const report = await client.run('verify', {})
      const text = report.ok
        ? `everything holds: ${report.events} events, ${report.objects} objects, tree ${report.tree}`
        : ['this computer is damaged:', ...report.problems.map((problem) => `  ${problem.code}: ${printable(problem.message)}`)].join('\n')
      const mended = report.mended.map((what) => `put right: ${printable(what)}`)
      show(report, [...mended, text].join('\n'))
      return report.ok
    },
  },
  recover,
  receipt,
  replay: replayInto,
  room,
  thin,
  erase: {
    options: ['yes', 'reason'],
    async run({ client, positionals, values, show }) {
      const [path] = take(positionals, ['PATH'])
      const plan = await client.run('erase.preview', { path: toPath(path) })
      if (!values.yes) {
        const text = [
          `would erase ${inNumber(plan.objects.length, 'version')} of ${printable(path ?? '')} for good; no undo brings them back. Forks and exports made before keep theirs.`,
          ...plan.shared.map((other) => `  ${printable(other)} holds some of the same bytes; those stay`),
          'Say --yes to do it.',
        ]
        show(plan, text.join('\n'))
        return false
      }
      for (let start = ERASED_AT_ONCE_MAX; start < plan.objects.length; start += ERASED_AT_ONCE_MAX) {
        await client.run('erase', { objects: plan.objects.slice(start, start + ERASED_AT_ONCE_MAX), reason: values.reason ?? '' })
      }
      const done = await client.run('erase', { objects: plan.objects.slice(0, ERASED_AT_ONCE_MAX), reason: values.reason ?? '' })
      return show({ ...done, objects: plan.objects.length }, `erased ${inNumber(plan.objects.length, 'version')} for good (event ${done.seq})`)
    },
  },
}

function inNumber(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
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

/** By number, or by name: those that a person has named come before what was saved by itself, and of several the newest. */
async function toPoint(client: Client, text: string): Promise<Seq> {
  if (/^\d+$/.test(text)) return toSeq(text, 'the point') as Seq
  for (const kind of ['user', 'automatic'] as const) {
    const points = await client.run('checkpoint.list', { kind })
    const found = points.findLast(({ name }) => name === text) ?? points.findLast(({ name }) => name.toLowerCase() === text.trim().toLowerCase())
    if (found !== undefined) return found.seq
  }
  throw new ChoirError('point.unknown', `there is no checkpoint called ${JSON.stringify(text.slice(0, 80))}; "choir checkpoint --list" shows them`)
}
