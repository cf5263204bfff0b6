import type { DataOf, Health, Message, QuestionAsk, ReceiptVerifier } from '@choiros/contract/catalog.ts'
import type { Event } from '@choiros/contract/event.ts'
import { oneByOne, type Reducer, type Write } from './reducer.ts'

/** How a run ended, by the event that ended it. A run ends once: the first of these wins, except that a landing may still be reverted. */
const ENDINGS: Readonly<Record<string, string>> = {
  'run.land': 'landed',
  'run.answer': 'answered',
  'run.discard': 'discarded',
  'run.cancel': 'cancelled',
  'run.revert': 'reverted',
  // What an agent undoes, redoes, restores or saves as a checkpoint is all that its run does.
  'undo': 'landed',
  'restore': 'landed',
  'checkpoint': 'landed',
}

export const runs: Reducer = {
  name: 'runs',
  version: 6,
  tables: ['run', 'receipt'],
  schema: `
    CREATE TABLE run (run TEXT PRIMARY KEY, text TEXT NOT NULL, status TEXT NOT NULL, reason TEXT, reply TEXT,
      asked INTEGER NOT NULL, asked_ms INTEGER NOT NULL, started INTEGER, ended INTEGER, ended_ms INTEGER, landed INTEGER, health TEXT, asking TEXT, offers TEXT) STRICT, WITHOUT ROWID;
    CREATE TABLE receipt (seq INTEGER PRIMARY KEY, run TEXT, tree TEXT NOT NULL, verifier TEXT NOT NULL, ok INTEGER NOT NULL, report TEXT) STRICT;
  `,
  indexes: `
    CREATE INDEX run_asked ON run (asked);
    CREATE INDEX run_open ON run (asked) WHERE ended IS NULL;
    CREATE INDEX run_healthy ON run (landed) WHERE health = 'ok';
    CREATE INDEX receipt_tree ON receipt (tree);
  `,
  statements: {
    ask: "INSERT OR IGNORE INTO run VALUES (?, ?, 'queued', NULL, NULL, ?, ?, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
    start: "UPDATE run SET status = 'running', started = ? WHERE run = ? AND status = 'queued'",
    asking: 'UPDATE run SET asking = ? WHERE run = ? AND ended IS NULL',
    reply: 'UPDATE run SET reply = ?, offers = ? WHERE run = ?',
    end: "UPDATE run SET status = ?, reason = ?, ended = ?, ended_ms = ?, asking = NULL WHERE run = ? AND status IN ('queued', 'running')",
    land: "UPDATE run SET status = 'landed', landed = ?, ended = ?, ended_ms = ? WHERE run = ? AND status = 'running'",
    revert: "UPDATE run SET status = ?, reason = ?, ended = ?, ended_ms = ? WHERE run = ? AND status IN ('running', 'landed')",
    health: "UPDATE run SET health = ? WHERE run = ? AND landed = ? AND (health IS NULL OR health = 'unknown')",
    receipt: 'INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?)',
  },
  start: oneByOne(({ event }, write) => {
    const ending = ENDINGS[event.type]
    if (ending !== undefined) applyEnding(event, ending, write)
    else applyProgress(event, write)
  }),
}

function applyEnding(event: Event, ending: string, write: Write): void {
  if (event.run === null) return
  const reason = typeof event.data.reason === 'string' ? event.data.reason : null
  if (event.type === 'run.land') write('land', event.seq, event.seq, event.time, event.run)
  else write(ending === 'reverted' ? 'revert' : 'end', ending, reason, event.seq, event.time, event.run)
}

function applyProgress(event: Event, write: Write): void {
  switch (event.type) {
    case 'message': {
      const { role, text, offers } = event.data as DataOf<typeof Message>
      if (event.run === null) return
      if (role === 'user') return write('ask', event.run, text, event.seq, event.time)
      return role === 'director' ? write('reply', text, offers.length === 0 ? null : JSON.stringify(offers), event.run) : undefined
    }
    case 'run.start': {
      if (event.run === null) return
      write('ask', event.run, '', event.seq, event.time) // One that nobody asked for in words.
      return write('start', event.seq, event.run)
    }
    case 'question.ask': {
      const { question, questions } = event.data as DataOf<typeof QuestionAsk>
      return write('asking', JSON.stringify({ question, questions }), event.run)
    }
    case 'question.answer':
      return write('asking', null, event.run)
    case 'health': {
      const data = event.data as DataOf<typeof Health>
      return write('health', data.verdict, event.run, data.land)
    }
    case 'receipt.verifier': {
      const data = event.data as DataOf<typeof ReceiptVerifier>
      return write('receipt', event.seq, event.run, data.tree, data.verifier, data.ok ? 1 : 0, data.report)
    }
  }
}
