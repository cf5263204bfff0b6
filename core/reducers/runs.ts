import type { DataOf, ReceiptVerifier, RunStart, TaskRequest, TaskResult, WorkClose, WorkCreate } from '@choiros/contract/catalog.ts'
import { oneByOne, type Reducer, type Write } from './reducer.ts'
import type { Event } from '@choiros/contract/event.ts'

/** How a run ended, by the event that ended it. A run ends once: the first of these wins, except that a landing may still be reverted. */
const ENDINGS: Readonly<Record<string, string>> = {
  'run.land': 'landed',
  'run.discard': 'discarded',
  'run.cancel': 'cancelled',
  'run.revert': 'reverted',
}

export const runs: Reducer = {
  name: 'runs',
  version: 1,
  tables: ['work_item', 'run', 'task', 'receipt'],
  schema: `
    CREATE TABLE work_item (work TEXT PRIMARY KEY, title TEXT NOT NULL, criteria TEXT NOT NULL, outcome TEXT, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE run (run TEXT PRIMARY KEY, work TEXT NOT NULL, base INTEGER NOT NULL, status TEXT NOT NULL, reason TEXT, started INTEGER NOT NULL, ended INTEGER) STRICT, WITHOUT ROWID;
    CREATE TABLE task (task TEXT PRIMARY KEY, run TEXT, kind TEXT NOT NULL, instruction TEXT NOT NULL, status TEXT, summary TEXT, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE receipt (seq INTEGER PRIMARY KEY, run TEXT, tree TEXT NOT NULL, verifier TEXT NOT NULL, ok INTEGER NOT NULL, report TEXT) STRICT;
  `,
  indexes: `
    CREATE INDEX run_open ON run (started) WHERE ended IS NULL;
    CREATE INDEX receipt_tree ON receipt (tree);
  `,
  statements: {
    work: 'INSERT OR IGNORE INTO work_item VALUES (?, ?, ?, NULL, ?)',
    closeWork: 'UPDATE work_item SET outcome = ? WHERE work = ?',
    start: "INSERT OR IGNORE INTO run VALUES (?, ?, ?, 'running', NULL, ?, NULL)",
    end: "UPDATE run SET status = ?, reason = ?, ended = ? WHERE run = ? AND status = 'running'",
    revert: "UPDATE run SET status = ?, reason = ?, ended = ? WHERE run = ? AND status IN ('running', 'landed')",
    task: 'INSERT OR IGNORE INTO task VALUES (?, ?, ?, ?, NULL, NULL, ?)',
    taskResult: 'UPDATE task SET status = ?, summary = ? WHERE task = ? AND status IS NULL',
    receipt: 'INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?)',
  },
  start: oneByOne(({ event }, write) => {
    const ending = ENDINGS[event.type]
    if (ending !== undefined) {
      write(ending === 'reverted' ? 'revert' : 'end', ending, typeof event.data.reason === 'string' ? event.data.reason : null, event.seq, event.run)
    } else {
      applyProgress(event, write)
    }
  }),
}

function applyProgress(event: Event, write: Write): void {
  switch (event.type) {
    case 'work.create': {
      const data = event.data as DataOf<typeof WorkCreate>
      return write('work', data.work, data.title, JSON.stringify(data.criteria), event.seq)
    }
    case 'work.close': {
      const data = event.data as DataOf<typeof WorkClose>
      return write('closeWork', data.outcome, data.work)
    }
    case 'run.start': {
      const data = event.data as DataOf<typeof RunStart>
      return event.run === null ? undefined : write('start', event.run, data.work, data.base, event.seq)
    }
    case 'task.request': {
      const data = event.data as DataOf<typeof TaskRequest>
      return write('task', data.task, event.run, data.kind, data.instruction, event.seq)
    }
    case 'task.result': {
      const data = event.data as DataOf<typeof TaskResult>
      return write('taskResult', data.status, data.summary, data.task)
    }
    case 'receipt.verifier': {
      const data = event.data as DataOf<typeof ReceiptVerifier>
      return write('receipt', event.seq, event.run, data.tree, data.verifier, data.ok ? 1 : 0, data.report)
    }
  }
}
