import { Restore, Undo } from '@choiros/contract/events/files.ts'
import type { UndoTarget } from '@choiros/contract/undo-view.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import type { TaskOutcome } from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import { agoWords } from '@choiros/core/ago-words.ts'
import { isAbout, namingWords } from '@choiros/core/find-unit.ts'
import { UNDOS_MAX } from '@choiros/core/recipes/history.ts'
import { RECIPES } from '@choiros/core/recipes/recipes.ts'
import { inEnglish } from '@choiros/core/recipes/understand.ts'
import { carryOut } from '../undo/carry-out.ts'
import { planRedo, planUndo } from '../undo/plan.ts'
import type { Computer } from '../computer/computer.ts'
import type { CheckpointRow, Unit } from '../state/queries/undo-queries.ts'
import { agentDraft } from '../computer/drafts.ts'

/** How many units are searched for something by its name. */
const SEARCHED_MAX = 2000
const PAGE = 200
const NAMES_SHOWN_MAX = 5
const LOG_LINES_MAX = 10

/**
 * Undo, redo, restore and the list of what was done. Only the supervisor holds the history; it moves it as it would for
 * the person.
 */
export async function moveHistory(
  computer: Computer,
  run: RunId,
  task: DirectorTask,
  nowMs: number,
): Promise<TaskOutcome> {
  try {
    return outcome(task, await move(computer, run, task, nowMs), 'done')
  } catch (error) {
    if (!(error instanceof ChoirError)) throw error
    return outcome(task, error.message, 'refused')
  }
}

function outcome({ task_id: task, kind }: DirectorTask, summary: string, status: TaskOutcome['status']): TaskOutcome {
  return { task, kind, status, summary, filesChanged: [], reports: [], result: null, reviewer: 'never', denied: null }
}

async function move(computer: Computer, run: RunId, task: DirectorTask, nowMs: number): Promise<string> {
  const said = task.recipes[0]?.parameters ?? {}
  switch (task.git_action) {
    case 'undo':
      return undo(computer, run, said)
    case 'redo': {
      const { target } = await carryOut(computer, () => planRedo(computer), undoDraft(computer, run))
      return `redone: ${target.title}`
    }
    case 'restore':
      return restore(computer, run, String(said['name'] ?? ''))
    case 'log':
      return computer.queries
        .units(null, LOG_LINES_MAX)
        .map((unit) => logLine(unit, nowMs))
        .join('\n')
    default:
      return 'a checkpoint is taken when the run has ended'
  }
}

/** What was done, whoever did it, in the person's words. */
function logLine({ title, time, undone_by: undoneBy }: Unit, nowMs: number): string {
  return `${title.replace(/\.$/, '')} (${agoWords(nowMs - time)}${undoneBy === null ? '' : ', taken back since'})`
}

async function undo(
  computer: Computer,
  run: RunId,
  { what, count, by }: DirectorTask['recipes'][number]['parameters'],
): Promise<string> {
  if (typeof what === 'string') return undoNamed(computer, run, what)
  const times = Math.min(Math.max(1, Math.trunc(Number(count ?? 1)) || 1), UNDOS_MAX)
  const taken: string[] = []
  for (let time = 0; time < times; time++) {
    try {
      taken.push(await undoOne(computer, run, { kind: 'newest', scope: by === 'agents' ? 'runs' : 'any' }))
    } catch (error) {
      if (taken.length === 0 || !(error instanceof ChoirError)) throw error
      const why = error.code === 'undo.nothing' ? 'nothing more was left to take back' : error.message
      return `took back: ${listed(taken)}; then I stopped, because ${why}`
    }
  }
  return `took back: ${listed(taken)}`
}

async function undoNamed(computer: Computer, run: RunId, what: string): Promise<string> {
  const unit = findUnit(computer, what)
  if (unit === null) throw new ChoirError('undo.nothing', `I found nothing about “${what}” that could be taken back`)
  return `took back: ${await undoOne(computer, run, { kind: 'unit', seq: unit.seq })}`
}

async function undoOne(computer: Computer, run: RunId, target: UndoTarget): Promise<string> {
  const done = await carryOut(computer, () => planUndo(computer, target), undoDraft(computer, run))
  return done.target.title
}

function undoDraft(computer: Computer, run: RunId): Parameters<typeof carryOut>[2] {
  return ({ kind, target, tree }) => agentDraft(computer, run, Undo, { kind, target: target.seq, tree, windows: null })
}

/**
 * Goes to the checkpoint of that name; where there is none, takes back the newest change that the words are about:
 * "restore the old wallpaper".
 */
async function restore(computer: Computer, run: RunId, name: string): Promise<string> {
  const point = findCheckpoint(computer, name)
  if (point === null) {
    if (findUnit(computer, name) !== null) return undoNamed(computer, run, name)
    throw new ChoirError('point.unknown', `there is no checkpoint called “${name}”${namesOf(computer)}`)
  }
  const to = point.seq
  await carryOut(
    computer,
    () => planUndo(computer, { kind: 'point', seq: to }),
    ({ tree }) => agentDraft(computer, run, Restore, { to, tree, windows: computer.queries.windowsAt(to) }),
  )
  return `went back to “${point.name}”; files and windows are as they were then`
}

/** The newest unit still in effect that the words are about. */
function findUnit(computer: Computer, what: string): Unit | null {
  // As it was said, and by its English name: "le fond d'écran" is the wallpaper.
  const wordings = [what, inEnglish(what, RECIPES)].map(namingWords)
  const { queries } = computer
  let before: number | null = null
  for (let seen = 0; seen < SEARCHED_MAX; seen += PAGE) {
    const units = queries.units(before, PAGE)
    for (const unit of units) {
      if (unit.undone_by !== null) continue
      const asked = unit.run === null ? '' : (queries.run(unit.run)?.text ?? '')
      if (wordings.some((words) => isAbout({ title: unit.title, about: unit.about, asked }, words))) return unit
    }
    if (units.length < PAGE) return null
    before = units.at(-1)!.seq
  }
  return null
}

/** Checkpoints that a person has named come first; of several the newest. */
function findCheckpoint(computer: Computer, name: string): CheckpointRow | null {
  const plain = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replace(/^(the|my) /, '')
  const isCalled = (point: CheckpointRow) => point.name === name || plain(point.name) === plain(name)
  const { queries } = computer
  return (
    queries.checkpoints({ kind: 'user' }).findLast(isCalled) ??
    queries.checkpoints({ kind: 'automatic' }).findLast(isCalled) ??
    null
  )
}

function namesOf(computer: Computer): string {
  const names = [...new Set(computer.queries.checkpoints({ kind: 'user' }).map((point) => `“${point.name}”`))]
  const shown = names.slice(-NAMES_SHOWN_MAX).toReversed()
  if (shown.length < 2) return shown.length === 0 ? '; you have named none yet' : `; there is ${shown[0]}`
  return `; there are ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

function listed(titles: readonly string[]): string {
  return titles.map((title) => title.replace(/\.$/, '')).join('; ')
}
