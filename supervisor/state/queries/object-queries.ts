import { sha256 } from '@choiros/contract/canonical.ts'
import type { DataOf } from '@choiros/contract/catalog.ts'
import type { Erase } from '@choiros/contract/events/files.ts'
import type { Hash, Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { roomKey } from '@choiros/core/reducers/room.ts'
import type { Unsettled } from '../unsettled.ts'
import type { Ask } from './ask.ts'

export interface PastVersion {
  readonly path: TreePath
  readonly seq: Seq
  /** The event that ended this version. */
  readonly until: Seq
  readonly span: number
  readonly object: Hash | null
  readonly size: number
}

/** The object of every empty file. */
const EMPTY = sha256('')

/** Bytes: which are held, by what, and which were erased. */
export function createObjectQueries(ask: Ask, askAsIs: Ask, unsettled: Unsettled) {
  const keptAsIs = askAsIs('SELECT size, live FROM kept WHERE object = ?')
  const totals = ask(
    `SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes, (SELECT coalesce(sum(size), 0) FROM kept WHERE live <= 0) AS versions,
       coalesce((SELECT bytes FROM history), 0) AS history FROM file`,
  )
  const kept = ask('SELECT size, live FROM kept WHERE object = ?')
  const pastPage = ask(
    `SELECT path, seq, until, span, object, size FROM file_past WHERE (span, seq, path) > (?, ?, ?) ORDER BY span, seq, path LIMIT ?`,
  )
  const isAttached = ask('SELECT 1 FROM attached WHERE object = ? LIMIT 1')
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
  const isManifest = ask('SELECT 1 FROM manifest WHERE object = ? LIMIT 1')

  return {
    totals: () => totals().get() as { files: number; bytes: number; versions: number; history: number },
    /** The size of an object that some version of a file holds, and how many paths hold it now. */
    kept(object: Hash): { size: number; live: number } | null {
      const key = roomKey(object)
      const row = keptAsIs().get(key) as { size: number; live: number } | undefined
      const more = unsettled.held(key)
      if (more === undefined) return row ?? null
      return { size: row?.size ?? more.size, live: (row?.live ?? 0) + more.live }
    },
    /** Earlier versions, page by page: each page begins after the last version of the page before. */
    pastVersions: (after: PastVersion | null, limit: number): PastVersion[] =>
      pastPage().all(after?.span ?? -1, after?.seq ?? -1, after?.path ?? '', limit) as PastVersion[],
    isAttached: (object: Hash): boolean => isAttached().get(object) !== undefined,
    /** Objects that events after `after` have erased. */
    erased: (after = 0): Hash[] => (erasedSince().all(after) as { object: Hash }[]).map((row) => row.object),
    newestErase: () => (newestErase().get() as { seq: number }).seq,
    isErased: (object: Hash): boolean => isErased().get(object) !== undefined,
    /** Why it was erased: because of its content, or to make room; null: it was not erased. */
    whyErased: (object: Hash) =>
      (isErased().get(object) as { why: DataOf<typeof Erase>['why'] } | undefined)?.why ?? null,
    /** Every object that ever stood at a path, and what the same files held under earlier names. */
    objectsOfPath(path: string): Hash[] {
      const objects = new Set<Hash>()
      const seen = new Set<string>()
      const waiting = [{ path, before: Number.MAX_SAFE_INTEGER, wholePath: true }]
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const row of versionsBefore().iterate(
          next.path,
          next.before,
          next.path,
          next.before,
        ) as Iterable<VersionRow>) {
          // This version and older ones belong to another file that stood there.
          if (row.gone === 1 && row.until !== next.before && !next.wholePath) break
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
    /**
     * Those of the given objects that no event names, whatever their size: no version of a file, no list of changes, no
     * record.
     */
    unnamed: (objects: readonly Hash[]): Hash[] =>
      objects.filter(
        (object) =>
          object !== EMPTY &&
          kept().get(roomKey(object)) === undefined &&
          isManifest().get(object) === undefined &&
          isAttached().get(object) === undefined,
      ),
    isManifest: (object: Hash): boolean => isManifest().get(object) !== undefined,
  }
}

interface VersionRow {
  seq: number
  until: number
  gone: number
  object: Hash | null
  moved_from: string | null
}
