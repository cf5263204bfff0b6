import type { DataOf } from '@choiros/contract/catalog.ts'
import type { RenderError, RenderWell } from '@choiros/contract/events/faults.ts'
import type { Health } from '@choiros/contract/events/runs.ts'
import { oneByOne, type Reducer } from './reducer.ts'

/** How many are remembered: a desktop that throws another error each time must not fill the tables (L11). */
const FAULTS_MAX = 50

/** What does not work in the apps that are open, and how often that was seen; forgotten when the app works again,
 * or when something has landed since with which the desktop works. */
export const faults: Reducer = {
  name: 'faults',
  version: 1,
  tables: ['fault'],
  schema: `
    CREATE TABLE fault (app TEXT NOT NULL, message TEXT NOT NULL, stack TEXT NOT NULL, seq INTEGER NOT NULL, time INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (app, message)) STRICT, WITHOUT ROWID;
  `,
  indexes: 'CREATE INDEX fault_seq ON fault (seq);',
  statements: {
    put: `INSERT INTO fault VALUES (?, ?, ?, ?, ?, 1)
      ON CONFLICT DO UPDATE SET stack = excluded.stack, seq = excluded.seq, time = excluded.time, count = count + 1`,
    prune: `DELETE FROM fault WHERE seq <= (SELECT seq FROM fault ORDER BY seq DESC LIMIT 1 OFFSET ${FAULTS_MAX})`,
    well: 'DELETE FROM fault WHERE app = ?',
    healthy: 'DELETE FROM fault WHERE seq < ?',
  },
  start: oneByOne(({ event }, write) => {
    if (event.type === 'render.error') {
      const { app, message, stack } = event.data as DataOf<typeof RenderError>
      write('put', app, message, stack, event.seq, event.time)
      write('prune')
    } else if (event.type === 'render.well') write('well', (event.data as DataOf<typeof RenderWell>).app)
    else if (event.type === 'health') {
      const { land, verdict } = event.data as DataOf<typeof Health>
      if (verdict === 'ok') write('healthy', land)
    }
  }),
}
