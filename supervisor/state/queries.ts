import type Database from 'better-sqlite3'
import type { Caps } from '@choiros/contract/budget.ts'
import type { DataOf, Erase, WindowState } from '@choiros/contract/catalog.ts'
import type { Entry } from '@choiros/contract/change.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import type { Hash, RunId, Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { roomKey } from '@choiros/core/reducers/room.ts'
import type { TreeReader } from '@choiros/core/tree.ts'
import { TableDamage } from './damage.ts'
import { prepareLater } from './prepare-later.ts'

interface EntryRow {
  path: string
  kind: string
  mode: string
  object: string | null
  size: number
  seq: number
}

export interface Unit {
  readonly seq: Seq
  readonly type: string
  readonly run: RunId | null
  readonly title: string
  /** Its last event: later than `seq` only for a stretch of typing. */
  readonly until: Seq
  readonly time: number
  readonly via: string
  /** The paths it touched, for finding it by words. */
  readonly about: string
  readonly undone_by: number | null
}

export interface CheckpointRow {
  readonly seq: Seq
  readonly time: number
  readonly name: string
  readonly kind: string
  readonly tree: Hash
}

export interface PastVersion {
  readonly path: TreePath
  readonly seq: Seq
  /** The event it ended with. */
  readonly until: Seq
  readonly span: number
  readonly object: Hash | null
  readonly size: number
}

/** Everything anyone asks of the tables. One set of prepared statements per connection. */
export type Queries = ReturnType<typeof createQueries>

const LAST = Number.MAX_SAFE_INTEGER
const COLUMNS = 'path, kind, mode, object, size, seq'

/** A path's version at a moment: `until` tells whether it still stood then. */
type PastRow = EntryRow & { until: number }

export function createQueries(db: Database.Database) {
  const ask = (sql: string) => prepareLater(db, sql)
  const one = ask(`SELECT ${COLUMNS} FROM file WHERE path = ?`)
  const below = ask(`SELECT ${COLUMNS} FROM file WHERE path >= ? AND path < ? ORDER BY path`)
  const anyBelow = ask('SELECT 1 FROM file WHERE path >= ? AND path < ? LIMIT 1')
  const all = ask(`SELECT ${COLUMNS} FROM file ORDER BY path`)
  const totals = ask(
    `SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes, (SELECT coalesce(sum(size), 0) FROM kept WHERE live <= 0) AS versions,
       coalesce((SELECT bytes FROM history), 0) AS history FROM file`,
  )
  const kept = ask('SELECT size, live FROM kept WHERE object = ?')
  const pastPage = ask(
    `SELECT path, seq, until, span, object, size FROM file_past WHERE (span, seq, path) > (?, ?, ?) ORDER BY span, seq, path LIMIT ?`,
  )
  const isAttached = ask('SELECT 1 FROM attached WHERE object = ? LIMIT 1')
  const pastOf = ask(`SELECT ${COLUMNS}, until FROM file_past WHERE path = ? AND seq <= ? ORDER BY seq DESC LIMIT 1`)
  const unchangedSince = ask(`SELECT ${COLUMNS} FROM file WHERE seq <= ?`)
  const longestSpan = ask('SELECT max(span) AS span FROM file_past')
  const stoodAt = ask(`SELECT ${COLUMNS} FROM file_past WHERE span = ? AND seq > ? AND seq <= ? AND until > ?`)
  const stoodBetween = ask('SELECT 1 FROM file_past WHERE path = ? AND seq BETWEEN ? AND ? AND object IS ? AND mode = ? LIMIT 1')
  const goneAfter = ask('SELECT until AS seq FROM file_past WHERE path = ? AND until > ? AND gone = 1 ORDER BY until LIMIT 1')
  const movedTo = ask('SELECT path FROM file WHERE moved_from = ? AND seq = ? UNION ALL SELECT path FROM file_past WHERE moved_from = ? AND seq = ?')
  const removedBy = ask('SELECT until AS seq FROM file_past WHERE path = ? AND gone = 1 ORDER BY until DESC LIMIT 1')
  // Who went back to a point that has a name went back to that name.
  const UNIT = `SELECT seq, until, time, type, via, run, about, undone_by,
    coalesce((SELECT 'Went back to “' || name || '”' FROM checkpoint WHERE checkpoint.seq = unit.point), title) AS title FROM unit`
  const newestUnit = ask(`${UNIT} WHERE scope = ? AND undone_by IS NULL ORDER BY seq DESC LIMIT 1`)
  const unitOf = ask(`${UNIT} WHERE seq = ?`)
  const unitAround = ask(`${UNIT} WHERE seq = (SELECT max(seq) FROM unit WHERE seq <= ?) AND until >= ?`)
  const unitOfRun = ask(`${UNIT} WHERE run = ? AND type = 'run.land' ORDER BY seq DESC LIMIT 1`)
  const unitsBefore = ask(`${UNIT} WHERE seq < ? ORDER BY seq DESC LIMIT ?`)
  const openUndo = ask('SELECT seq, target, kind FROM undone WHERE closed_by IS NULL ORDER BY seq DESC LIMIT 1')
  const windows = ask('SELECT window, app, title, wide, narrow FROM window ORDER BY window')
  const windowsAt = ask(
    // From window to window, not through every arrangement there ever was.
    `WITH RECURSIVE known (window) AS (SELECT min(window) FROM window_version
       UNION ALL SELECT (SELECT min(window) FROM window_version WHERE window > known.window) FROM known WHERE known.window IS NOT NULL)
     SELECT v.window, app, title, wide, narrow FROM known JOIN window_version v ON v.window = known.window
       AND v.seq = (SELECT max(seq) FROM window_version WHERE window = known.window AND seq <= ?) WHERE app IS NOT NULL ORDER BY v.window`,
  )
  const checkpoints = ask(
    'SELECT * FROM (SELECT seq, time, name, kind, tree FROM checkpoint WHERE seq < ? AND kind IN (?, ?) ORDER BY seq DESC LIMIT ?) ORDER BY seq',
  )
  const erasedSince = ask('SELECT object FROM erased WHERE seq > ? ORDER BY object')
  const newestErase = ask('SELECT coalesce(max(seq), 0) AS seq FROM erased')
  const isErased = ask('SELECT why FROM erased WHERE object = ?')
  const versionsBefore = ask(
    `SELECT seq, object, moved_from, 0 AS until, 0 AS gone FROM file WHERE path = ? AND seq < ?
     UNION ALL SELECT seq, object, moved_from, until, gone FROM file_past WHERE path = ? AND seq < ? ORDER BY seq DESC`,
  )
  // One scan for all of them: asking for each by itself would read every version of every file as often.
  const everHeld = ask(
    `WITH asked (object) AS MATERIALIZED (SELECT value FROM json_each(?))
     SELECT object FROM file WHERE object IN asked UNION SELECT object FROM file_past WHERE object IN asked`,
  )
  const unnamedLarge = ask(
    `SELECT value AS object FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM file WHERE object = value AND size > 65536)
     AND NOT EXISTS (SELECT 1 FROM file_past WHERE object = value AND size > 65536)
     AND NOT EXISTS (SELECT 1 FROM manifest WHERE object = value) AND NOT EXISTS (SELECT 1 FROM attached WHERE object = value)`,
  )
  const isManifest = ask('SELECT 1 FROM manifest WHERE object = ? LIMIT 1')
  const RUN = `SELECT run.*, (SELECT unit.undone_by IS NOT NULL FROM unit WHERE unit.seq = run.landed) AS undone FROM run`
  const runOf = ask(`${RUN} WHERE run = ?`)
  const runPlaces = ask('SELECT asked, landed, ended, status FROM run WHERE run = ?')
  const runsBefore = ask(`${RUN} WHERE asked < ? ORDER BY asked DESC LIMIT ?`)
  const runsThatChanged = ask(`${RUN} WHERE asked < ? AND landed IS NOT NULL ORDER BY asked DESC LIMIT ?`)
  const runsThatDidNot = ask(`${RUN} WHERE asked < ? AND landed IS NULL ORDER BY asked DESC LIMIT ?`)
  const runsOpen = ask(`${RUN} WHERE ended IS NULL ORDER BY asked`)
  const newestLanded = ask('SELECT run, landed, health FROM run WHERE landed = (SELECT max(landed) FROM run)')
  const changedBelow = ask(
    'SELECT EXISTS (SELECT 1 FROM file WHERE path >= ? AND path < ? AND seq = ?) OR EXISTS (SELECT 1 FROM file_past WHERE path >= ? AND path < ? AND (seq = ? OR until = ?)) AS found',
  )
  const healthyLandings = ask("SELECT landed AS seq FROM run WHERE health = 'ok' ORDER BY landed DESC LIMIT ?")
  const tokensOfRun = ask('SELECT coalesce(sum(tokens), 0) AS tokens FROM spend WHERE run = ?')
  const tokensOfDay = ask('SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(micros), 0) AS micros FROM spend WHERE day = ?')
  const tokensOfAll = ask('SELECT coalesce(sum(tokens), 0) AS tokens FROM spend')
  const caps = ask('SELECT run, day, computer, micros FROM cap')
  const openCalls = ask('SELECT call, run, tokens, micros FROM spend WHERE settled IS NULL')
  const messagesOf = ask('SELECT count(*) AS count FROM message WHERE run = ?')
  const messagesNewest = ask('SELECT role, text FROM message ORDER BY seq DESC LIMIT ?')
  const receiptsOf = ask('SELECT verifier, ok FROM receipt WHERE tree = ? AND run = ? ORDER BY seq')

  const tree: TreeReader = {
    entry: (path) => toEntry(one().get(path) as EntryRow | undefined),
    // All at once: while somebody reads row by row, nothing can be written.
    below: (folder) => ((folder === '' ? all().all() : below().all(`${folder}/`, `${folder}0`)) as EntryRow[]).map(toItem),
    hasBelow: (folder) => (folder === '' ? all().get() : anyBelow().get(`${folder}/`, `${folder}0`)) !== undefined,
  }

  return {
    tree,
    totals: () => totals().get() as { files: number; bytes: number; versions: number; history: number },
    /** An object that some version of a file holds, and how many paths hold it now. */
    kept: (object: Hash) => (kept().get(roomKey(object)) as { size: number; live: number } | undefined) ?? null,
    /** Earlier versions, in an order that is theirs alone: a page after another one's last. */
    pastVersions: (after: PastVersion | null, limit: number): PastVersion[] =>
      pastPage().all(after?.span ?? -1, after?.seq ?? -1, after?.path ?? '', limit) as PastVersion[],
    isAttached: (object: Hash): boolean => isAttached().get(object) !== undefined,
    entrySeq: (path: string): Seq | null => ((one().get(path) as EntryRow | undefined)?.seq as Seq | undefined) ?? null,
    /** The whole present tree, sorted by path. */
    allEntries: (): [TreePath, Entry][] => (all().all() as EntryRow[]).map(toItem),
    entryAt(path: string, seq: number): Entry | null {
      const now = one().get(path) as EntryRow | undefined
      if (now !== undefined && now.seq <= seq) return toEntry(now)
      const past = pastOf().get(path, seq) as PastRow | undefined
      return past === undefined || past.until <= seq ? null : toEntry(past)
    },
    /** The whole tree as it was at `seq`. What has not changed since is read from the present. */
    entriesAt(seq: number): Map<TreePath, Entry> {
      const entries = new Map<TreePath, Entry>()
      const add = (rows: unknown[]) => {
        for (const row of rows as EntryRow[]) entries.set(row.path as TreePath, entryOf(row))
      }
      add(unchangedSince().all(seq))
      const { span: longest } = longestSpan().get() as { span: number | null }
      for (let span = 0; span <= (longest ?? -1); span++) {
        // A version that stood for less than twice the span's length and still stood at `seq` began within that length before it.
        add(stoodAt().all(span, seq - 2 ** (span + 1), seq, seq))
      }
      return entries
    },
    /** Whether an entry is what an event of a range left at a path. */
    stoodBetween: (path: string, from: number, until: number, { object, mode }: Entry): boolean =>
      stoodBetween().get(path, from, until, object, mode) !== undefined,
    /** Follows renames: where the thing that stood at `path` after event `seq` is now, or null if it was deleted. */
    pathNow(path: TreePath, seq: number): TreePath | null {
      let at = path
      let since = seq
      for (;;) {
        const gone = goneAfter().get(at, since) as { seq: number } | undefined
        if (gone === undefined) return at
        const moved = movedTo().get(at, gone.seq, at, gone.seq) as { path: string } | undefined
        if (moved === undefined) return null
        at = moved.path as TreePath
        since = gone.seq
      }
    },
    /** The event that took away what stood at a path, and what it was part of; an undo is part of nothing. */
    removedBy(path: string): { seq: number; unit: Unit | null } | null {
      const removed = removedBy().get(path) as { seq: number } | undefined
      return removed === undefined ? null : { seq: removed.seq, unit: (unitOf().get(removed.seq) as Unit | undefined) ?? null }
    },
    newestUnit(scope: 'runs' | 'any'): Unit | null {
      const run = newestUnit().get('runs') as Unit | undefined
      const own = scope === 'any' ? (newestUnit().get('own') as Unit | undefined) : undefined
      if (run === undefined || own === undefined) return run ?? own ?? null
      return run.seq > own.seq ? run : own
    },
    unit: (seq: number) => (unitOf().get(seq) as Unit | undefined) ?? null,
    /** The unit that an event belongs to. */
    unitAround: (seq: number) => (unitAround().get(seq, seq) as Unit | undefined) ?? null,
    unitOfRun: (run: string) => (unitOfRun().get(run) as Unit | undefined) ?? null,
    /** Newest first, taken back or not. */
    units: (before: number | null, limit: number) => unitsBefore().all(before ?? LAST, limit) as Unit[],
    openUndo: () => (openUndo().get() as { seq: Seq; target: Seq; kind: string } | undefined) ?? null,
    windows: (): WindowState[] => (windows().all() as WindowRow[]).map(toWindow),
    windowsAt: (seq: number): WindowState[] => (windowsAt().all(seq) as WindowRow[]).map(toWindow),
    /** Oldest first; where there are more than `limit`, the newest. */
    checkpoints: ({ kind, before, limit }: { kind?: string | undefined; before?: number | undefined; limit?: number | undefined } = {}) =>
      checkpoints().all(before ?? LAST, kind ?? 'user', kind ?? 'automatic', limit ?? -1) as CheckpointRow[],
    /** By events after one. */
    erased: (after = 0): Hash[] => (erasedSince().all(after) as { object: Hash }[]).map((row) => row.object),
    newestErase: () => (newestErase().get() as { seq: number }).seq,
    isErased: (object: Hash): boolean => isErased().get(object) !== undefined,
    /** Because of what it held, or to make room; null: it was not. */
    whyErased: (object: Hash) => (isErased().get(object) as { why: DataOf<typeof Erase>['why'] } | undefined)?.why ?? null,
    /** Everything that ever stood at a path, and what the same files held under the names they had before. */
    objectsOfPath(path: string): Hash[] {
      const objects = new Set<Hash>()
      const seen = new Set<string>()
      const waiting = [{ path, before: Number.MAX_SAFE_INTEGER, wholePath: true }]
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const row of versionsBefore().iterate(next.path, next.before, next.path, next.before) as Iterable<VersionRow>) {
          if (row.gone === 1 && row.until !== next.before && !next.wholePath) break // After that, another file stood there.
          if (seen.has(`${row.seq} ${next.path}`) && !next.wholePath) break
          seen.add(`${row.seq} ${next.path}`)
          if (row.object !== null) objects.add(row.object)
          if (row.moved_from !== null) waiting.push({ path: row.moved_from, before: row.seq, wholePath: false })
        }
      }
      return [...objects]
    },
    /** Those of the given objects that some version of some file holds or held. */
    everHeld: (objects: readonly Hash[]): Set<Hash> =>
      new Set((everHeld().all(JSON.stringify(objects)) as { object: Hash }[]).map((row) => row.object)),
    /** Those of the given large objects that no event names. */
    unnamedLarge: (objects: readonly Hash[]): Hash[] => (unnamedLarge().all(JSON.stringify(objects)) as { object: Hash }[]).map((row) => row.object),
    isManifest: (object: Hash): boolean => isManifest().get(object) !== undefined,
    run: (run: string) => toRun(runOf().get(run) as RunRow | undefined),
    /** The events that a run began, landed and ended with. */
    runPlaces: (run: string) =>
      (runPlaces().get(run) as { asked: Seq; landed: Seq | null; ended: Seq | null; status: RunView['status'] } | undefined) ?? null,
    /** `changed`: whether they changed something; null where that does not matter. */
    runs(limit: number, before: number | null = null, changed: boolean | null = null): RunView[] {
      const asked = changed === null ? runsBefore() : changed ? runsThatChanged() : runsThatDidNot()
      return (asked.all(before ?? LAST, limit) as RunRow[]).map(runView)
    },
    /** Asked for and not ended, in order. */
    openRuns: (): RunView[] => (runsOpen().all() as RunRow[]).map(runView),
    newestLanded: () => (newestLanded().get() as { run: RunId; landed: Seq; health: string | null } | undefined) ?? null,
    /** Whether an event changed anything in a folder. */
    changedBelow(folder: string, seq: Seq): boolean {
      const range = [`${folder}/`, `${folder}0`] // "0" comes right after the slash.
      return (changedBelow().get(...range, seq, ...range, seq, seq) as { found: number }).found === 1
    },
    /** Landings that pages found healthy, the newest first. */
    healthyLandings: (limit: number): Seq[] => (healthyLandings().all(limit) as { seq: Seq }[]).map(({ seq }) => seq),
    tokensOfRun: (run: string): number => (tokensOfRun().get(run) as { tokens: number }).tokens,
    tokensOfDay: (day: number) => tokensOfDay().get(day) as { tokens: number; micros: number },
    tokensOfAll: (): number => (tokensOfAll().get() as { tokens: number }).tokens,
    /** What models may cost, where the person has said so. */
    caps: () => (caps().get() as Caps | undefined) ?? null,
    /** Reserved and never settled. */
    openCalls: () => openCalls().all() as { call: string; run: RunId; tokens: number; micros: number | null }[],
    messages: (limit: number) => (messagesNewest().all(limit) as { role: string; text: string }[]).reverse(),
    messagesOf: (run: string): number => (messagesOf().get(run) as { count: number }).count,
    receipts: (of: Hash, run: string) => receiptsOf().all(of, run) as { verifier: string; ok: number }[],
  }
}

interface RunRow {
  run: RunId
  text: string
  status: RunView['status']
  reason: string | null
  reply: string | null
  asked: Seq
  asked_ms: number
  ended_ms: number | null
  landed: Seq | null
  health: RunView['health']
  undone: number | null
  asking: string | null
  offers: string | null
}

function toRun(row: RunRow | undefined): RunView | null {
  return row === undefined ? null : runView(row)
}

function runView({ asking, offers: offered, undone, asked_ms: askedMs, ended_ms: endedMs, ...row }: RunRow): RunView {
  const { run, text, status, reason, reply, asked, landed, health } = row
  const asks = asking === null ? null : (parsed(asking) as RunView['asking'])
  const offers = offered === null ? [] : (parsed(offered) as string[])
  return { run, text, status, reason, reply, offers, asked, landed, undone: undone === 1, health, askedMs, endedMs, asking: asks }
}

interface VersionRow {
  seq: number
  until: number
  gone: number
  object: Hash | null
  moved_from: string | null
}

interface WindowRow {
  window: string
  app: string
  title: string
  wide: string | null
  narrow: string | null
}

function toWindow(row: WindowRow): WindowState {
  const geometry = (text: string | null) => (text === null ? null : (parsed(text) as WindowState['wide']))
  return { ...row, wide: geometry(row.wide), narrow: geometry(row.narrow) }
}

function toEntry(row: EntryRow | undefined): Entry | null {
  return row === undefined ? null : entryOf(row)
}

/** A flipped bit may make a value one of another type, which no checksum of SQLite's notices. */
function entryOf({ kind, mode, object, size, path }: EntryRow): Entry {
  const isWhole = typeof size === 'number' && (kind === 'folder' ? object === null : typeof object === 'string')
  if (!isWhole) throw new TableDamage(`what the tables say of ${path} is no entry`)
  return { kind, mode, object, size } as Entry
}

function toItem(row: EntryRow): [TreePath, Entry] {
  return [row.path as TreePath, entryOf(row)]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TableDamage('what the tables keep as JSON is none', { cause })
  }
}
