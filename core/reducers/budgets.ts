import type { DataOf } from '@choiros/contract/catalog.ts'
import type { BudgetCap, BudgetReserve, BudgetSettle } from '@choiros/contract/events/account.ts'
import type { Fork } from '@choiros/contract/events/points.ts'
import { oneByOne, type Reducer } from './reducer.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * What models cost: each call's reservation and its true cost; and what they may cost, if the person has said so.
 * `tokens` and `micros` are the reservation until the call is settled.
 */
export const budgets: Reducer = {
  name: 'budgets',
  version: 2,
  tables: ['cap', 'spend'],
  schema: `
    CREATE TABLE spend (call TEXT PRIMARY KEY, run TEXT, day INTEGER NOT NULL, model TEXT NOT NULL, tokens INTEGER NOT NULL, micros INTEGER,
      settled INTEGER, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE cap (one INTEGER PRIMARY KEY CHECK (one = 1), run INTEGER NOT NULL, day INTEGER NOT NULL, computer INTEGER, micros INTEGER) STRICT;
  `,
  indexes: `
    CREATE INDEX spend_run ON spend (run);
    CREATE INDEX spend_day ON spend (day);
    CREATE INDEX spend_open ON spend (call) WHERE settled IS NULL;
  `,
  statements: {
    reserve: 'INSERT OR IGNORE INTO spend VALUES (?, ?, ?, ?, ?, ?, NULL, ?)',
    settle: 'UPDATE spend SET tokens = ?, micros = ?, settled = ? WHERE call = ? AND settled IS NULL',
    cap: 'INSERT OR REPLACE INTO cap VALUES (1, ?, ?, ?, ?)',
    forgetCaps: 'DELETE FROM cap',
    forgetSpend: 'DELETE FROM spend',
  },
  start: oneByOne(({ event }, write) => {
    switch (event.type) {
      case 'budget.reserve': {
        const { call, model, tokens, micros } = event.data as DataOf<typeof BudgetReserve>
        return write('reserve', call, event.run, Math.floor(event.time / DAY_MS), model, tokens, micros, event.seq)
      }
      case 'budget.settle': {
        const { call, tokens, micros } = event.data as DataOf<typeof BudgetSettle>
        return write('settle', tokens, micros, event.seq, call)
      }
      case 'budget.cap': {
        const { run, day, computer, micros } = event.data as DataOf<typeof BudgetCap>
        return write('cap', run, day, computer, micros)
      }
      case 'fork':
        // In an import, somebody else's caps and costs do not count as this person's: a file from anywhere must not
        // raise a cap.
        if ((event.data as DataOf<typeof Fork>).how !== 'import') return
        write('forgetCaps')
        return write('forgetSpend')
    }
  }),
}
