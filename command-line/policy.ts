import type { ApprovalList } from '@choiros/contract/commands/policy.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { ApprovalId, LeaseId } from '@choiros/contract/ids.ts'
import { ApprovalWord, MoodName, type ApprovalView, type LeaseView } from '@choiros/contract/policy.ts'
import { MOODS, moodWords } from '@choiros/core/everywhere/mood-words.ts'
import { take } from './arguments.ts'
import type { Command } from './command.ts'
import { given } from './given.ts'
import { inOneLine } from './text.ts'

/** Shows the mood that runs are in, or chooses it. */
export const mood: Command = async ({ client, positionals, show }) => {
  const [name] = take(positionals, ['NAME|auto'], 1)
  const view =
    name === undefined
      ? await client.run('mood.get', {})
      : name === 'auto'
        ? await client.run('mood.unpin', {})
        : await client.run('mood.pin', { mood: given(MoodName, name.toUpperCase()) })
  const { pinned, now } = view
  const chosen =
    pinned === null ? 'the rules choose it' : `you chose ${pinned}; "choir mood auto" leaves it to the rules`
  const all = MoodName.options.map((one) => `  ${one.padEnd(12)} ${MOODS[one].word}: ${MOODS[one].says}`)
  show(view, [`${now.mood}: ${moodWords(now)} (${chosen})`, ...(name === undefined ? all : [])].join('\n'))
}

/** What waits for the person's leave, and what has it once and for all. */
export const approvals: Command = async ({ client, positionals, show }) => {
  const [action, id] = take(positionals, ['revoke', 'ID'], 2)
  if (action === undefined) {
    const list = await client.run('approval.list', {})
    return show(list, approvalsText(list))
  }
  if (action !== 'revoke' || id === undefined)
    throw new ChoirError('request.invalid', '"choir approvals" takes nothing, or revoke and an id')
  const list = await client.run('approval.revoke', { approval: given(ApprovalId, id) })
  show(list, 'not allowed any more')
}

/** Says yes or no to what waits. */
export const approve: Command = async ({ client, positionals, show }) => {
  const [word = '', id] = take(positionals, ['once|run|computer|deny', 'ID'], 1)
  const answer = given(ApprovalWord, word)
  const approval = id === undefined ? (await client.run('approval.list', {})).open[0]?.approval : given(ApprovalId, id)
  if (approval === undefined) throw new ChoirError('approval.unknown', 'nothing waits to be allowed')
  const list = await client.run('approval.answer', { approval, answer })
  show(list, answer === 'deny' ? 'not allowed' : 'allowed')
}

/** What the run at work may do; any of it can be taken back. */
export const leases: Command = async ({ client, positionals, show }) => {
  const [action, id] = take(positionals, ['revoke', 'ID'], 2)
  if (action === undefined) {
    const list = await client.run('lease.list', {})
    return show(list, list.length === 0 ? 'nothing is at work, so nothing is allowed' : list.map(leaseText).join('\n'))
  }
  if (action !== 'revoke' || id === undefined)
    throw new ChoirError('request.invalid', '"choir leases" takes nothing, or revoke and an id')
  show(await client.run('lease.revoke', { lease: given(LeaseId, id) }), 'taken back')
}

function leaseText({ lease, kind, scope, uses, used }: LeaseView): string {
  return `${lease}  ${kind.padEnd(7)} ${inOneLine(scope.join(', '))}, used ${used} of ${uses} times`
}

function approvalsText({ open, standing }: ApprovalList): string {
  const line = ({ approval, text, risk }: ApprovalView) => `  ${approval}  ${inOneLine(`${text}: ${risk}`)}`
  return [
    open.length === 0 ? 'nothing waits for you' : 'waiting; "choir approve once|run|computer|deny ID" answers:',
    ...open.map(line),
    ...(standing.length === 0 ? [] : ['always allowed here; "choir approvals revoke ID" takes it back:']),
    ...standing.map((one) => `  ${one.approval}  ${one.kind}: ${inOneLine(one.scope.join(', '))}`),
  ].join('\n')
}
