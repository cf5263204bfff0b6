import { take } from '../arguments.ts'
import type { LocalCommand } from '../command.ts'
import { printable } from '../text.ts'
import type { Finding } from './finding.ts'
import { examineHome } from './home.ts'
import { examineMachine } from './machine.ts'

const MARKS = { ok: 'ok', weaker: 'weaker', bad: 'BAD' } as const

/**
 * What is there, what is weaker without it and what to do about it, in any state of machine and home. Changes nothing.
 */
export const doctor: LocalCommand = async ({ home, values, positionals, show }) => {
  take(positionals, [])
  const findings = [...(await examineMachine()), ...(await examineHome(home, values.user ?? null))]
  const isWell = findings.every(({ state }) => state !== 'bad')
  show({ ok: isWell, home, findings }, [...findings.map(findingText), '', summary(findings)].join('\n'))
  return isWell
}

function findingText({ about, state, is, todo }: Finding): string {
  const line = `${MARKS[state].padEnd(8)}${about.padEnd(14)}${printable(is)}`
  return todo === null ? line : `${line}\n${' '.repeat(22)}→ ${printable(todo)}`
}

function summary(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  const bad = count('bad')
  const weaker = count('weaker')
  if (bad > 0) return `${bad === 1 ? 'one thing keeps' : `${bad} things keep`} ChoirOS from working here`
  return weaker === 0
    ? 'everything is well'
    : `ChoirOS works here; ${weaker === 1 ? 'one thing is' : `${weaker} things are`} weaker than ${weaker === 1 ? 'it' : 'they'} could be`
}
