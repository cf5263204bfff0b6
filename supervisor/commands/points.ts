import { Erase } from '@choiros/contract/events/files.ts'
import { Checkpoint } from '@choiros/contract/events/points.ts'
import type { Change } from '@choiros/contract/change.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { hashAfterChanges, hashSortedTree } from '@choiros/core/tree.ts'
import { ERASE_RESERVE_BYTES } from '../computer/room.ts'
import { openRunDrafts } from '../computer/run-drafts.ts'
import { userDraft, type ComputerCommand } from './context.ts'

export const checkpoint: ComputerCommand<'checkpoint'> = async (context, { name }) => {
  const { computer } = context
  const event = await computer.append(({ state, head }) => {
    const tree = hashSortedTree(state.allEntries())
    return { draft: userDraft(context, Checkpoint, { name: name ?? `checkpoint ${head.seq + 1}`, kind: 'user', tree }) }
  })
  if (event === null) throw new ChoirError('bug', 'a checkpoint always writes an event')
  computer.signHead()
  const commit = await computer.commitCheckpoints()
  return {
    seq: event.seq,
    name: String(event.data.name),
    tree: event.data.tree as Awaited<ReturnType<typeof checkpoint>>['tree'],
    commit,
  }
}

export const listCheckpoints: ComputerCommand<'checkpoint.list'> = async ({ computer }, wanted) =>
  computer.queries.checkpoints(wanted)

/** The empty object: it holds no secret, and every empty file shares it. */
const EMPTY = sha256('')

export const previewErase: ComputerCommand<'erase.preview'> = async ({ computer }, { path }) => {
  const { queries } = computer
  const objects = queries.objectsOfPath(path).filter((object) => !queries.isErased(object))
  if (objects.length === 0) throw new ChoirError('path.unknown', `no version of ${path} is left to erase`)
  const named = new Set<string>(objects)
  const holders = queries.allEntries().filter(([, entry]) => entry.object !== null && named.has(entry.object))
  // Bytes that another file holds today are not this file's alone: erasing them would delete that file, which nobody
  // asked for and no undo brings back.
  const others = holders.filter(([live]) => live !== path)
  const kept = new Set(others.map(([, entry]) => entry.object))
  const own = objects.filter((object) => !kept.has(object) && object !== EMPTY)
  const shared = others.map(([live]) => live)
  if (own.length === 0) {
    throw new ChoirError(
      'request.refused',
      `nothing of ${path} can be erased: ${shared.length > 0 ? `${shared[0]} holds the same bytes` : 'it was always empty'}`,
      { details: { shared } },
    )
  }
  return {
    objects: own,
    paths: holders.filter(([live, entry]) => live === path && entry.object !== EMPTY).map(([live]) => live),
    shared,
  }
}

/**
 * Removes bytes for good. The event comes first, so that a crash in between only leaves work for the next start; no
 * path may still name an erased object.
 */
export const erase: ComputerCommand<'erase'> = async (context, { objects, reason }) => {
  const { computer, machine } = context
  const named = new Set<string>(objects)
  const event = await computer.change(
    ({ state }) => {
      const held = state.everHeld(objects)
      for (const object of objects) {
        if (state.isManifest(object))
          throw new ChoirError('request.refused', `object ${object} is part of the log itself and cannot be erased`)
        if (!held.has(object))
          throw new ChoirError('object.missing', `no file of this computer ever held object ${object}`)
      }
      const entries = state.allEntries()
      const changes: Change[] = entries
        .filter(([, entry]) => entry.object !== null && named.has(entry.object))
        .map(([path, entry]: [TreePath, Change['from']]) => ({ path, from: entry, to: null, movedFrom: null }))
      const tree = hashAfterChanges(entries, changes)
      return { draft: userDraft(context, Erase, { why: 'content', tree, reason }), changes, erased: objects, tree }
    },
    { reserveBytes: ERASE_RESERVE_BYTES },
  )
  if (event === null) throw new ChoirError('bug', 'an erase always writes an event')
  await computer.erase(objects)
  await openRunDrafts(computer).dropErased()
  await computer.commitCheckpoints().catch((error: unknown) => machine.warn('checkpoints are not in git', error))
  return { seq: event.seq, objects: objects.length, tree: event.data.tree as Awaited<ReturnType<typeof erase>>['tree'] }
}
