import type { Reducer } from './reducer.ts'

/** The present tree, every version of every path, and the paths that are gone: so any past tree is one query. */
export const files: Reducer = {
  name: 'files',
  version: 2,
  tables: ['file', 'file_gone', 'file_version'],
  schema: `
    CREATE TABLE file (path TEXT PRIMARY KEY, kind TEXT NOT NULL, mode TEXT NOT NULL, object TEXT, size INTEGER NOT NULL, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE file_gone (path TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE file_version (path TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT, mode TEXT, object TEXT, size INTEGER, moved_from TEXT,
      PRIMARY KEY (path, seq)) STRICT, WITHOUT ROWID;
    CREATE INDEX file_version_moved ON file_version (moved_from, seq) WHERE moved_from IS NOT NULL;
    CREATE INDEX file_version_large ON file_version (object) WHERE size > 65536;
    CREATE INDEX file_version_deleted ON file_version (path, seq) WHERE kind IS NULL;
  `,
  statements: {
    put: 'INSERT INTO file VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET kind = excluded.kind, mode = excluded.mode, object = excluded.object, size = excluded.size, seq = excluded.seq',
    remove: 'DELETE FROM file WHERE path = ?',
    gone: 'INSERT INTO file_gone VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq',
    back: 'DELETE FROM file_gone WHERE path = ?',
    version: 'INSERT INTO file_version VALUES (?, ?, ?, ?, ?, ?, ?)',
  },
  apply({ event, changes }, write) {
    for (const { path, from, to, movedFrom } of changes) {
      if (to === null) {
        write('remove', path)
        write('gone', path, event.seq)
        write('version', path, event.seq, null, null, null, null, null)
        continue
      }
      if (from === null) write('back', path)
      write('put', path, to.kind, to.mode, to.object, to.size, event.seq)
      write('version', path, event.seq, to.kind, to.mode, to.object, to.size, movedFrom)
    }
  },
}
