import { take } from './arguments.ts'
import type { Command } from './command.ts'
import { toPath } from './given.ts'
import { printable } from './text.ts'

/** The most that one `erase` command takes. */
const ERASED_AT_ONCE_MAX = 4000

export const verify: Command = async ({ client, positionals, show }) => {
  take(positionals, [])
  const report = await client.run('verify', {})
  const text = report.ok
    ? `everything holds: ${report.events} events, ${report.objects} objects, tree ${report.tree}`
    : [
        'this computer is damaged:',
        ...report.problems.map((problem) => `  ${problem.code}: ${printable(problem.message)}`),
      ].join('\n')
  const mended = report.mended.map((what) => `put right: ${printable(what)}`)
  show(report, [...mended, text].join('\n'))
  return report.ok
}

export const erase: Command = async ({ client, positionals, values, show }) => {
  const [path] = take(positionals, ['PATH'])
  const plan = await client.run('erase.preview', { path: toPath(path) })
  if (!values.yes) {
    const text = [
      `would erase ${inNumber(plan.objects.length, 'version')} of ${printable(path ?? '')} for good; no undo brings them back. Forks and exports made before keep theirs.`,
      ...plan.shared.map((other) => `  ${printable(other)} holds some of the same bytes; those stay`),
      'Say --yes to do it.',
    ]
    show(plan, text.join('\n'))
    return false
  }
  for (let start = ERASED_AT_ONCE_MAX; start < plan.objects.length; start += ERASED_AT_ONCE_MAX) {
    await client.run('erase', {
      objects: plan.objects.slice(start, start + ERASED_AT_ONCE_MAX),
      reason: values.reason ?? '',
    })
  }
  const done = await client.run('erase', {
    objects: plan.objects.slice(0, ERASED_AT_ONCE_MAX),
    reason: values.reason ?? '',
  })
  return show(
    { ...done, objects: plan.objects.length },
    `erased ${inNumber(plan.objects.length, 'version')} for good (event ${done.seq})`,
  )
}

function inNumber(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
