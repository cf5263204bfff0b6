import type { Change, Entry } from '@choiros/contract/change.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Reducer, Write } from './reducer.ts'

/**
 * The present tree, and every earlier version of every path with the events between which it was there (`seq` ≤ n <
 * `until`). Versions are kept by how long they lasted, in powers of two (`span`), and then by when they began: what was
 * there at event n is found in one short range per power, however long the history is. `gone` marks versions that ended
 * because the path was deleted, not by a newer version.
 */
export const files: Reducer = {
  name: 'files',
  version: 3,
  tables: ['file', 'file_past'],
  schema: `
    CREATE TABLE file (path TEXT PRIMARY KEY, kind TEXT NOT NULL, mode TEXT NOT NULL, object TEXT, size INTEGER NOT NULL, seq INTEGER NOT NULL,
      moved_from TEXT) STRICT, WITHOUT ROWID;
    CREATE TABLE file_past (path TEXT NOT NULL, seq INTEGER NOT NULL, until INTEGER NOT NULL, span INTEGER NOT NULL, gone INTEGER NOT NULL,
      kind TEXT NOT NULL, mode TEXT NOT NULL, object TEXT, size INTEGER NOT NULL, moved_from TEXT, PRIMARY KEY (span, seq, path)) STRICT, WITHOUT ROWID;
  `,
  indexes: `
    CREATE INDEX file_moved ON file (moved_from, seq) WHERE moved_from IS NOT NULL;
    CREATE INDEX file_past_path ON file_past (path, seq);
    CREATE INDEX file_past_gone ON file_past (path, until) WHERE gone = 1;
    CREATE INDEX file_past_moved ON file_past (moved_from, seq) WHERE moved_from IS NOT NULL;
  `,
  statements: {
    add: 'INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?)',
    change: 'UPDATE file SET kind = ?, mode = ?, object = ?, size = ?, seq = ?, moved_from = ? WHERE path = ?',
    remove: 'DELETE FROM file WHERE path = ?',
    passOn:
      'INSERT INTO file_past SELECT path, seq, ?, CAST(log2(? - seq) AS INTEGER), ?, kind, mode, object, size, moved_from FROM file WHERE path = ?',
    pass: 'INSERT INTO file_past VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  },
  together: ['pass'],
  start(write) {
    const standings = new Map<TreePath, Standing>()
    return {
      apply({ event, changes }) {
        for (const change of changes) applyChange(change, event.seq, standings, write)
      },
      settle() {
        for (const [path, standing] of standings) writePresent(path, standing, write)
        standings.clear()
      },
    }
  },
}

/**
 * The state of a path that was changed but is not yet written to the present tree's table. There are at most as many as
 * the tree had files at the last `settle` and has now.
 */
interface Standing {
  readonly entry: Entry | null
  readonly seq: number
  readonly movedFrom: TreePath | null
  readonly isInTable: boolean
}

function applyChange(
  { path, from, to, movedFrom }: Change,
  seq: number,
  standings: Map<TreePath, Standing>,
  write: Write,
): void {
  const before = standings.get(path)
  const gone = to === null ? 1 : 0
  if (before === undefined) {
    if (from !== null) write('passOn', seq, seq, gone, path)
  } else if (before.entry !== null) {
    const { kind, mode, object, size } = before.entry
    write('pass', path, before.seq, seq, spanOf(seq - before.seq), gone, kind, mode, object, size, before.movedFrom)
  }
  const isInTable = before?.isInTable ?? from !== null
  if (to === null && !isInTable) standings.delete(path)
  else standings.set(path, { entry: to, seq, movedFrom, isInTable })
}

function writePresent(path: TreePath, { entry, seq, movedFrom, isInTable }: Standing, write: Write): void {
  if (entry === null) write('remove', path)
  else if (isInTable) write('change', entry.kind, entry.mode, entry.object, entry.size, seq, movedFrom, path)
  else write('add', path, entry.kind, entry.mode, entry.object, entry.size, seq, movedFrom)
}

/** The same as SQLite's `CAST(log2(length) AS INTEGER)`. */
function spanOf(length: number): number {
  return Math.floor(Math.log2(length))
}
