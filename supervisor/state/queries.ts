import type Database from 'better-sqlite3'
import type { WindowState } from '@choiros/contract/catalog.ts'
import type { Entry } from '@choiros/contract/change.ts'
import type { Hash, RunId, Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { TreeReader } from '@choiros/core/tree.ts'

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
}

export interface CheckpointRow {
  readonly seq: Seq
  readonly time: number
  readonly name: string
  readonly kind: string
  readonly tree: Hash
}

/** Everything anyone asks of the tables. One set of prepared statements per connection. */
export type Queries = ReturnType<typeof createQueries>

const COLUMNS = 'path, kind, mode, object, size, seq'

export function createQueries(db: Database.Database) {
  const one = db.prepare(`SELECT ${COLUMNS} FROM file WHERE path = ?`)
  const below = db.prepare(`SELECT ${COLUMNS} FROM file WHERE path >= ? AND path < ? ORDER BY path`)
  const all = db.prepare(`SELECT ${COLUMNS} FROM file ORDER BY path`)
  const totals = db.prepare('SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM file')
  const versionAt = db.prepare(`SELECT ${COLUMNS} FROM file_version WHERE path = ? AND seq <= ? ORDER BY seq DESC LIMIT 1`)
  const changedSince = db.prepare('SELECT path FROM file WHERE seq > ? UNION ALL SELECT path FROM file_gone WHERE seq > ?')
  const unchangedSince = db.prepare(`SELECT ${COLUMNS} FROM file WHERE seq <= ? ORDER BY path`)
  const goneAfter = db.prepare('SELECT seq FROM file_version WHERE path = ? AND seq > ? AND kind IS NULL ORDER BY seq LIMIT 1')
  const movedTo = db.prepare('SELECT path FROM file_version WHERE moved_from = ? AND seq = ?')
  const newestUnit = db.prepare('SELECT seq, type, run, title FROM unit WHERE scope = ? AND undone_by IS NULL ORDER BY seq DESC LIMIT 1')
  const unitOf = db.prepare('SELECT seq, type, run, title, undone_by FROM unit WHERE seq = ?')
  const unitOfRun = db.prepare("SELECT seq, type, run, title, undone_by FROM unit WHERE run = ? AND type = 'run.land' ORDER BY seq DESC LIMIT 1")
  const openUndo = db.prepare('SELECT seq, target, kind FROM undone WHERE closed_by IS NULL ORDER BY seq DESC LIMIT 1')
  const windows = db.prepare('SELECT window, app, title, wide, narrow FROM window ORDER BY window')
  const windowsAt = db.prepare(
    `SELECT window, app, title, wide, narrow FROM window_version v WHERE app IS NOT NULL
     AND seq = (SELECT max(seq) FROM window_version WHERE window = v.window AND seq <= ?) ORDER BY window`,
  )
  const checkpoints = db.prepare('SELECT seq, time, name, kind, tree FROM checkpoint ORDER BY seq')
  const erased = db.prepare('SELECT object FROM erased ORDER BY object')
  const newestErase = db.prepare('SELECT coalesce(max(seq), 0) AS seq FROM erased')
  const isErased = db.prepare('SELECT seq FROM erased WHERE object = ?')
  const versionsBefore = db.prepare('SELECT seq, kind, object, moved_from FROM file_version WHERE path = ? AND seq < ? ORDER BY seq DESC')
  // One scan for all of them: asking for each by itself would read every version of every file as often.
  const everHeld = db.prepare('SELECT DISTINCT object FROM file_version WHERE object IN (SELECT value FROM json_each(?))')
  const unnamedLarge = db.prepare(
    `SELECT value AS object FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM file_version WHERE object = value AND size > 65536)
     AND NOT EXISTS (SELECT 1 FROM manifest WHERE object = value) AND NOT EXISTS (SELECT 1 FROM attached WHERE object = value)`,
  )
  const isManifest = db.prepare('SELECT 1 FROM manifest WHERE object = ? LIMIT 1')
  const runOf = db.prepare('SELECT run, work, base, status, reason, started, ended FROM run WHERE run = ?')
  const receiptsOf = db.prepare('SELECT verifier, ok FROM receipt WHERE tree = ? AND run = ? ORDER BY seq')

  const tree: TreeReader = {
    entry: (path) => toEntry(one.get(path) as EntryRow | undefined),
    *below(folder) {
      const rows = folder === '' ? all.iterate() : below.iterate(`${folder}/`, `${folder}0`)
      for (const row of rows) yield toItem(row as EntryRow)
    },
  }

  return {
    tree,
    totals: () => totals.get() as { files: number; bytes: number },
    entrySeq: (path: string): Seq | null => ((one.get(path) as EntryRow | undefined)?.seq as Seq | undefined) ?? null,
    /** The whole present tree, sorted by path. */
    allEntries: (): [TreePath, Entry][] => (all.all() as EntryRow[]).map(toItem),
    entryAt: (path: string, seq: number): Entry | null => toEntry(versionAt.get(path, seq) as EntryRow | undefined),
    /** The whole tree as it was at `seq`. What has not changed since is read from the present. */
    entriesAt(seq: number): Map<TreePath, Entry> {
      const entries = new Map((unchangedSince.all(seq) as EntryRow[]).map(toItem))
      for (const { path } of changedSince.all(seq, seq) as { path: string }[]) {
        const entry = toEntry(versionAt.get(path, seq) as EntryRow | undefined)
        if (entry !== null) entries.set(path as TreePath, entry)
      }
      return entries
    },
    /** Follows renames: where the thing that stood at `path` after event `seq` is now, or null if it was deleted. */
    pathNow(path: TreePath, seq: number): TreePath | null {
      let at = path
      let since = seq
      for (;;) {
        const gone = goneAfter.get(at, since) as { seq: number } | undefined
        if (gone === undefined) return at
        const moved = movedTo.get(at, gone.seq) as { path: string } | undefined
        if (moved === undefined) return null
        at = moved.path as TreePath
        since = gone.seq
      }
    },
    newestUnit(scope: 'runs' | 'any'): Unit | null {
      const run = newestUnit.get('runs') as Unit | undefined
      const own = scope === 'any' ? (newestUnit.get('own') as Unit | undefined) : undefined
      if (run === undefined || own === undefined) return run ?? own ?? null
      return run.seq > own.seq ? run : own
    },
    unit: (seq: number) => (unitOf.get(seq) as (Unit & { undone_by: number | null }) | undefined) ?? null,
    unitOfRun: (run: string) => (unitOfRun.get(run) as (Unit & { undone_by: number | null }) | undefined) ?? null,
    openUndo: () => (openUndo.get() as { seq: Seq; target: Seq; kind: string } | undefined) ?? null,
    windows: (): WindowState[] => (windows.all() as WindowRow[]).map(toWindow),
    windowsAt: (seq: number): WindowState[] => (windowsAt.all(seq) as WindowRow[]).map(toWindow),
    checkpoints: () => checkpoints.all() as CheckpointRow[],
    erased: (): Hash[] => (erased.all() as { object: Hash }[]).map((row) => row.object),
    newestErase: () => (newestErase.get() as { seq: number }).seq,
    isErased: (object: Hash): boolean => isErased.get(object) !== undefined,
    /** Everything that ever stood at a path, and what the same files held under the names they had before. */
    objectsOfPath(path: string): Hash[] {
      const objects = new Set<Hash>()
      const seen = new Set<string>()
      const waiting = [{ path, before: Number.MAX_SAFE_INTEGER, wholePath: true }]
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const row of versionsBefore.iterate(next.path, next.before) as Iterable<VersionRow>) {
          if (row.kind === null && !next.wholePath) break // Before that, another file stood there.
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
      new Set((everHeld.all(JSON.stringify(objects)) as { object: Hash }[]).map((row) => row.object)),
    /** Those of the given large objects that no event names. */
    unnamedLarge: (objects: readonly Hash[]): Hash[] => (unnamedLarge.all(JSON.stringify(objects)) as { object: Hash }[]).map((row) => row.object),
    isManifest: (object: Hash): boolean => isManifest.get(object) !== undefined,
    run: (run: string) => (runOf.get(run) as { run: RunId; status: string } | undefined) ?? null,
    receipts: (of: Hash, run: string) => receiptsOf.all(of, run) as { verifier: string; ok: number }[],
  }
}

interface VersionRow {
  seq: number
  kind: string | null
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
  return { ...row, wide: row.wide === null ? null : JSON.parse(row.wide), narrow: row.narrow === null ? null : JSON.parse(row.narrow) }
}

function toEntry(row: EntryRow | undefined): Entry | null {
  if (row === undefined || row.kind === null) return null
  return { kind: row.kind, mode: row.mode, object: row.object, size: row.size } as Entry
}

function toItem(row: EntryRow): [TreePath, Entry] {
  return [row.path as TreePath, { kind: row.kind, mode: row.mode, object: row.object, size: row.size } as Entry]
}
