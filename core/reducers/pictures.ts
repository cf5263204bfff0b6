import type { DataOf } from '@choiros/contract/catalog.ts'
import type { RunPicture } from '@choiros/contract/events/runs.ts'
import { oneByOne, type Reducer } from './reducer.ts'

/** What trees looked like, for the runs that they were looked at for; the newest of each kind counts. */
export const pictures: Reducer = {
  name: 'pictures',
  version: 1,
  tables: ['picture'],
  schema: `
    CREATE TABLE picture (run TEXT NOT NULL, moment TEXT NOT NULL, app TEXT NOT NULL, tree TEXT NOT NULL, object TEXT NOT NULL, bytes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (run, moment, app)) STRICT, WITHOUT ROWID;
  `,
  indexes: 'CREATE INDEX picture_tree ON picture (tree, app);',
  statements: {
    put: `INSERT INTO picture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET tree = excluded.tree, object = excluded.object, bytes = excluded.bytes, width = excluded.width, height = excluded.height, seq = excluded.seq`,
  },
  start: oneByOne(({ event }, write) => {
    if (event.type !== 'run.picture' || event.run === null) return
    const { moment, app, tree, object, bytes, width, height } = event.data as DataOf<typeof RunPicture>
    write('put', event.run, moment, app ?? '', tree, object, bytes, width, height, event.seq)
  }),
}
