import type { Seq } from '@choiros/contract/ids.ts'
import type { Next } from '@choiros/contract/undo-view.ts'
import type { Computer } from '../computer/computer.ts'

type Queries = Computer['queries']

/** What Undo and Redo would take back, from the tables alone: nothing is planned, no event is read. */
export function nextDeeds(queries: Queries): Pick<Next, 'undo' | 'redo'> {
  const unit = queries.newestUnit('any')
  const open = queries.openUndo()
  return {
    undo: unit === null ? null : { seq: unit.seq, title: unit.title, typing: queries.typingIn(unit.seq) },
    redo: open === null ? null : { seq: open.seq, title: redoTitle(queries, open), typing: null },
  }
}

/** A redo is titled by what it brings back, not by the undo that it takes back. */
export function redoTitle(
  queries: Queries,
  { kind, target }: { readonly kind: string; readonly target: Seq },
  otherwise = 'An earlier undo',
): string {
  if (kind === 'point') return 'Went back to an earlier point'
  return (queries.unit(target) ?? queries.unitAround(target))?.title ?? otherwise
}
