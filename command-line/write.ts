import { Readable } from 'node:stream'
import type { Content, Operation } from '@choiros/contract/commands/files.ts'
import { hasCode } from '@choiros/contract/error.ts'
import { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { take } from './arguments.ts'
import { given, toPath } from './given.ts'
import type { Client } from './client.ts'
import type { Command, Streams } from './command.ts'
import { printable } from './text.ts'

/**
 * `write` means "make it this": if a change came in between, the write is tried again on top of it, not refused. --from
 * asks for the refusal.
 */
const TRIES_MAX = 5

export const write: Command = async ({ client, positionals, values, show, stdin, stderr }) => {
  const [name] = take(positionals, ['PATH'])
  const path = toPath(name)
  const content =
    values.symlink === undefined ? await readContent(client, { stdin, stderr }).finally(() => stdin.destroy()) : null
  for (let attempt = 1; ; attempt++) {
    const from = values.from === undefined ? await currentObject(client, path) : toFrom(values.from)
    const operation: Operation =
      content === null
        ? { op: 'link', path, target: values.symlink ?? '', from }
        : { op: 'write', path, content, from, ...(values.exec === undefined ? {} : { exec: values.exec }) }
    try {
      const result = await client.run('files.change', { operations: [operation] })
      return show(result, result.seq === null ? `${printable(path)} is already like that` : `wrote ${printable(path)}`)
    } catch (error) {
      if (!hasCode(error, 'file.conflict') || values.from !== undefined || attempt === TRIES_MAX) throw error
    }
  }
}

async function currentObject(client: Client, path: TreePath): Promise<Hash | null> {
  try {
    return (await client.run('files.stat', { path, at: null })).entry?.object ?? null
  } catch (error) {
    if (hasCode(error, 'computer.unknown')) return null // The first write makes the first computer.
    throw error
  }
}

function toFrom(text: string): Hash | null {
  return text === 'none' ? null : given(Hash, text)
}

/**
 * Small content goes along with the command; more is stored first, piece by piece, so that its size does not matter
 * here.
 */
async function readContent(client: Client, { stdin, stderr }: Pick<Streams, 'stdin' | 'stderr'>): Promise<Content> {
  if (stdin.isTTY) stderr.write('Type the text; Ctrl-D ends it.\n')
  const pieces: Buffer[] = []
  let size = 0
  const iterator = stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    pieces.push(next.value)
    size += next.value.length
    if (size > LIMITS.smallObjectBytesMax) {
      const { hash, size: stored } = await client.upload(Readable.from(chain(pieces, iterator)))
      return { object: hash, size: stored }
    }
  }
  return { base64: Buffer.concat(pieces).toString('base64') }
}

async function* chain(pieces: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}
