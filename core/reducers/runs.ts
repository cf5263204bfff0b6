import type { DataOf, ReceiptVerifier, RunStart, TaskRequest, TaskResult, WorkClose, WorkCreate } from '@choiros/contract/catalog.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { LiveEvent } from '../everywhere/contract.ts'
import { stepOf, type RunStep } from '../everywhere/run-projection.ts'
import { oneByOne, type Reducer, type Write } from './reducer.ts'

export const runs: Reducer = {
  name: 'runs',
  version: 6,
  tables: ['work_item', 'run', 'task', 'receipt'],
  schema: `
    CREATE TABLE work_item (work TEXT PRIMARY KEY, title TEXT NOT NULL, criteria TEXT NOT NULL, outcome TEXT, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE run (run TEXT PRIMARY KEY, text TEXT NOT NULL, work TEXT, base INTEGER, status TEXT NOT NULL, reason TEXT, reply TEXT,
      asked INTEGER NOT NULL, asked_ms INTEGER NOT NULL, started INTEGER, ended INTEGER, ended_ms INTEGER, landed INTEGER, health TEXT, asking TEXT, offers TEXT) STRICT, WITHOUT ROWID;
    CREATE TABLE task (task TEXT PRIMARY KEY, run TEXT, kind TEXT NOT NULL, instruction TEXT NOT NULL, status TEXT, summary TEXT, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE receipt (seq INTEGER PRIMARY KEY, run TEXT, tree TEXT NOT NULL, verifier TEXT NOT NULL, ok INTEGER NOT NULL, report TEXT) STRICT;
  `,
  indexes: `
    CREATE INDEX run_asked ON run (asked);
    CREATE INDEX run_open ON run (asked) WHERE ended IS NULL;
    CREATE INDEX run_healthy ON run (landed) WHERE health = 'ok';
    CREATE INDEX receipt_tree ON receipt (tree);
  `,
  statements: {
    work: 'INSERT OR IGNORE INTO work_item VALUES (?, ?, ?, NULL, ?)',
    closeWork: 'UPDATE work_item SET outcome = ? WHERE work = ?',
    closeWorkOf: 'UPDATE work_item SET outcome = ? WHERE work = (SELECT work FROM run WHERE run = ?) AND outcome IS NULL',
    ask: "INSERT OR IGNORE INTO run VALUES (?, ?, NULL, NULL, 'queued', NULL, NULL, ?, ?, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
    start: "UPDATE run SET status = 'running', work = ?, base = ?, started = ? WHERE run = ? AND status = 'queued'",
    asking: 'UPDATE run SET asking = ? WHERE run = ? AND ended IS NULL',
    reply: 'UPDATE run SET reply = ?, offers = ? WHERE run = ?',
    end: `UPDATE run SET status = ?, reason = ?, ended = ?, ended_ms = ?, landed = coalesce(?, landed), asking = NULL
      WHERE run = ? AND status IN (SELECT value FROM json_each(?))`,
    health: "UPDATE run SET health = ? WHERE run = ? AND landed = ? AND (health IS NULL OR health = 'unknown')",
    task: 'INSERT OR IGNORE INTO task VALUES (?, ?, ?, ?, NULL, NULL, ?)',
    taskResult: 'UPDATE task SET status = ?, summary = ? WHERE task = ? AND status IS NULL',
    receipt: 'INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?)',
  },
  start: oneByOne(({ event }, write) => {
    // Every event that is read is in its newest version, which is what a page hears.
    const step = event.run === null ? null : stepOf(event as unknown as LiveEvent)
    if (step !== null) applyStep(event, step, write)
    else applyWork(event, write)
  }),
}

function applyStep(event: Event, step: RunStep, write: Write): void {
  const { run, seq, time } = event
  switch (step.does) {
    case 'ask':
      return write('ask', run, step.text, seq, time)
    case 'start': {
      const { work, base } = event.data as DataOf<typeof RunStart>
      write('ask', run, '', seq, time) // One that nobody asked for in words.
      return write('start', work, base, seq, run)
    }
    case 'reply':
      return write('reply', step.text, step.offers.length === 0 ? null : JSON.stringify(step.offers), run)
    case 'wait':
      return write('asking', step.asking === null ? null : JSON.stringify(step.asking), run)
    case 'judge':
      return write('health', step.verdict, run, step.land)
    case 'end':
      write('end', step.status, step.reason, seq, time, step.lands ? seq : null, run, JSON.stringify(step.after))
      return write('closeWorkOf', step.status === 'landed' || step.status === 'answered' ? 'done' : 'dropped', run)
  }
}

function applyWork(event: Event, write: Write): void {
  switch (event.type) {
    case 'work.create': {
      const data = event.data as DataOf<typeof WorkCreate>
      return write('work', data.work, data.title, JSON.stringify(data.criteria), event.seq)
    }
    case 'work.close': {
      const data = event.data as DataOf<typeof WorkClose>
      return write('closeWork', data.outcome, data.work)
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
