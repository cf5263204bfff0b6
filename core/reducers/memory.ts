import type { DataOf } from '@choiros/contract/catalog.ts'
import type {
  MemoryAdd,
  MemoryBack,
  MemoryCorrect,
  MemoryForget,
  NoteObservation,
} from '@choiros/contract/events/notes.ts'
import type { Fork } from '@choiros/contract/events/points.ts'
import type { Message } from '@choiros/contract/events/talk.ts'
import type { Change } from '@choiros/contract/change.ts'
import type { Event } from '@choiros/contract/event.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { byteLength, type NoteRowKind } from '../memory/memory.ts'
import { saidToKeep } from '../memory/said.ts'
import { oneByOne, type Reducer, type Write } from './reducer.ts'

/** From here on it is the person's: it has a bound of its own, so that no flood of notes takes it away (L11). */
const OF_PERSON = 8

/** Where there is no room for all, the weakest goes first, and of equals the oldest. */
const RANK: Readonly<Record<NoteRowKind, number>> = {
  status: 1,
  conjecture: 2,
  help: 3,
  verify: 3,
  hyperthesis: 3,
  hypothesis: 4,
  observation: 5, // 6 when its run has landed.
  drive: 7,
  believe: 7,
}
/** In passing, or forgotten since: where the person has much to say, this goes before what they wrote by hand. */
const SAID = OF_PERSON
export const EDITED = 9

/**
 * What was noted, by agents and by the person, and what the person did to it. Whether it still stands is not in here:
 * that is known by what it rests on, in the tables of undo, runs and files. Kept twice, the two could differ.
 */
export const memory: Reducer = {
  name: 'memory',
  version: 4,
  tables: ['memory', 'memory_file', 'memory_edit'],
  schema: `
    CREATE TABLE memory (note TEXT PRIMARY KEY, seq INTEGER NOT NULL, time INTEGER NOT NULL, kind TEXT NOT NULL, by TEXT NOT NULL, run TEXT,
      text TEXT NOT NULL, topic TEXT NOT NULL, bytes INTEGER NOT NULL, rank INTEGER NOT NULL, landed INTEGER, imported INTEGER) STRICT, WITHOUT ROWID;
    CREATE TABLE memory_file (note TEXT NOT NULL, path TEXT NOT NULL, object TEXT, PRIMARY KEY (note, path)) STRICT, WITHOUT ROWID;
    CREATE TABLE memory_edit (seq INTEGER NOT NULL, note TEXT NOT NULL, kind TEXT NOT NULL, text TEXT, back_by INTEGER, PRIMARY KEY (seq, note)) STRICT, WITHOUT ROWID;
    CREATE INDEX memory_run ON memory (run) WHERE run IS NOT NULL;
    CREATE INDEX memory_edit_note ON memory_edit (note);
  `,
  statements: {
    add: 'INSERT OR IGNORE INTO memory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)',
    file: 'INSERT OR IGNORE INTO memory_file VALUES (?, ?, ?)',
    land: 'UPDATE memory SET landed = ?, rank = CASE rank WHEN 5 THEN 6 ELSE rank END WHERE run = ?',
    // What it says of a file, it says of the file that landed.
    landFiles: `UPDATE memory_file SET object = landed.value ->> 1 FROM json_each(?) landed
      WHERE memory_file.path = landed.value ->> 0 AND note IN (SELECT note FROM memory WHERE run = ?)`,
    import: 'UPDATE memory SET imported = ?',
    edit: 'INSERT OR IGNORE INTO memory_edit SELECT ?, note, ?, ?, NULL FROM memory WHERE note = ?',
    rule: 'UPDATE memory SET rank = ? WHERE note = ?',
    back: "UPDATE memory_edit SET back_by = ? WHERE seq = ? AND note = ? AND kind != 'add' AND back_by IS NULL",
    pruneEdits: `DELETE FROM memory_edit WHERE note = ? AND seq <= (SELECT seq FROM memory_edit WHERE note = ? ORDER BY seq DESC LIMIT 1 OFFSET ${LIMITS.memoryEditsMax})`,
    prune: `DELETE FROM memory WHERE note IN (SELECT note FROM (
      SELECT note, row_number() OVER best AS place, sum(bytes) OVER best AS total FROM memory WHERE (rank >= ${OF_PERSON}) = ?
      WINDOW best AS (ORDER BY rank DESC, seq DESC, note)) WHERE place > ${LIMITS.memoryEntriesMax} OR total > ${LIMITS.memoryBytesMax})`,
    pruneFiles: 'DELETE FROM memory_file WHERE note NOT IN (SELECT note FROM memory)',
    pruneLost: 'DELETE FROM memory_edit WHERE note NOT IN (SELECT note FROM memory)',
  },
  start: oneByOne(({ event, changes }, write) => {
    const kind = NOTES[event.type]
    if (kind !== undefined) return applyNote(write, event, kind)
    switch (event.type) {
      case 'message':
        return applyMessage(write, event)
      case 'run.land':
        return applyLanding(write, event, changes)
      case 'memory.add':
      case 'memory.correct':
      case 'memory.forget':
      case 'memory.back':
        return applyEdit(write, event)
      case 'fork':
        return (event.data as DataOf<typeof Fork>).how === 'import' ? write('import', event.seq) : undefined
    }
  }),
}

const NOTES: Readonly<Record<string, NoteRowKind>> = {
  'note.observation': 'observation',
  'note.hypothesis': 'hypothesis',
  'note.hyperthesis': 'hyperthesis',
  'note.conjecture': 'conjecture',
  'note.status': 'status',
  'note.request.help': 'help',
  'note.request.verify': 'verify',
}

function add(
  write: Write,
  { seq, time, run }: Event,
  entry: { note: string; kind: NoteRowKind; by: string; text: string; topic: string; rank: number },
): void {
  const { note, kind, by, text, topic, rank } = entry
  write('add', note, seq, time, kind, by, run, text, topic, byteLength(text) + byteLength(topic), rank)
}

function prune(write: Write, isPersons: boolean): void {
  write('prune', isPersons ? 1 : 0)
  write('pruneFiles')
  write('pruneLost')
}

function applyNote(write: Write, event: Event, type: NoteRowKind): void {
  const { note, text, topic, by, rests, of } = event.data as DataOf<typeof NoteObservation>
  const kind = type !== 'observation' ? type : of === 'person' ? 'believe' : of === 'aim' ? 'drive' : 'observation'
  add(write, event, { note, kind, by, text, topic, rank: RANK[kind] })
  for (const { path, object } of rests.files) write('file', note, path, object)
  prune(write, false)
}

/** What a person says of themselves in passing is remembered as it was said. */
function applyMessage(write: Write, event: Event): void {
  const { role, text, wishes } = event.data as DataOf<typeof Message>
  if (role !== 'user') return
  const said = saidToKeep(text, wishes)
  for (const one of said)
    add(write, event, {
      note: `said-${event.seq}-${nameOf(one.text)}`,
      kind: one.part,
      by: 'person',
      text: one.text,
      topic: '',
      rank: SAID,
    })
  if (said.length > 0) prune(write, true)
}

function applyLanding(write: Write, { seq, run }: Event, changes: readonly Change[]): void {
  if (run === null) return
  write('land', seq, run)
  // In one statement: a landing may change a hundred thousand files, and hardly ever one that a note names.
  write('landFiles', JSON.stringify(changes.map(({ path, to }) => [path, to?.object ?? null])), run)
}

function applyEdit(write: Write, event: Event): void {
  const { seq, type, data } = event
  if (type === 'memory.back') {
    const { note, edit } = data as DataOf<typeof MemoryBack>
    write('back', seq, edit, note)
    return write('rule', EDITED, note)
  }
  if (type === 'memory.forget') {
    for (const note of (data as DataOf<typeof MemoryForget>).notes) rule(write, seq, note, 'forget', null)
  } else if (type === 'memory.correct') {
    const { note, text } = data as DataOf<typeof MemoryCorrect>
    rule(write, seq, note, 'correct', text)
  } else {
    const { note, part, text, topic } = data as DataOf<typeof MemoryAdd>
    add(write, event, { note, kind: part, by: 'person', text, topic, rank: EDITED })
    rule(write, seq, note, 'add', text)
  }
  prune(write, true)
}

function rule(write: Write, seq: number, note: string, kind: string, text: string | null): void {
  write('edit', seq, kind, text, note)
  write('rule', kind === 'forget' ? SAID : EDITED, note)
  write('pruneEdits', note, note)
}

/** A name for a text that stays when other sentences of the message are understood in another way one day. */
function nameOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash.toString(36)
}
