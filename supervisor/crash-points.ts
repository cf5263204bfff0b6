import type { LogStep } from '@choiros/ports/event-log/event-log.ts'
import type { ObjectStep } from '@choiros/ports/objects/objects.ts'

/**
 * Every place where a crash could leave something half done. The crash table kills the process at each of them,
 * restarts and checks; a point that is never reached fails the table, so the list cannot go stale.
 */
export const CRASH_POINTS = [
  'log.append.before',
  'log.append.after',
  'log.erase.before',
  'log.erase.after',
  'object.write.before',
  'object.fsync.before',
  'object.fsync.after',
  'object.rename.after',
  'object.folder-fsync.after',
  'state.apply.after',
  'state.commit.before',
  'state.commit.after',
  'tree.project.before',
  'tree.write.after',
  'tree.rename.after',
  'tree.delete.before',
  'tree.cursor.before',
  'tree.project.after',
  'snapshot.copy.before',
  'snapshot.copy.after',
  'snapshot.rename.after',
  'checkpoint.git.before',
  'checkpoint.git.after',
  'head.sign.before',
  'head.sign.after',
  'export.build.before',
  'export.build.after',
  'import.receive.after',
  'import.copy.before',
  'import.copy.page',
  'import.fork.after',
  'computer.create.before',
  'computer.create.rename',
  'computer.create.after',
  'rebuild.page.after',
  'rebuild.rename.before',
  'rebuild.rename.after',
] as const

/** The steps of a run, each killed by the crash table of runs. */
export const RUN_CRASH_POINTS = [
  'run.prompt.after',
  'run.start.after',
  'run.task.after',
  'run.tool.after',
  'run.collect.after',
  'run.verify.before',
  'run.verify.after',
  'run.land.before',
  'run.land.after',
  'run.reply.after',
  'run.health.after',
  'run.checkpoint.after',
  'run.revert.before',
  'run.revert.after',
] as const

export type CrashPoint = (typeof CRASH_POINTS)[number] | (typeof RUN_CRASH_POINTS)[number]

/** Called at every crash point. Does nothing unless a test named the point. */
export type Reached = (point: CrashPoint) => void

// The adapters' own steps are all in the list: a step that is missing here does not compile.
const _steps: readonly CrashPoint[] = [] as readonly (LogStep | ObjectStep)[]
void _steps
