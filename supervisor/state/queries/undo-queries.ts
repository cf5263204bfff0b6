import type { Hash, RunId, Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { VERIFIED_FOLDER } from '@choiros/core/verifier-plan.ts'
import { LAST, type Ask } from './ask.ts'

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

/** What can be taken back, what was, and points to go back to. */
export function createUndoQueries(ask: Ask) {
  // Going back to a checkpoint is titled by the checkpoint's name.
  const UNIT = `SELECT seq, until, time, type, via, run, about, undone_by,
    coalesce((SELECT 'Went back to “' || name || '”' FROM checkpoint WHERE checkpoint.seq = unit.point), title) AS title FROM unit`
  const removedBy = ask('SELECT until AS seq FROM file_past WHERE path = ? AND gone = 1 ORDER BY until DESC LIMIT 1')
  const newestUnit = ask(`${UNIT} WHERE scope = ? AND undone_by IS NULL ORDER BY seq DESC LIMIT 1`)
  const newestOfDesktop = ask(
    `${UNIT} WHERE undone_by IS NULL AND (about GLOB '${VERIFIED_FOLDER}/*' OR about GLOB '*' || char(10) || '${VERIFIED_FOLDER}/*') ORDER BY seq DESC LIMIT 1`,
  )
  const typingIn = ask('SELECT path FROM stretch WHERE unit = ?')
  const unitOf = ask(`${UNIT} WHERE seq = ?`)
  const unitAround = ask(`${UNIT} WHERE seq = (SELECT max(seq) FROM unit WHERE seq <= ?) AND until >= ?`)
  const unitOfRun = ask(`${UNIT} WHERE run = ? AND type = 'run.land' ORDER BY seq DESC LIMIT 1`)
  const unitsBefore = ask(`${UNIT} WHERE seq < ? ORDER BY seq DESC LIMIT ?`)
  const openUndo = ask('SELECT seq, target, kind FROM undone WHERE closed_by IS NULL ORDER BY seq DESC LIMIT 1')
  const checkpoints = ask(
    'SELECT * FROM (SELECT seq, time, name, kind, tree FROM checkpoint WHERE seq < ? AND kind IN (?, ?) ORDER BY seq DESC LIMIT ?) ORDER BY seq',
  )

  return {
    /** The event that removed what stood at a path, and the unit that begins with it; an undo has no unit. */
    removedBy(path: string): { seq: number; unit: Unit | null } | null {
      const removed = removedBy().get(path) as { seq: number } | undefined
      return removed === undefined
        ? null
        : { seq: removed.seq, unit: (unitOf().get(removed.seq) as Unit | undefined) ?? null }
    },
    newestUnit(scope: 'runs' | 'any' | 'desktop'): Unit | null {
      if (scope === 'desktop') return (newestOfDesktop().get() as Unit | undefined) ?? null
      const run = newestUnit().get('runs') as Unit | undefined
      const own = scope === 'any' ? (newestUnit().get('own') as Unit | undefined) : undefined
      if (run === undefined || own === undefined) return run ?? own ?? null
      return run.seq > own.seq ? run : own
    },
    /** The document of a stretch of typing that has not ended yet. */
    typingIn: (unit: number) => (typingIn().get(unit) as { path: TreePath } | undefined)?.path ?? null,
    unit: (seq: number) => (unitOf().get(seq) as Unit | undefined) ?? null,
    /** The unit that an event belongs to. */
    unitAround: (seq: number) => (unitAround().get(seq, seq) as Unit | undefined) ?? null,
    unitOfRun: (run: string) => (unitOfRun().get(run) as Unit | undefined) ?? null,
    /** Newest first, taken back or not. */
    units: (before: number | null, limit: number) => unitsBefore().all(before ?? LAST, limit) as Unit[],
    openUndo: () => (openUndo().get() as { seq: Seq; target: Seq; kind: string } | undefined) ?? null,
    /** Oldest first; where there are more than `limit`, the newest. */
    checkpoints: ({
      kind,
      before,
      limit,
    }: { kind?: string | undefined; before?: number | undefined; limit?: number | undefined } = {}) =>
      checkpoints().all(before ?? LAST, kind ?? 'user', kind ?? 'automatic', limit ?? -1) as CheckpointRow[],
  }
}
