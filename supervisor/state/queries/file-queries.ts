import type { Entry } from '@choiros/contract/change.ts'
import type { Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { TreeReader } from '@choiros/core/tree.ts'
import { TableDamage } from '../damage.ts'
import type { Unsettled } from '../unsettled.ts'
import type { Ask } from './ask.ts'

interface EntryRow {
  path: string
  kind: string
  mode: string
  object: string | null
  size: number
  seq: number
}

const COLUMNS = 'path, kind, mode, object, size, seq'

/** A path's version at a moment: `until` tells whether it still stood then. */
type PastRow = EntryRow & { until: number }

/**
 * The files, now and at any earlier moment. `askAsIs`: does not settle waiting rows first, for what every decision
 * asks.
 */
export function createFileQueries(ask: Ask, askAsIs: Ask, unsettled: Unsettled) {
  const oneAsIs = askAsIs(`SELECT ${COLUMNS} FROM file WHERE path = ?`)
  const one = ask(`SELECT ${COLUMNS} FROM file WHERE path = ?`)
  const below = ask(`SELECT ${COLUMNS} FROM file WHERE path >= ? AND path < ? ORDER BY path`)
  const anyBelow = ask('SELECT 1 FROM file WHERE path >= ? AND path < ? LIMIT 1')
  const all = ask(`SELECT ${COLUMNS} FROM file ORDER BY path`)
  const pastOf = ask(`SELECT ${COLUMNS}, until FROM file_past WHERE path = ? AND seq <= ? ORDER BY seq DESC LIMIT 1`)
  const unchangedSince = ask(`SELECT ${COLUMNS} FROM file WHERE seq <= ?`)
  const longestSpan = ask('SELECT max(span) AS span FROM file_past')
  const stoodAt = ask(`SELECT ${COLUMNS} FROM file_past WHERE span = ? AND seq > ? AND seq <= ? AND until > ?`)
  const stoodBetween = ask(
    'SELECT 1 FROM file_past WHERE path = ? AND seq BETWEEN ? AND ? AND object IS ? AND mode = ? LIMIT 1',
  )
  const goneAfter = ask(
    'SELECT until AS seq FROM file_past WHERE path = ? AND until > ? AND gone = 1 ORDER BY until LIMIT 1',
  )
  const movedTo = ask(
    'SELECT path FROM file WHERE moved_from = ? AND seq = ? UNION ALL SELECT path FROM file_past WHERE moved_from = ? AND seq = ?',
  )
  const changedBelow = ask(
    'SELECT EXISTS (SELECT 1 FROM file WHERE path >= ? AND path < ? AND seq = ?) OR EXISTS (SELECT 1 FROM file_past WHERE path >= ? AND path < ? AND (seq = ? OR until = ?)) AS found',
  )

  const newestBelow = ask(
    'SELECT max(seq) AS seq FROM (SELECT seq FROM file WHERE path >= ? AND path < ? UNION ALL SELECT max(seq, until) FROM file_past WHERE path >= ? AND path < ?)',
  )

  const tree: TreeReader = {
    entry(path) {
      const known = unsettled.entry(path)
      return known === undefined ? toEntry(oneAsIs().get(path) as EntryRow | undefined) : known
    },
    // All rows at once: nothing can be written while a statement is read row by row.
    below: (folder) =>
      ((folder === '' ? all().all() : below().all(`${folder}/`, `${folder}0`)) as EntryRow[]).map(toItem),
    hasBelow: (folder) => (folder === '' ? all().get() : anyBelow().get(`${folder}/`, `${folder}0`)) !== undefined,
  }

  return {
    tree,
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
        // A version of this span stood for fewer than 2^(span + 1) events: if it stood at `seq`, it began within that
        // many events before.
        add(stoodAt().all(span, seq - 2 ** (span + 1), seq, seq))
      }
      return entries
    },
    /** Whether an event of the range left exactly this entry at the path. */
    stoodBetween: (path: string, from: number, until: number, { object, mode }: Entry): boolean =>
      stoodBetween().get(path, from, until, object, mode) !== undefined,
    /**
     * Follows renames: the path at which the file that stood at `path` after event `seq` is now, or null if it was
     * deleted.
     */
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
    /** The newest event that changed anything in a folder. */
    newestChangeBelow(folder: string): Seq | null {
      const range = [`${folder}/`, `${folder}0`]
      return (newestBelow().get(...range, ...range) as { seq: Seq | null }).seq
    },
    /** Whether an event changed anything in a folder. */
    changedBelow(folder: string, seq: Seq): boolean {
      const range = [`${folder}/`, `${folder}0`] // "0" comes right after the slash.
      return (changedBelow().get(...range, seq, ...range, seq, seq) as { found: number }).found === 1
    },
  }
}

function toEntry(row: EntryRow | undefined): Entry | null {
  return row === undefined ? null : entryOf(row)
}

/** A flipped bit may change the type of a value, which SQLite does not notice. */
function entryOf({ kind, mode, object, size, path }: EntryRow): Entry {
  const isWhole = typeof size === 'number' && (kind === 'folder' ? object === null : typeof object === 'string')
  if (!isWhole) throw new TableDamage(`what the tables say of ${path} is no entry`)
  return { kind, mode, object, size } as Entry
}

function toItem(row: EntryRow): [TreePath, Entry] {
  return [row.path as TreePath, entryOf(row)]
}
