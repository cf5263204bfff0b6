import { problemWords, readVerdict, touchedArgument } from '@choiros/contract/verdict.ts'
import { isInScope, plannedVerifiers, testsBeside, type VerifierName } from '@choiros/core/verifier-plan.ts'
import { runCommand } from './run-command.ts'
import type { Stage } from '../stage-folder.ts'

export interface CheckOptions {
  readonly stage: Stage
  /** The tree that the task started from. */
  readonly base: Stage
  /** Where the stage is on disk. */
  readonly folder: string
  readonly scope: readonly string[]
  /** The command that starts one of the verifiers' own programs. */
  verifier(name: VerifierName): readonly string[]
}

const LIMITS = { wallClockMs: 60_000, outputBytesMax: 256 * 1024 }
const PROBLEMS_MAX = 20
const MESSAGE_CHARS_MAX = 400
const TOLD_CHARS_MAX = 12_000

/**
 * Runs the verifiers that will judge the stage on it as it is now. This only saves a round: they run here beside code
 * that nobody has checked, so their answer counts for nothing. Rejects with what is wrong, so that the model is told of
 * a failure.
 */
export async function checkStage({ stage, base, folder, scope, verifier }: CheckOptions): Promise<string> {
  const paths = touchedPaths(stage, base)
  if (paths.length === 0) return 'nothing was changed yet, so there is nothing to check'
  const changes = paths.map((path) => ({ path }))
  const tests = testsBeside(changes, stage.list(''))
  const planned = plannedVerifiers(changes, { render: true, tests })
  const touched = paths.filter((path) => stage.size(path) !== null)
  const found = paths.filter((path) => !isInScope(scope, path)).map((path) => outsideWords(path, scope))
  for (const name of planned) {
    const { exit_code: exitCode, log } = await runCommand(
      [...verifier(name), ...touchedArgument(name === 'test' ? tests : touched)],
      folder,
      LIMITS,
      { CHOIR_BROWSER: process.env['CHOIR_BROWSER'] ?? 'none', CHOIR_PICTURES: 'none' },
    )
    found.push(...problemsIn(name, exitCode, log))
  }
  if (found.length > 0)
    throw new Error(`the checks found problems:\n${found.join('\n')}`.slice(0, TOLD_CHARS_MAX).toWellFormed())
  return `good: ${planned.join(', ')}`
}

function outsideWords(path: string, scope: readonly string[]): string {
  return `scope: ${path} was changed, but this task may write only ${scope.join(', ')}`
}

/**
 * The changed paths: some verifiers look at no others. Deleted files count, because files that still need them break.
 */
export function touchedPaths(stage: Stage, base: Stage): string[] {
  const paths = new Set([...stage.list(''), ...base.list('')])
  return [...paths]
    .filter((path) => stage.size(path) !== base.size(path) || stage.read(path) !== base.read(path))
    .sort()
}

function problemsIn(verifier: VerifierName, exitCode: number | null, log: string): string[] {
  const said = readVerdict(log)
  if (said === null) return [`${verifier} gave no verdict: ${log.slice(-MESSAGE_CHARS_MAX).toWellFormed()}`]
  const { ok, problems } = said
  if (ok && exitCode === 0) return []
  const shown = problems
    .slice(0, PROBLEMS_MAX)
    .map(
      (problem) =>
        `${verifier}: ${problemWords({ ...problem, message: problem.message.slice(0, MESSAGE_CHARS_MAX).toWellFormed() })}`,
    )
  return problems.length > PROBLEMS_MAX ? [...shown, `${verifier}: and ${problems.length - PROBLEMS_MAX} more`] : shown
}
