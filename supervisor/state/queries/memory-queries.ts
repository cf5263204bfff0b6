import { EDITED } from '@choiros/core/reducers/memory.ts'
import type { NoteEdit, NoteRow } from '@choiros/core/memory/memory.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { Ask } from './ask.ts'

/** More than the tables hold: agents' notes and the person's have a bound each. */
const NOTES_MAX = 2 * LIMITS.memoryEntriesMax
const SAID_MAX = 100

/** What was noted, each with what is known by now of what it rests on. */
export function createMemoryQueries(ask: Ask) {
  const all =
    ask(`SELECT note, memory.seq, memory.time, kind, by, memory.run, memory.text, topic, memory.landed, imported, run.health, run.text AS asked,
    unit.seq IS NOT NULL AND unit.undone_by IS NULL AS in_effect FROM memory
    LEFT JOIN run ON run.run = memory.run LEFT JOIN unit ON unit.seq = memory.landed ORDER BY memory.seq DESC, note LIMIT ${NOTES_MAX}`)
  const files = ask(
    'SELECT note, memory_file.path, memory_file.object IS file.object AS same FROM memory_file LEFT JOIN file ON file.path = memory_file.path ORDER BY memory_file.path',
  )
  const edits = ask('SELECT seq, note, kind, text, back_by FROM memory_edit ORDER BY seq')
  const edited = ask(`SELECT count(*) AS count FROM memory WHERE rank = ${EDITED}`)
  const saidIn = ask(`SELECT seq, text FROM message WHERE run = ? AND role = 'user' ORDER BY seq LIMIT ${SAID_MAX}`)
  const saidBefore = ask("SELECT seq FROM message WHERE role = 'user' AND seq < ? ORDER BY seq DESC LIMIT 1")
  return {
    notes(): NoteRow[] {
      const filesOf = grouped(files().all() as FileRow[])
      const editsOf = grouped(edits().all() as EditRow[])
      return (all().all() as Row[]).map(({ in_effect: inEffect, ...row }) => ({
        ...row,
        inEffect: inEffect === 1,
        files: (filesOf.get(row.note) ?? []).map(({ path, same }) => ({ path, same: same === 1 })),
        edits: (editsOf.get(row.note) ?? []).map(({ seq, kind, text, back_by: by }) => ({
          seq,
          kind,
          text,
          back: by !== null,
        })),
      }))
    },
    /** How many entries the person has written by hand, and not forgotten. */
    notesAdded: () => (edited().get() as { count: number }).count,
    /** What the person said in a run, oldest first. */
    saidIn: (run: string) => saidIn().all(run) as { seq: number; text: string }[],
    /** The message that the person sent right before an event. */
    saidBefore: (seq: number) => (saidBefore().get(seq) as { seq: number } | undefined)?.seq ?? null,
  }
}

type Row = Omit<NoteRow, 'inEffect' | 'files' | 'edits'> & { in_effect: number }
interface FileRow {
  note: string
  path: string
  same: number
}
type EditRow = Pick<NoteEdit, 'seq' | 'kind' | 'text'> & { note: string; back_by: number | null }

function grouped<Item extends { readonly note: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(item.note, [...(groups.get(item.note) ?? []), item])
  return groups
}
