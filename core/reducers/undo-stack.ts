import type { DataOf, RunRevert, Undo } from '@choiros/contract/catalog.ts'
import type { Reducer } from './reducer.ts'

/**
 * What Undo and Redo step through. A unit is one thing a person would want back as a whole: a landed run, a restore, or one change by the command line.
 * Typing in Writer and moving files in Files have an undo of their own and are no units.
 */
export const undoStack: Reducer = {
  name: 'undo-stack',
  version: 1,
  tables: ['unit', 'undone'],
  schema: `
    CREATE TABLE unit (seq INTEGER PRIMARY KEY, scope TEXT NOT NULL, type TEXT NOT NULL, run TEXT, title TEXT NOT NULL, undone_by INTEGER) STRICT;
    CREATE INDEX unit_in_effect ON unit (scope, seq) WHERE undone_by IS NULL;
    CREATE INDEX unit_undone ON unit (undone_by) WHERE undone_by IS NOT NULL;
    CREATE INDEX unit_run ON unit (run) WHERE run IS NOT NULL;
    CREATE TABLE undone (seq INTEGER PRIMARY KEY, target INTEGER NOT NULL, kind TEXT NOT NULL, closed_by INTEGER) STRICT;
    CREATE INDEX undone_open ON undone (seq) WHERE closed_by IS NULL;
  `,
  statements: {
    add: 'INSERT INTO unit VALUES (?, ?, ?, ?, ?, NULL)',
    takeBack: 'UPDATE unit SET undone_by = ? WHERE seq = ? AND undone_by IS NULL',
    takeBackAfter: 'UPDATE unit SET undone_by = ? WHERE seq > ? AND undone_by IS NULL',
    bringBack: 'UPDATE unit SET undone_by = NULL WHERE undone_by = ?',
    addUndone: 'INSERT INTO undone VALUES (?, ?, ?, NULL)',
    close: 'UPDATE undone SET closed_by = ? WHERE seq = ?',
    closeAll: 'UPDATE undone SET closed_by = ? WHERE closed_by IS NULL',
  },
  apply({ event, changes }, write) {
    const { seq, type, run } = event
    switch (type) {
      case 'run.land':
        write('add', seq, 'runs', type, run, String(event.data.summary))
        return write('closeAll', seq)
      case 'restore':
        write('add', seq, 'own', type, run, `restore to ${String(event.data.to)}`)
        return write('closeAll', seq)
      case 'file.change':
        if (event.via !== 'cli') return
        write('add', seq, 'own', type, run, titleOf(changes.map((change) => change.path)))
        return write('closeAll', seq)
      case 'run.revert':
        return write('takeBack', seq, (event.data as DataOf<typeof RunRevert>).land)
      case 'undo': {
        const { kind, target } = event.data as DataOf<typeof Undo>
        if (kind === 'redo') {
          write('bringBack', target)
          return write('close', seq, target)
        }
        write(kind === 'point' ? 'takeBackAfter' : 'takeBack', seq, target)
        // An undone undo is a redo by another name: what it had taken back is in effect again.
        write('bringBack', target)
        return write('addUndone', seq, target, kind)
      }
    }
  },
}

function titleOf(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ')
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown
}
