import type { BudgetReserve, BudgetSettle, DataOf } from '@choiros/contract/catalog.ts'
import { oneByOne, type Reducer } from './reducer.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** What models cost: each call's reservation, and what it came to. `tokens` is the reservation until it is settled. */
export const budgets: Reducer = {
  name: 'budgets',
  version: 1,
  tables: ['spend'],
  schema: `
    CREATE TABLE spend (call TEXT PRIMARY KEY, run TEXT, day INTEGER NOT NULL, model TEXT NOT NULL, tokens INTEGER NOT NULL, micros INTEGER,
      settled INTEGER, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  indexes: `
    CREATE INDEX spend_run ON spend (run);
    CREATE INDEX spend_day ON spend (day);
    CREATE INDEX spend_open ON spend (call) WHERE settled IS NULL;
  `,
  statements: {
    reserve: 'INSERT OR IGNORE INTO spend VALUES (?, ?, ?, ?, ?, NULL, NULL, ?)',
    settle: 'UPDATE spend SET tokens = ?, micros = ?, settled = ? WHERE call = ? AND settled IS NULL',
  },
  start: oneByOne(({ event }, write) => {
    if (event.type === 'budget.reserve') {
      const { call, model, tokens } = event.data as DataOf<typeof BudgetReserve>
      write('reserve', call, event.run, Math.floor(event.time / DAY_MS), model, tokens, event.seq)
    } else if (event.type === 'budget.settle') {
      const { call, tokens, micros } = event.data as DataOf<typeof BudgetSettle>
      write('settle', tokens, micros, event.seq, call)
    }
  }),
}
