import type { DataOf, Restore, RunRevert, Undo } from '@choiros/contract/catalog.ts'
import type { Event } from '@choiros/contract/event.ts'
import { oneByOne, type Reducer, type Write } from './reducer.ts'

/**
 * What Undo and Redo step through. A unit is one thing a person would want back as a whole: a landed run, a restore, or one change by the command line.
 * Typing in Writer and moving files in Files have an undo of their own and are no units.
 *
 * `unit_effect` keeps which event put which unit into or out of effect. Taking an event back then means turning round exactly what it did,
 * also when that event was itself an undo, a redo, or went to a point: a stack that only knew "undone or not" offered runs that were not there.
 */
export const undoStack: Reducer = {
  name: 'undo-stack',
  version: 2,
  tables: ['unit', 'unit_effect', 'undone'],
  schema: `
    CREATE TABLE unit (seq INTEGER PRIMARY KEY, scope TEXT NOT NULL, type TEXT NOT NULL, run TEXT, title TEXT NOT NULL, undone_by INTEGER) STRICT;
    CREATE TABLE unit_effect (unit INTEGER NOT NULL, seq INTEGER NOT NULL, in_effect INTEGER NOT NULL, PRIMARY KEY (unit, seq)) STRICT, WITHOUT ROWID;
    CREATE INDEX unit_effect_seq ON unit_effect (seq);
    CREATE TABLE undone (seq INTEGER PRIMARY KEY, target INTEGER NOT NULL, kind TEXT NOT NULL, closed_by INTEGER) STRICT;
    CREATE INDEX undone_open ON undone (seq) WHERE closed_by IS NULL;
    CREATE INDEX undone_closed ON undone (closed_by) WHERE closed_by IS NOT NULL;
  `,
  indexes: `
    CREATE INDEX unit_in_effect ON unit (scope, seq) WHERE undone_by IS NULL;
    CREATE INDEX unit_run ON unit (run) WHERE run IS NOT NULL;
  `,
  statements: {
    add: 'INSERT INTO unit VALUES (?, ?, ?, ?, ?, NULL)',
    addEffect: 'INSERT INTO unit_effect VALUES (?, ?, 1)',
    // What the target did and nobody has turned round since.
    turnRound: `INSERT INTO unit_effect SELECT done.unit, ?, 1 - done.in_effect FROM unit_effect done JOIN unit ON unit.seq = done.unit
      WHERE done.seq = ? AND (unit.undone_by IS NULL) = done.in_effect`,
    takeBackAfter: 'INSERT INTO unit_effect SELECT seq, ?, 0 FROM unit WHERE seq > ? AND undone_by IS NULL',
    // Older units of which the state has changed since the point.
    goBackTo: `INSERT INTO unit_effect SELECT seq, ?, undone_by IS NOT NULL FROM unit
      WHERE seq <= ? AND seq IN (SELECT changed.unit FROM unit_effect changed WHERE changed.seq > ?)
      AND (undone_by IS NULL) != (SELECT was.in_effect FROM unit_effect was WHERE was.unit = unit.seq AND was.seq <= ? ORDER BY was.seq DESC LIMIT 1)`,
    settle: `UPDATE unit SET undone_by = CASE effect.in_effect WHEN 1 THEN NULL ELSE effect.seq END FROM unit_effect effect
      WHERE effect.seq = ? AND effect.unit = unit.seq`,
    addUndone: 'INSERT INTO undone VALUES (?, ?, ?, NULL)',
    close: 'UPDATE undone SET closed_by = ? WHERE seq = ? AND closed_by IS NULL',
    closeAfter: 'UPDATE undone SET closed_by = ? WHERE seq > ? AND closed_by IS NULL',
    reopen: 'UPDATE undone SET closed_by = NULL WHERE closed_by = ?',
  },
  start: oneByOne(({ event, changes }, write) => {
    switch (event.type) {
      case 'run.land':
        return addUnit(write, event, 'runs', String(event.data.summary))
      case 'file.change':
        return event.via === 'cli' ? addUnit(write, event, 'own', titleOf(changes.map((change) => change.path))) : undefined
      case 'restore':
        goTo(write, event.seq, (event.data as DataOf<typeof Restore>).to)
        return addUnit(write, event, 'own', `restore to ${String(event.data.to)}`)
      case 'run.revert':
        return turnRound(write, event.seq, (event.data as DataOf<typeof RunRevert>).land)
      case 'undo':
        return applyUndo(write, event.seq, event.data as DataOf<typeof Undo>)
    }
  }),
}

function addUnit(write: Write, event: Event, scope: 'runs' | 'own', title: string): void {
  write('add', event.seq, scope, event.type, event.run, title)
  write('addEffect', event.seq, event.seq)
  write('closeAfter', event.seq, 0) // Something new has begun: what was undone before it is not to be redone onto it.
}

function turnRound(write: Write, seq: number, target: number): void {
  write('turnRound', seq, target)
  write('settle', seq)
}

function goTo(write: Write, seq: number, point: number): void {
  write('takeBackAfter', seq, point)
  write('goBackTo', seq, point, point, point)
  write('settle', seq)
}

function applyUndo(write: Write, seq: number, { kind, target }: DataOf<typeof Undo>): void {
  if (kind === 'redo') {
    turnRound(write, seq, target)
    write('close', seq, target)
    return write('reopen', target) // What the redone undo had taken off the list of redos is there again.
  }
  if (kind === 'point') {
    goTo(write, seq, target)
    write('closeAfter', seq, target)
  } else {
    turnRound(write, seq, target)
    write('close', seq, target) // An undone undo is a redo by another name.
  }
  write('addUndone', seq, target, kind)
}

function titleOf(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ')
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown
}
