import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem, Verdict, VerdictPicture, VerifierMeans } from '@choiros/contract/verdict.ts'

/** The tree that is judged: the folder in which the verifier is started. Nothing in it is executed by this process. */
export const TREE = process.cwd()

export type { Problem } from '@choiros/contract/verdict.ts'

/** The last line of the output is the report; the exit code must agree with it. */
export function report(problems: readonly Problem[], means: VerifierMeans = 'reading'): void {
  const verdict: Partial<Verdict> = {
    ok: problems.length === 0,
    problems: problems.slice(0, 100),
    ...(means === 'reading' ? {} : { means }),
  }
  process.stdout.write(`\n${JSON.stringify(verdict)}\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

export function reportPicture(picture: VerdictPicture): void {
  process.stdout.write(`\n${JSON.stringify(picture)}\n`)
}

/** The paths that the run changed and that still exist; every file if there are too many to name. */
export function touchedPaths(): string[] {
  return process.argv[2] === undefined ? filesBelow('') : (JSON.parse(process.argv[2]) as string[])
}

/**
 * For verifiers that look at the whole desktop: without its folder they would fail with a message that helps nobody.
 */
export function missingDesktop(): Problem[] {
  const isThere = statSync(join(TREE, 'app'), { throwIfNoEntry: false })?.isDirectory() === true
  return isThere ? [] : [{ path: 'app', line: null, message: "the desktop's folder is missing" }]
}

/** Every file of the desktop. */
export function appFiles(): string[] {
  return filesBelow('app')
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(TREE, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(TREE.length + 1))
}

export function isScript(path: string): boolean {
  return /\.(ts|tsx|js|jsx|mts|mjs|cts|cjs)$/.test(path)
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
