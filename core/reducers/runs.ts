import type { DataOf } from '@choiros/contract/catalog.ts'
import type { ReceiptVerifier } from '@choiros/contract/events/runs.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { LiveEvent } from '../everywhere/contract.ts'
import { stepOf, type RunStep } from '../everywhere/run-projection.ts'
import { oneByOne, type Reducer, type Write } from './reducer.ts'

export const runs: Reducer = {
  name: 'runs',
  version: 10,
  tables: ['run', 'receipt'],
  schema: `
    CREATE TABLE run (run TEXT PRIMARY KEY, text TEXT NOT NULL, status TEXT NOT NULL, reason TEXT, reply TEXT,
      asked INTEGER NOT NULL, asked_ms INTEGER NOT NULL, started INTEGER, ended INTEGER, ended_ms INTEGER, landed INTEGER, health TEXT, asking TEXT, offers TEXT,
      draft TEXT, mood TEXT) STRICT, WITHOUT ROWID;
    CREATE TABLE receipt (seq INTEGER PRIMARY KEY, run TEXT, tree TEXT NOT NULL, verifier TEXT NOT NULL, ok INTEGER NOT NULL, report TEXT) STRICT;
  `,
  indexes: `
    CREATE INDEX run_asked ON run (asked);
    CREATE INDEX run_open ON run (asked) WHERE ended IS NULL;
    CREATE INDEX run_healthy ON run (landed) WHERE health = 'ok';
    CREATE INDEX receipt_tree ON receipt (tree);
  `,
  statements: {
    ask: "INSERT OR IGNORE INTO run VALUES (?, ?, 'queued', NULL, NULL, ?, ?, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
    start: "UPDATE run SET status = 'running', started = ? WHERE run = ? AND status = 'queued'",
    resume:
      "UPDATE run SET status = 'running', landed = NULL, health = NULL, ended = NULL, ended_ms = NULL WHERE run = ? AND status = 'landed'",
    feel: 'UPDATE run SET mood = ? WHERE run = ? AND ended IS NULL',
    asking: 'UPDATE run SET asking = ? WHERE run = ? AND ended IS NULL',
    reply: 'UPDATE run SET reply = ?, offers = ? WHERE run = ?',
    end: `UPDATE run SET status = ?, reason = ?, ended = ?, ended_ms = ?, landed = coalesce(?, landed), asking = NULL
      WHERE run = ? AND instr(?, ' ' || status || ' ') > 0`,
    health: "UPDATE run SET health = ? WHERE run = ? AND landed = ? AND (health IS NULL OR health = 'unknown')",
    keep: 'UPDATE run SET draft = ? WHERE run = ?',
    dropAll: 'UPDATE run SET draft = NULL WHERE draft IS NOT NULL',
    receipt: 'INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?)',
  },
  start: oneByOne(({ event }, write) => {
    // Every event is read in its newest version, as a page gets it.
    const step = event.run === null ? null : stepOf(event as unknown as LiveEvent)
    if (step !== null) applyStep(event, step, write)
    // Drafts are files beside the log, and do not come along: nobody is offered to go on with what is not there.
    if (event.type === 'fork') return write('dropAll')
    if (event.type !== 'receipt.verifier') return
    const { tree, verifier, ok, report } = event.data as DataOf<typeof ReceiptVerifier>
    write('receipt', event.seq, event.run, tree, verifier, ok ? 1 : 0, report)
  }),
}

function applyStep(event: Event, step: RunStep, write: Write): void {
  const { run, seq, time } = event
  switch (step.does) {
    case 'ask':
      return write('ask', run, step.text, seq, time)
    case 'start':
      write('ask', run, '', seq, time) // A run that nobody asked for in words.
      return write('start', seq, run)
    case 'resume':
      return write('resume', run)
    case 'reply':
      return write('reply', step.text, step.offers.length === 0 ? null : JSON.stringify(step.offers), run)
    case 'feel':
      return write('feel', JSON.stringify(step.mood), run)
    case 'wait':
      return write('asking', step.asking === null ? null : JSON.stringify(step.asking), run)
    case 'keep':
      return write('keep', step.draft === null ? null : JSON.stringify(step.draft), run)
    case 'judge':
      return write('health', step.verdict, run, step.land)
    case 'end':
      return write(
        'end',
        step.status,
        step.reason,
        seq,
        time,
        step.lands ? seq : null,
        run,
        ` ${step.after.join(' ')} `,
      )
  }
}
