import type { DataOf } from '@choiros/contract/catalog.ts'
import type { Restore, Undo } from '@choiros/contract/events/files.ts'
import type { RunRevert } from '@choiros/contract/events/runs.ts'
import type { Change } from '@choiros/contract/change.ts'
import type { Event } from '@choiros/contract/event.ts'
import { typedIn } from '../everywhere/changes.ts'
import { deedWords, editWords, isText } from '../everywhere/deed-words.ts'
import type { Reducer, Write } from './reducer.ts'

/** A rest as long as this ends a stretch of typing: what is written after it is taken back by itself. */
export const STRETCH_REST_MS = 60_000
/**
 * An app's data is saved at every step: a number typed digit by digit is one stretch, two items ticked one after the
 * other are two.
 */
export const STEP_REST_MS = 2000
/** However steadily somebody types, one click never takes back more than this. */
export const STRETCH_MAX_MS = 10 * 60_000
const ABOUT_CHARS_MAX = 500
const ABOUT_PATHS_MAX = 20

/**
 * What Undo and Redo step through, in one list. A unit is one thing a person would want back as a whole: a landed run,
 * a restore, one change of files however it was made (deleted, renamed, uploaded, written by the command line), or a
 * **stretch** of typing in one document, which goes from event `seq` to event `until`. Nothing else changes a file
 * within a stretch: any other change ends it. So its whole change is its first `from` and its last `to`.
 *
 * `unit_effect` records which event put which unit into or out of effect. Taking an event back then means reversing
 * exactly what it did, even if that event was itself an undo, a redo, or went to a point: a stack that only knew
 * "undone or not" offered runs that were not there. `stretch` is the one that more typing would still belong to; it is
 * in a table because a restart must not change what follows.
 */
export const undoStack: Reducer = {
  name: 'undo-stack',
  version: 3,
  tables: ['unit', 'unit_effect', 'undone', 'stretch'],
  schema: `
    CREATE TABLE unit (seq INTEGER PRIMARY KEY, until INTEGER NOT NULL, time INTEGER NOT NULL, scope TEXT NOT NULL, type TEXT NOT NULL, via TEXT NOT NULL,
      run TEXT, title TEXT NOT NULL, about TEXT NOT NULL, point INTEGER, undone_by INTEGER) STRICT;
    CREATE TABLE stretch (unit INTEGER PRIMARY KEY, path TEXT NOT NULL, user TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER NOT NULL) STRICT;
    CREATE TABLE unit_effect (unit INTEGER NOT NULL, seq INTEGER NOT NULL, in_effect INTEGER NOT NULL, PRIMARY KEY (unit, seq)) STRICT, WITHOUT ROWID;
    CREATE INDEX unit_effect_seq ON unit_effect (seq);
    CREATE TABLE undone (seq INTEGER PRIMARY KEY, target INTEGER NOT NULL, kind TEXT NOT NULL, closed_by INTEGER) STRICT;
    CREATE INDEX undone_open ON undone (seq) WHERE closed_by IS NULL;
    CREATE INDEX undone_closed ON undone (closed_by) WHERE closed_by IS NOT NULL;
  `,
  indexes: `
    CREATE INDEX unit_in_effect ON unit (scope, seq) WHERE undone_by IS NULL;
    CREATE INDEX unit_run ON unit (run) WHERE run IS NOT NULL;
  `,
  statements: {
    add: 'INSERT INTO unit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)',
    addEffect: 'INSERT INTO unit_effect VALUES (?, ?, 1)',
    // What the target did and nothing has reversed since.
    turnRound: `INSERT INTO unit_effect SELECT done.unit, ?, 1 - done.in_effect FROM unit_effect done JOIN unit ON unit.seq = done.unit
      WHERE done.seq = ? AND (unit.undone_by IS NULL) = done.in_effect`,
    // The same for one event by itself: if it only began a stretch, the rest of the stretch stays, and so the stretch
    // is not undone.
    turnRoundEvent: `INSERT INTO unit_effect SELECT done.unit, ?, 1 - done.in_effect FROM unit_effect done JOIN unit ON unit.seq = done.unit
      WHERE done.seq = ? AND (unit.undone_by IS NULL) = done.in_effect AND (done.seq != unit.seq OR unit.until = unit.seq)`,
    takeBackAfter: 'INSERT INTO unit_effect SELECT seq, ?, 0 FROM unit WHERE seq > ? AND undone_by IS NULL',
    // Older units of which the state has changed since the point.
    goBackTo: `INSERT INTO unit_effect SELECT seq, ?, undone_by IS NOT NULL FROM unit
      WHERE seq <= ? AND seq IN (SELECT changed.unit FROM unit_effect changed WHERE changed.seq > ?)
      AND (undone_by IS NULL) != (SELECT was.in_effect FROM unit_effect was WHERE was.unit = unit.seq AND was.seq <= ? ORDER BY was.seq DESC LIMIT 1)`,
    settle: `UPDATE unit SET undone_by = CASE effect.in_effect WHEN 1 THEN NULL ELSE effect.seq END FROM unit_effect effect
      WHERE effect.seq = ? AND effect.unit = unit.seq`,
    addUndone: 'INSERT INTO undone VALUES (?, ?, ?, NULL)',
    close: 'UPDATE undone SET closed_by = ? WHERE seq = ? AND closed_by IS NULL',
    closeAfter: 'UPDATE undone SET closed_by = ? WHERE seq > ? AND closed_by IS NULL',
    // A document's next saved words belong to its stretch, unless that has ended; then they begin the next one.
    endOther: `DELETE FROM stretch WHERE path != ? OR user != ? OR ? NOT BETWEEN ended AND min(ended + ?, began + ${STRETCH_MAX_MS})`,
    grow: 'UPDATE unit SET until = ?, time = ? WHERE seq = (SELECT unit FROM stretch)',
    growUnit: 'UPDATE unit SET until = ?, time = ? WHERE seq = ?',
    goOn: 'UPDATE stretch SET ended = ?',
    addStretch:
      "INSERT INTO unit SELECT ?, ?, ?, 'own', ?, ?, NULL, ?, ?, NULL, NULL WHERE NOT EXISTS (SELECT 1 FROM stretch)",
    addStretchEffect: 'INSERT INTO unit_effect SELECT ?, ?, 1 WHERE NOT EXISTS (SELECT 1 FROM stretch)',
    openStretch: 'INSERT INTO stretch SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM stretch)',
    endStretch: 'DELETE FROM stretch',
    reopen: 'UPDATE undone SET closed_by = NULL WHERE closed_by = ?',
  },
  together: ['add', 'addEffect'],
  start(write) {
    const redos = createRedos(write)
    const stretch = createStretch(write, redos)
    return {
      apply({ event, changes }) {
        const typed = typedIn(event, changes)
        if (typed !== null) return stretch.type(event, typed)
        if (changes.length > 0 || ENDS_STRETCH.has(event.type)) stretch.end()
        if (event.type === 'undo') redos.forget()
        applyDeed(write, redos, event, changes)
      },
      settle: stretch.settle,
      forget() {
        stretch.forget()
        redos.forget()
      },
    }
  },
}

interface Redos {
  /** Something new has begun: what was undone before cannot be redone on top of it. */
  close(seq: number): void
  /** There may be something to redo. */
  forget(): void
}

/** Once closed, redos stay closed until the next undo: a replay need not close them at every change. */
function createRedos(write: Write): Redos {
  let areClosed = false
  return {
    close(seq) {
      if (!areClosed) write('closeAfter', seq, 0)
      areClosed = true
    },
    forget: () => void (areClosed = false),
  }
}

function applyDeed(write: Write, redos: Redos, event: Event, changes: readonly Change[]): void {
  const paths = changes.slice(0, ABOUT_PATHS_MAX).map((change) => change.path)
  switch (event.type) {
    case 'run.land':
      return addUnit(write, redos, event, 'runs', String(event.data.summary), paths)
    case 'file.change':
      return changes.length === 0 ? undefined : addUnit(write, redos, event, 'own', deedWords(changes), paths)
    case 'restore': {
      const { to } = event.data as DataOf<typeof Restore>
      goTo(write, event.seq, to)
      return addUnit(write, redos, event, 'own', 'Went back to an earlier point', paths, to)
    }
    case 'run.revert':
      return turnRound(write, event.seq, (event.data as DataOf<typeof RunRevert>).land)
    case 'undo':
      return applyUndo(write, event.seq, event.data as DataOf<typeof Undo>)
  }
}

/** After one of these events, more typing in a document is not the same stretch any more. */
const ENDS_STRETCH: ReadonlySet<string> = new Set([
  'window.open',
  'window.close',
  'checkpoint',
  'undo',
  'restore',
  'run.land',
  'run.revert',
])

interface OpenStretch {
  readonly unit: number
  readonly path: string
  readonly user: string
  readonly began: number
  seq: number
  ended: number
  /** Up to which event the tables know the stretch; null: not at all. */
  stored: number | null
}

/**
 * The open stretch. The table is the truth. After the first stretch has ended, the next one is also kept here, and one
 * that ends before the rows are settled is never in the table: this saves rows for each letter and in a replay. If rows
 * may have been rolled back, nothing is known.
 */
function createStretch(write: Write, redos: Redos) {
  let open: OpenStretch | 'none' | 'unknown' = 'unknown'
  const grow = ({ unit, seq, ended, stored }: OpenStretch) => {
    if (seq > (stored ?? unit)) write('growUnit', seq, ended, unit)
  }
  const end = () => {
    if (typeof open === 'object') grow(open)
    if (open === 'unknown' || (open !== 'none' && open.stored !== null)) write('endStretch')
    open = 'none'
  }
  return {
    end,
    type(event: Event, path: string): void {
      const { seq, time, user, type, via } = event
      const restMs = isText(path) ? STRETCH_REST_MS : STEP_REST_MS
      if (open === 'unknown') addTyping(write, event, path, restMs)
      else if (open !== 'none' && goesOn(open, event, path, restMs)) {
        open.seq = seq
        open.ended = time
      } else {
        end()
        write('add', seq, seq, time, 'own', type, via, null, editWords(path), path, null)
        write('addEffect', seq, seq)
        open = { unit: seq, path, user, began: time, seq, ended: time, stored: null }
      }
      redos.close(seq)
    },
    settle() {
      if (typeof open !== 'object' || open.stored === open.seq) return
      grow(open)
      if (open.stored === null) write('openStretch', open.unit, open.path, open.user, open.began, open.ended)
      else write('goOn', open.ended)
      open.stored = open.seq
    },
    forget: () => void (open = 'unknown'),
  }
}

/** The same rule as `endOther`. */
function goesOn(open: OpenStretch, { user, time }: Event, path: string, restMs: number): boolean {
  const isSame = open.path === path && open.user === user
  return isSame && time >= open.ended && time <= Math.min(open.ended + restMs, open.began + STRETCH_MAX_MS)
}

/** Goes on with the stretch in the table, or begins one. */
function addTyping(write: Write, { seq, time, user, type, via }: Event, path: string, restMs: number): void {
  write('endOther', path, user, time, restMs)
  write('grow', seq, time)
  write('goOn', time)
  write('addStretch', seq, seq, time, type, via, editWords(path), path)
  write('addStretchEffect', seq, seq)
  write('openStretch', seq, path, user, time, time)
}

function addUnit(
  write: Write,
  redos: Redos,
  event: Event,
  scope: 'runs' | 'own',
  title: string,
  paths: readonly string[],
  point: number | null = null,
): void {
  const about = paths.join('\n').slice(0, ABOUT_CHARS_MAX).toWellFormed()
  write('add', event.seq, event.seq, event.time, scope, event.type, event.via, event.run, title, about, point)
  write('addEffect', event.seq, event.seq)
  redos.close(event.seq)
}

function turnRound(write: Write, seq: number, target: number): void {
  write('turnRound', seq, target)
  write('settle', seq)
}

function goTo(write: Write, seq: number, point: number): void {
  write('takeBackAfter', seq, point)
  write('goBackTo', seq, point, point, point)
  write('settle', seq)
}

function applyUndo(write: Write, seq: number, { kind, target }: DataOf<typeof Undo>): void {
  if (kind === 'redo') {
    turnRound(write, seq, target)
    write('close', seq, target)
    return write('reopen', target) // What the redone undo had taken off the list of redos is there again.
  }
  if (kind === 'point') {
    goTo(write, seq, target)
    write('closeAfter', seq, target)
  } else {
    if (kind === 'event') write('turnRoundEvent', seq, target)
    else write('turnRound', seq, target)
    write('settle', seq)
    write('close', seq, target) // Undoing an undo is also a redo.
  }
  write('addUndone', seq, target, kind)
}
