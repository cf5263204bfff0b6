import { type EventDefinition } from '@choiros/contract/events/define.ts'
import { Restore, Undo } from '@choiros/contract/events/files.ts'
import type { OutputOf } from '@choiros/contract/commands.ts'
import type { UndoPlan } from '@choiros/contract/undo-view.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { viewChanges } from '@choiros/core/undo.ts'
import { carryOut } from '../undo/carry-out.ts'
import { planPoint, planRedo, planUndo, type Plan } from '../undo/plan.ts'
import { userDraft, type ComputerCommand, type ComputerContext } from './context.ts'

export const previewUndo: ComputerCommand<'undo.preview'> = async ({ computer }, { target }) =>
  view(await planUndo(computer, target))

export const undo: ComputerCommand<'undo'> = (context, { target, tree }) =>
  carryOutFor(
    context,
    () => planUndo(context.computer, target),
    (plan) => {
      if (tree !== null && plan.tree !== tree) {
        throw new ChoirError(
          'undo.mismatch',
          'the computer has changed since the preview, so nothing was undone. Look at the preview again.',
        )
      }
      return { definition: Undo, data: { kind: plan.kind, target: plan.target.seq, tree: plan.tree, windows: null } }
    },
  )

export const listUnits: ComputerCommand<'undo.list'> = async ({ computer }, { before, limit }) =>
  computer.queries.units(before ?? null, limit).map(({ seq, until, time, type, via, run, title, undone_by: by }) => {
    const asked = run === null ? null : (computer.queries.run(run)?.text ?? null)
    return { seq, until, time, type, via, run, title, asked, undone: by !== null }
  })

export const previewRedo: ComputerCommand<'redo.preview'> = async ({ computer }) => view(await planRedo(computer))

export const redo: ComputerCommand<'redo'> = (context, { undo: named }) =>
  carryOutFor(
    context,
    () => planRedo(context.computer, named),
    (plan) => ({
      definition: Undo,
      data: { kind: 'redo', target: plan.target.seq, tree: plan.tree, windows: null },
    }),
  )

export const previewRestore: ComputerCommand<'restore.preview'> = async ({ computer }, { to }) =>
  view(await planPoint(computer, to))

export const restore: ComputerCommand<'restore'> = (context, { to }) =>
  carryOutFor(
    context,
    () => planPoint(context.computer, to),
    (plan) => ({
      definition: Restore,
      data: { to, tree: plan.tree, windows: context.computer.queries.windowsAt(to) },
    }),
  )

function carryOutFor(
  context: ComputerContext,
  makePlan: () => Promise<Plan>,
  toEvent: (plan: Plan) => { definition: EventDefinition; data: Record<string, unknown> },
): Promise<OutputOf<'undo'>> {
  return carryOut(context.computer, makePlan, (plan) => {
    const { definition, data } = toEvent(plan)
    return userDraft(context, definition, data)
  })
}

function view({ target, changes, merged, conflicts, erased, tree }: Plan): UndoPlan {
  return {
    target,
    changes: viewChanges(changes, merged),
    conflicts,
    erased: [...erased],
    tree: conflicts.length > 0 ? null : tree,
  }
}
