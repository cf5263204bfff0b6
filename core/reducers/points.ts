import type { Checkpoint, DataOf, Erase } from '@choiros/contract/catalog.ts'
import type { Reducer } from './reducer.ts'

/** Checkpoints, large manifests, and the holes that erasing left. */
export const points: Reducer = {
  name: 'points',
  version: 1,
  tables: ['checkpoint', 'manifest', 'erased'],
  schema: `
    CREATE TABLE checkpoint (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, tree TEXT NOT NULL) STRICT;
    CREATE TABLE manifest (seq INTEGER PRIMARY KEY, object TEXT NOT NULL) STRICT;
    CREATE TABLE erased (object TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  statements: {
    checkpoint: 'INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?)',
    manifest: 'INSERT INTO manifest VALUES (?, ?)',
    erase: 'INSERT OR REPLACE INTO erased VALUES (?, ?)',
    revive: 'DELETE FROM erased WHERE object = ?',
  },
  apply({ event, changes }, write) {
    if (typeof event.data.manifest === 'string') write('manifest', event.seq, event.data.manifest)
    if (event.type === 'checkpoint') {
      const data = event.data as DataOf<typeof Checkpoint>
      write('checkpoint', event.seq, event.time, data.name, data.kind, data.tree)
    } else if (event.type === 'erase') {
      for (const object of (event.data as DataOf<typeof Erase>).objects) write('erase', object, event.seq)
    } else {
      // The same bytes written anew after an erase are no hole: recovery must not delete them a second time.
      for (const { to } of changes) if (to !== null && to.object !== null) write('revive', to.object)
    }
  },
}
