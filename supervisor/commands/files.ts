import { FileChange } from '@choiros/contract/events/files.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Content, Operation } from '@choiros/contract/commands/files.ts'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { shownPath, type TreePath } from '@choiros/contract/path.ts'
import { decideOperations } from '@choiros/core/operations.ts'
import { hashSortedTree, hashTree, listAt, readTreeMap } from '@choiros/core/tree.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { Computer } from '../computer/computer.ts'
import { checkPoint, GONE } from '../computer/past.ts'
import { userDraft, type ComputerCommand } from './context.ts'

type Stored = { object: Hash; size: number }

export const changeFiles: ComputerCommand<'files.change'> = async (context, { operations }) => {
  const { computer } = context
  const brought = new Map<Hash, ObjectBytes>()
  const stored = new Map<Operation, Stored>()
  for (const operation of operations) {
    if (operation.op === 'write') stored.set(operation, await storeContent(computer, operation.content, brought))
    if (operation.op === 'link')
      stored.set(operation, keep(Buffer.from(operation.target.slice(0, 2 * LIMITS.linkBytesMax)), brought))
  }
  const contentOf = (operation: Operation): Stored => {
    const content = stored.get(operation)
    assert(content !== undefined, 'content is stored before it is named')
    return content
  }
  const targets = await movedLinkTargets(computer, operations)
  let count = 0
  const event = await computer.change(({ state }) => {
    const changes = decideOperations(state.tree, operations, contentOf, ({ object }) => targets.get(object) ?? null)
    count = changes.length
    if (count === 0) return null
    const named = new Set(changes.flatMap((change) => (change.to?.object ? [change.to.object] : [])))
    const objects = [...brought.values()].filter((object) => named.has(object.hash))
    return { draft: userDraft(context, FileChange, {}), changes, objects }
  })
  return { seq: event?.seq ?? null, changes: count, written: versionsOf(stored.values()) }
}

/** As many versions as a page could go on from; a caller that sends more at once can ask for the rest. */
function versionsOf(stored: Iterable<Stored>): Hash[] {
  return [...stored].slice(0, LIMITS.inlineChangesMax).map(({ object }) => object)
}

/**
 * The targets of the symlinks that a move would take along: a symlink that would point out of the computer from its new
 * place is refused.
 */
async function movedLinkTargets(
  computer: Computer,
  operations: readonly Operation[],
): Promise<Map<Hash | null, string>> {
  const targets = new Map<Hash | null, string>()
  const { tree } = computer.queries
  for (const operation of operations) {
    if (operation.op !== 'move') continue
    for (const entry of [tree.entry(operation.path), ...[...tree.below(operation.path)].map(([, below]) => below)]) {
      if (entry?.kind === 'symlink')
        targets.set(entry.object, (await computer.objects.get(entry.object)).toString('utf8'))
    }
  }
  return targets
}

async function storeContent(computer: Computer, content: Content, brought: Map<Hash, ObjectBytes>): Promise<Stored> {
  if ('object' in content) {
    const size = await computer.objects.size(content.object)
    if (size === null)
      throw new ChoirError('object.missing', `object ${content.object} was not uploaded to this computer`)
    return { object: content.object, size }
  }
  const bytes = 'text' in content ? textBytes(content.text) : Buffer.from(content.base64, 'base64')
  return keep(bytes, brought)
}

function textBytes(text: string): Buffer {
  if (!text.isWellFormed())
    throw new ChoirError('request.invalid', 'the text is not valid Unicode; send it as base64 to keep its bytes')
  return Buffer.from(text)
}

function keep(bytes: Buffer, brought: Map<Hash, ObjectBytes>): Stored {
  const hash = sha256(bytes)
  brought.set(hash, { hash, bytes })
  return { object: hash, size: bytes.length }
}

export const listFiles: ComputerCommand<'files.list'> = async ({ computer }, { path, at }) => {
  checkPoint(computer, at)
  const { queries } = computer
  const tree = at === null ? queries.tree : readTreeMap(queries.entriesAt(at))
  return [...listAt(tree, path)].map(([found, entry]) => ({
    path: found,
    entry,
    seq: at === null ? queries.entrySeq(found) : null,
  }))
}

export const statFile: ComputerCommand<'files.stat'> = async ({ computer }, { path, at }) => {
  checkPoint(computer, at)
  const { queries } = computer
  return { entry: at === null ? queries.tree.entry(path) : queries.entryAt(path, at) }
}

export const showTree: ComputerCommand<'tree'> = async ({ computer }, { at }) => {
  checkPoint(computer, at)
  const { queries } = computer
  if (at === null) {
    const entries = queries.allEntries()
    return { seq: computer.head().seq, hash: hashSortedTree(entries), files: Object.fromEntries(entries) }
  }
  const tree = queries.entriesAt(at)
  return { seq: at, hash: hashTree(tree), files: Object.fromEntries(tree) }
}

/** The object of a file, as it is now or as it was. */
export function findFileAt(computer: Computer, path: TreePath, at: number | null): { object: Hash; size: number } {
  checkPoint(computer, at)
  const { queries } = computer
  const entry = at === null ? queries.tree.entry(path) : queries.entryAt(path, at)
  if (entry === null)
    throw new ChoirError(
      'path.unknown',
      `there is nothing at ${shownPath(path)}${at === null ? '' : ` at event ${at}`}`,
    )
  if (entry.object === null) throw new ChoirError('path.conflict', `${shownPath(path)} is a folder`)
  const why = queries.whyErased(entry.object)
  if (why !== null) throw new ChoirError('object.erased', `this version of ${shownPath(path)} was ${GONE[why]}`)
  return { object: entry.object, size: entry.size }
}
