import { type DataOf } from '@choiros/contract/catalog.ts'
import { FileChange, Undo } from '@choiros/contract/events/files.ts'
import { Checkpoint } from '@choiros/contract/events/points.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import type { UndoPlan, UndoTarget } from '@choiros/contract/undo-view.ts'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { Hash, Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { deedWords } from '@choiros/core/everywhere/deed-words.ts'
import { diffTrees, hashAfterChanges } from '@choiros/core/tree.ts'
import { planInverse, wholeStretch } from '@choiros/core/undo.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { Computer } from '../computer/computer.ts'
import { createPace } from '../computer/pace.ts'
import { checkPoint, eventAt, GONE } from '../computer/past.ts'
import { changesOf } from '../history/facts.ts'
import type { Unit } from '../state/queries/undo-queries.ts'
import { redoTitle } from './next.ts'

/**
 * What taking something back would change. Made without holding the log; `filesSeq` says for which state of the files
 * it was made.
 */
export interface Plan {
  readonly kind: DataOf<typeof Undo>['kind']
  readonly target: UndoPlan['target']
  readonly changes: readonly Change[]
  readonly merged: ReadonlySet<TreePath>
  readonly conflicts: UndoPlan['conflicts']
  readonly erased: readonly TreePath[]
  readonly objects: readonly ObjectBytes[]
  readonly tree: Hash
  readonly filesSeq: number
}

export function planUndo(computer: Computer, target: UndoTarget): Promise<Plan> {
  const { queries } = computer
  switch (target.kind) {
    case 'newest': {
      const unit = queries.newestUnit(target.scope)
      if (unit === null)
        throw new ChoirError(
          'undo.nothing',
          target.scope === 'runs' && queries.newestUnit('any') !== null
            ? 'nothing that the agents did for you is left to undo'
            : 'there is nothing to undo',
        )
      if (target.unit !== undefined && target.unit !== unit.seq) throw movedOn(unit.title, 'undone')
      return planUnit(computer, unit)
    }
    case 'unit': {
      const unit = queries.unit(target.seq)
      if (unit === null) throw new ChoirError('point.unknown', `there is nothing there that could be taken back`)
      return planUnit(computer, unit)
    }
    case 'run': {
      const unit = queries.unitOfRun(target.run)
      if (unit === null)
        throw new ChoirError('run.unknown', `the run ${target.run} changed nothing that could be taken back`)
      return planEvent(computer, unit.seq, 'run')
    }
    case 'event':
      return planEvent(computer, target.seq, 'event')
    case 'point':
      return planPoint(computer, target.seq)
  }
}

/**
 * What the person was told would be taken back is not the newest any more: to silently take back something else would
 * be a surprise.
 */
function movedOn(title: string, verb: 'undone' | 'redone'): ChoirError {
  return new ChoirError(
    'undo.mismatch',
    `“${title}” comes first by now, so nothing was ${verb}. Look again at what would be.`,
  )
}

/** `named`: the undo that the person was told would be taken back. */
export function planRedo(computer: Computer, named?: Seq): Promise<Plan> {
  const { queries } = computer
  const open = queries.openUndo()
  if (open === null) throw new ChoirError('undo.nothing', 'there is nothing to redo')
  if (named !== undefined && named !== open.seq) throw movedOn(redoTitle(queries, open), 'redone')
  return planEvent(computer, open.seq, 'redo')
}

function planUnit(computer: Computer, unit: Unit): Promise<Plan> {
  if (unit.until > unit.seq) return planStretch(computer, unit)
  return planEvent(computer, unit.seq, unit.type === 'run.land' ? 'run' : 'event')
}

export async function planEvent(computer: Computer, seq: Seq, kind: Plan['kind']): Promise<Plan> {
  checkPoint(computer, seq)
  const { queries } = computer
  const unit = queries.unit(seq)
  const filesSeq = computer.filesSeq()
  const event = await eventAt(computer, seq)
  if (event.type === 'base.install')
    throw new ChoirError(
      'undo.nothing',
      `event ${seq} made this computer and cannot be taken back; "undo --to ${seq}" takes back everything since`,
    )
  const done = await changesOf(event, computer.objects.get)
  if (done.length === 0 && kind !== 'redo' && unit === null)
    throw new ChoirError(
      'undo.nothing',
      `event ${seq} (${event.type}) changed no files, so there is nothing to take back`,
    )
  refuseIfUndone(event.type === FileChange.type ? queries.unitAround(seq) : unit)
  const isWhole = unit !== null && unit.until === unit.seq
  const title = isWhole
    ? unit.title
    : event.type === Undo.type
      ? redoTitle(queries, Undo.data.parse(event.data), deedWords(done))
      : deedWords(done)
  return planBack(computer, kind, { seq, type: event.type, run: event.run, title }, done, seq, filesSeq)
}

/**
 * Takes back all that was typed into a document without a rest. Nothing else changed a file meanwhile, so as a whole it
 * is one change: from before its first event to after its last.
 */
async function planStretch(computer: Computer, unit: Unit): Promise<Plan> {
  const { queries } = computer
  refuseIfUndone(unit)
  const filesSeq = computer.filesSeq()
  const [first] = await changesOf(await eventAt(computer, unit.seq), computer.objects.get)
  const [last] = await changesOf(await eventAt(computer, unit.until), computer.objects.get)
  assert(first !== undefined && last !== undefined, 'a stretch of typing has changes')
  const whole = wholeStretch(first, last)
  const { path } = whole
  const now = queries.tree.entry(queries.pathNow(path, unit.until) ?? path)
  // If somebody has gone back to the middle of the stretch, what stands there is a part of it, not later work.
  const to = now !== null && queries.stoodBetween(path, unit.seq, unit.until, now) ? now : whole.to
  const target = { seq: unit.seq, type: unit.type, run: null, title: unit.title }
  return planBack(computer, 'stretch', target, [{ ...whole, to }], unit.until, filesSeq)
}

function refuseIfUndone(unit: Unit | null): void {
  if (unit !== null && unit.undone_by !== null)
    throw new ChoirError('undo.nothing', `“${unit.title}” was already taken back`)
}

/** Takes back what was done up to event `after`, keeping everything since. */
async function planBack(
  computer: Computer,
  kind: Plan['kind'],
  target: Plan['target'],
  done: readonly Change[],
  after: Seq,
  filesSeq: number,
): Promise<Plan> {
  const { queries } = computer
  const objects = new Map<Hash, ObjectBytes>()
  const pace = createPace('taking this back')
  const plan = await planInverse(done, {
    tree: queries.tree,
    pathNow: (path) => queries.pathNow(path, after),
    async bytes(object) {
      await pace() // Called before every merge, and each merge may take long.
      return queries.isErased(object) ? null : computer.objects.find(object)
    },
    store(bytes) {
      const hash = sha256(bytes)
      objects.set(hash, { hash, bytes })
      return { object: hash, size: bytes.length }
    },
  })
  const erased = plan.changes.flatMap(({ path, to }) => {
    const why = to === null || to.object === null ? null : queries.whyErased(to.object)
    return why === null ? [] : [{ path, why }]
  })
  return {
    kind,
    target,
    changes: plan.changes,
    merged: plan.merged,
    conflicts: [
      ...plan.conflicts,
      ...erased.map(({ path, why }) => ({ path, why: `the version it had before was ${GONE[why]}` })),
    ],
    erased: erased.map(({ path }) => path),
    objects: [...objects.values()],
    tree: hashAfterChanges(queries.allEntries(), plan.changes),
    filesSeq,
  }
}

/**
 * The whole content as it was at a point. Versions that were erased cannot come back and are listed; what is there now
 * in their place stays.
 */
export async function planPoint(computer: Computer, seq: Seq): Promise<Plan> {
  checkPoint(computer, seq)
  const { queries } = computer
  const filesSeq = computer.filesSeq()
  const event = await eventAt(computer, seq)
  const erased: TreePath[] = []
  const wanted = new Map<TreePath, Entry>()
  const now = queries.allEntries()
  const present = new Map(now)
  for (const [path, entry] of queries.entriesAt(seq)) {
    const isErased = entry.object !== null && queries.isErased(entry.object)
    if (isErased) erased.push(path)
    const kept = isErased ? present.get(path) : entry
    if (kept !== undefined) wanted.set(path, kept)
  }
  const changes = diffTrees(present, wanted)
  return {
    kind: 'point',
    target: { seq, type: event.type, run: event.run, title: pointTitle(event) },
    changes,
    merged: new Set(),
    conflicts: [],
    erased,
    objects: [],
    tree: hashAfterChanges(now, changes),
    filesSeq,
  }
}

function pointTitle({ type, data }: Event): string {
  return type === Checkpoint.type
    ? `everything as it was at “${String(data['name'])}”`
    : `everything as it was at an earlier point`
}
