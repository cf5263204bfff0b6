import type { EvalResult } from './harness.ts'
import { GROUPS } from './task.ts'

/** Right, or right and well. */
const isPassed = ({ grade }: EvalResult): boolean => grade >= 2

export function lineOf({ task, grade, problem, tookMs, calls, steps, tokens }: EvalResult): string {
  const numbers = `${(tookMs / 1000).toFixed(1).padStart(6)} s ${String(calls).padStart(4)} calls ${String(steps).padStart(4)} steps ${String(tokens).padStart(8)} tokens`
  return `${grade}  ${task.group.padEnd(9)}  ${task.name.padEnd(28)} ${numbers}${problem === null ? '' : `  ${problem.replaceAll(/\s+/g, ' ')}`}`
}

/** A row for each class, and one for all of them. */
export function tableOf(results: readonly EvalResult[]): string {
  const head = ['class', 'passed', 'mean grade', 'model calls', 'steps', 'tokens', 'cost', 'seconds']
  const groups = GROUPS.filter((group) => results.some(({ task }) => task.group === group))
  const rows = [
    ...groups.map((group) =>
      rowOf(
        group,
        results.filter(({ task }) => task.group === group),
      ),
    ),
    rowOf('all', results),
  ]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map((_, index) => (index === 0 ? '---' : '---:')).join('|')}|`, ...rows.map(line)].join(
    '\n',
  )
}

function rowOf(name: string, results: readonly EvalResult[]): string[] {
  const sum = (of: (result: EvalResult) => number) => results.reduce((total, result) => total + of(result), 0)
  const micros = sum(({ micros: cost }) => cost)
  return [
    name,
    `${results.filter(isPassed).length} of ${results.length}`,
    (sum(({ grade }) => grade) / Math.max(1, results.length)).toFixed(2),
    String(sum(({ calls }) => calls)),
    String(sum(({ steps }) => steps)),
    sum(({ tokens }) => tokens).toLocaleString('en'),
    micros === 0 ? '–' : (micros / 1e6).toFixed(2),
    (sum(({ tookMs }) => tookMs) / 1000).toFixed(1),
  ]
}

export function jsonOf(results: readonly EvalResult[]): string {
  return JSON.stringify(
    results.map(({ task, ...rest }) => ({ name: task.name, group: task.group, prompts: task.prompts, ...rest })),
    null,
    2,
  )
}
