import { LeaseRevoke, MoodPin, MoodUnpin } from '@choiros/contract/events/policy.ts'
import type { OutputOf } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Computer } from '../computer/computer.ts'
import { userDraft, viaOf, type ComputerCommand, type ComputerContext } from './context.ts'

type PolicyCommandName =
  | 'mood.get'
  | 'mood.pin'
  | 'mood.unpin'
  | 'lease.list'
  | 'lease.revoke'
  | 'approval.list'
  | 'approval.answer'
  | 'approval.revoke'

export const POLICY_COMMANDS: { readonly [Name in PolicyCommandName]: ComputerCommand<Name> } = {
  'mood.get': async (context) => moodOf(context),
  'mood.pin': async (context, { mood }) => {
    await context.computer.append(({ state }) =>
      state.pinnedMood() === mood ? null : { draft: userDraft(context, MoodPin, { mood }) },
    )
    return moodOf(context)
  },
  'mood.unpin': async (context) => {
    await context.computer.append(({ state }) =>
      state.pinnedMood() === null ? null : { draft: userDraft(context, MoodUnpin, {}) },
    )
    return moodOf(context)
  },
  'lease.list': async ({ computer }) => computer.queries.leases(),
  'lease.revoke': async (context, { lease }) => {
    await context.computer.append(({ state }) => {
      const held = state.lease(lease)
      if (held === null) throw new ChoirError('lease.unknown', 'this is over, or was taken back already')
      return { draft: { ...userDraft(context, LeaseRevoke, { lease }), run: held.run } }
    })
    return context.computer.queries.leases()
  },
  'approval.list': async ({ computer }) => approvalsOf(computer),
  'approval.answer': async ({ session, computer, caller, user }, { approval, answer }) => {
    await session.runs.approvals.answer({ user, source: 'user', via: viaOf(caller) }, approval, answer)
    return approvalsOf(computer)
  },
  'approval.revoke': async ({ session, computer, caller, user }, { approval }) => {
    await session.runs.approvals.revoke({ user, source: 'user', via: viaOf(caller) }, approval)
    return approvalsOf(computer)
  },
}

function moodOf({ session, computer }: ComputerContext): OutputOf<'mood.get'> {
  return { pinned: computer.queries.pinnedMood(), now: session.runs.mood() }
}

function approvalsOf({ queries }: Computer): OutputOf<'approval.list'> {
  return { open: queries.openApprovals(), standing: queries.standingApprovals() }
}
