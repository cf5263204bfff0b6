import { ATTACHED, type DataOf } from '@choiros/contract/catalog.ts'
import { Erase } from '@choiros/contract/events/files.ts'
import { type Checkpoint } from '@choiros/contract/events/points.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Reducer } from './reducer.ts'

/** Objects that are gathered before the table is asked whether one of them had been erased. */
const WRITTEN_MAX = 1000
/** Fewer objects are asked for one by one: reading a list takes SQLite as long as twenty rows. */
const TOGETHER_FROM = 20

/** Checkpoints, large manifests, other objects that events name, and the holes that erasing left. */
export const points: Reducer = {
  name: 'points',
  version: 4,
  tables: ['checkpoint', 'manifest', 'attached', 'erased'],
  schema: `
    CREATE TABLE checkpoint (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, tree TEXT NOT NULL) STRICT;
    CREATE TABLE manifest (seq INTEGER NOT NULL, object TEXT NOT NULL, PRIMARY KEY (seq, object)) STRICT, WITHOUT ROWID;
    CREATE TABLE attached (object TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (object, seq)) STRICT, WITHOUT ROWID;
    CREATE TABLE erased (object TEXT PRIMARY KEY, seq INTEGER NOT NULL, why TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  statements: {
    checkpoint: 'INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?)',
    manifest: 'INSERT INTO manifest VALUES (?, ?)',
    attach: 'INSERT OR IGNORE INTO attached VALUES (?, ?)',
    erase: 'INSERT OR REPLACE INTO erased VALUES (?, ?, ?)',
    revive: 'DELETE FROM erased WHERE object = ?',
    // If nothing was erased, which is nearly always so, the list is not even read.
    reviveAll:
      "DELETE FROM erased WHERE object IN (SELECT value FROM json_each(iif(EXISTS (SELECT 1 FROM erased), ?, '[]')))",
  },
  start(write) {
    let written: Hash[] = []
    // The same bytes written anew after an erase are no hole: recovery must not delete them a second time.
    const revive = () => {
      if (written.length >= TOGETHER_FROM) write('reviveAll', JSON.stringify(written))
      else for (const object of written) write('revive', object)
      written = []
    }
    return {
      apply({ event, changes, erased }) {
        if (typeof event.data.manifest === 'string') write('manifest', event.seq, event.data.manifest)
        // This list is also part of the log: without it nobody could tell a hole from a loss.
        if (event.type === Erase.type && typeof event.data.list === 'string')
          write('manifest', event.seq, event.data.list)
        for (const key of ATTACHED) if (typeof event.data[key] === 'string') write('attach', event.data[key], event.seq)
        if (event.type === 'checkpoint') {
          const data = event.data as DataOf<typeof Checkpoint>
          write('checkpoint', event.seq, event.time, data.name, data.kind, data.tree)
        } else if (event.type === Erase.type) {
          revive()
          const { why } = event.data as DataOf<typeof Erase>
          for (const object of erased) write('erase', object, event.seq, why)
        } else {
          for (const { to } of changes) if (to !== null && to.object !== null) written.push(to.object)
          if (written.length >= WRITTEN_MAX) revive()
        }
      },
      settle: revive,
    }
  },
}
