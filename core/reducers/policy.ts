import type { DataOf } from '@choiros/contract/catalog.ts'
import type { Fork } from '@choiros/contract/events/points.ts'
import type {
  ApprovalAnswer,
  ApprovalAsk,
  ApprovalRevoke,
  LeaseGrant,
  LeaseRevoke,
  MoodPin,
} from '@choiros/contract/events/policy.ts'
import type { TaskResult, ToolResult } from '@choiros/contract/events/runs.ts'
import type { LiveEvent } from '../everywhere/contract.ts'
import { stepOf } from '../everywhere/run-projection.ts'
import { oneByOne, type Reducer } from './reducer.ts'

/**
 * What agents may do: the mood that the person has chosen, permissions that hold, and what was asked of the person and
 * answered. A permission is a row until its task is over; one that the person took back until its run is, for as long
 * as it must not be given again.
 */
export const policy: Reducer = {
  name: 'policy',
  version: 1,
  tables: ['pin', 'lease', 'approval'],
  schema: `
    CREATE TABLE pin (one INTEGER PRIMARY KEY CHECK (one = 1), mood TEXT NOT NULL) STRICT;
    CREATE TABLE lease (lease TEXT PRIMARY KEY, run TEXT NOT NULL, task TEXT NOT NULL, kind TEXT NOT NULL, scope TEXT NOT NULL, until INTEGER NOT NULL,
      uses INTEGER NOT NULL, used INTEGER NOT NULL, revoked INTEGER, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE approval (approval TEXT PRIMARY KEY, run TEXT NOT NULL, kind TEXT NOT NULL, scope TEXT NOT NULL, risk TEXT NOT NULL, asked INTEGER NOT NULL,
      asked_ms INTEGER NOT NULL, answer TEXT) STRICT, WITHOUT ROWID;
  `,
  indexes: `
    CREATE INDEX lease_run ON lease (run);
    CREATE INDEX approval_run ON approval (run);
    CREATE INDEX approval_standing ON approval (asked) WHERE answer = 'computer';
  `,
  statements: {
    pin: 'INSERT OR REPLACE INTO pin VALUES (1, ?)',
    unpin: 'DELETE FROM pin',
    grant: 'INSERT OR IGNORE INTO lease VALUES (?, ?, ?, ?, ?, ?, ?, 0, NULL, ?)',
    use: 'UPDATE lease SET used = used + 1 WHERE lease = ?',
    revoke: 'UPDATE lease SET revoked = ? WHERE lease = ? AND revoked IS NULL',
    endTask: 'DELETE FROM lease WHERE run = ? AND task = ? AND revoked IS NULL',
    endRun: 'DELETE FROM lease WHERE run = ?',
    endAll: 'DELETE FROM lease',
    ask: 'INSERT OR IGNORE INTO approval VALUES (?, ?, ?, ?, ?, ?, ?, NULL)',
    // No is the last word: nothing that comes after it counts.
    answer: "UPDATE approval SET answer = ? WHERE approval = ? AND answer IS NOT 'deny'",
    withdraw: "DELETE FROM approval WHERE approval = ? AND answer = 'computer'",
    forgetRun: "DELETE FROM approval WHERE run = ? AND answer IS NOT 'computer'",
    forgetRuns: "DELETE FROM approval WHERE answer IS NOT 'computer'",
    forgetApprovals: 'DELETE FROM approval',
  },
  start: oneByOne(({ event }, write) => {
    const { run, seq, time } = event
    switch (event.type) {
      case 'mood.pin':
        return write('pin', (event.data as DataOf<typeof MoodPin>).mood)
      case 'mood.unpin':
        return write('unpin')
      case 'lease.grant': {
        const { lease, task, kind, scope, untilMs, uses } = event.data as DataOf<typeof LeaseGrant>
        return write('grant', lease, run ?? '', task, kind, JSON.stringify(scope), untilMs, uses, seq)
      }
      case 'lease.revoke':
        return write('revoke', seq, (event.data as DataOf<typeof LeaseRevoke>).lease)
      case 'tool.result': {
        const { lease } = event.data as DataOf<typeof ToolResult>
        return lease === null ? undefined : write('use', lease)
      }
      case 'task.result':
        return write('endTask', run, (event.data as DataOf<typeof TaskResult>).task)
      case 'approval.ask': {
        const { approval, kind, scope, risk } = event.data as DataOf<typeof ApprovalAsk>
        return write('ask', approval, run ?? '', kind, JSON.stringify(scope), risk, seq, time)
      }
      case 'approval.answer': {
        const { approval, answer } = event.data as DataOf<typeof ApprovalAnswer>
        return write('answer', answer, approval)
      }
      case 'approval.revoke':
        return write('withdraw', (event.data as DataOf<typeof ApprovalRevoke>).approval)
      case 'fork':
        // In an import, what somebody else has allowed is not allowed by this person.
        if ((event.data as DataOf<typeof Fork>).how !== 'import') return
        for (const forget of ['unpin', 'forgetApprovals', 'endAll']) write(forget)
        return
    }
    const step = run === null ? null : stepOf(event as unknown as LiveEvent)
    // One that has landed may still go on, if the desktop does not work with it: what it was denied holds until the
    // next one begins.
    if (step?.does === 'start') for (const forget of ['endAll', 'forgetRuns']) write(forget)
    else if (step?.does === 'end' && !step.lands) for (const forget of ['endRun', 'forgetRun']) write(forget, run)
  }),
}
