import { take } from './arguments.ts'
import type { Command } from './command.ts'
import { readPieces } from './connection.ts'
import { toPath, toSeq } from './given.ts'
import { printable, sizeText } from './text.ts'

export const rm: Command = async ({ client, positionals, show }) => {
  const [path] = take(positionals, ['PATH'])
  const result = await client.run('files.change', { operations: [{ op: 'remove', path: toPath(path) }] })
  show(result, `deleted ${printable(path ?? '')}; "choir undo" brings it back`)
}

export const mv: Command = async ({ client, positionals, show }) => {
  const [path, to] = take(positionals, ['PATH', 'NEW-PATH'])
  const result = await client.run('files.change', { operations: [{ op: 'move', path: toPath(path), to: toPath(to) }] })
  show(result, result.seq === null ? 'nothing to do' : `moved ${printable(path ?? '')} to ${printable(to ?? '')}`)
}

export const mkdir: Command = async ({ client, positionals, show }) => {
  const [path] = take(positionals, ['PATH'])
  const result = await client.run('files.change', { operations: [{ op: 'folder', path: toPath(path) }] })
  show(result, result.seq === null ? 'it is already there' : `made ${printable(path ?? '')}`)
}

export const ls: Command = async ({ client, positionals, values, show }) => {
  const [path] = take(positionals, ['PATH'], 1)
  const listing = await client.run('files.list', {
    path: path === undefined ? null : toPath(path),
    at: toSeq(values.at, '--at'),
  })
  const marks = { file: '', folder: '/', symlink: '@' } as const
  show(
    listing,
    listing
      .map(
        (item) =>
          `${printable(item.path)}${marks[item.entry.kind]}${item.entry.kind === 'file' ? `\t${sizeText(item.entry.size)}` : ''}`,
      )
      .join('\n'),
  )
}

export const cat: Command = async ({ client, positionals, values, stdout }) => {
  const [path] = take(positionals, ['PATH'])
  for await (const piece of readPieces(await client.readFile(toPath(path), toSeq(values.at, '--at')))) {
    if (!stdout.write(piece)) await new Promise((resolve) => stdout.once('drain', resolve))
  }
}

export const tree: Command = async ({ client, positionals, values, show }) => {
  take(positionals, [])
  const { hash, files, seq } = await client.run('tree', { at: toSeq(values.at, '--at') })
  const lines = Object.entries(files).map(
    ([path, entry]) => `${entry.kind === 'file' ? entry.mode : entry.kind}\t${printable(path)}`,
  )
  show(
    { hash, files, seq },
    [...lines, `${hash}  ${lines.length} ${lines.length === 1 ? 'entry' : 'entries'} at event ${seq}`].join('\n'),
  )
}
