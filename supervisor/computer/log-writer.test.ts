import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { BaseInstall, FileChange } from '@choiros/contract/events/files.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import { hasCode } from '@choiros/contract/error.ts'
import { ComputerId, eventIdFrom, UserId } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'
import { createRemoteLogs } from '@choiros/ports/event-log/remote.fake.ts'
import { temporaryFolder } from '@choiros/ports/temporary-folder.fake.ts'
import { catchUp } from '../history/rebuild.ts'
import { openState, type State } from '../state/state.ts'
import { createLogWriter, type LogWriter } from './log-writer.ts'
import { createObjectStore } from './object-store.ts'
import { createQuota } from './quota.ts'

const user = UserId.parse('ada')
const computer = ComputerId.parse('one')

/** A writer on a log far away; `applied` counts how often an event reached the tables. */
async function openRemote(change: (log: EventLog) => EventLog = (log) => log) {
  const log = change(await createRemoteLogs(() => 5)({ name: 'one', computer, epoch: 1 }))
  const own = openState(join(temporaryFolder(onTestFinished), 'state.sqlite'))
  let applied = 0
  const state: State = {
    ...own,
    apply(fact) {
      applied++
      own.apply(fact)
    },
  }
  const objects = createObjectStore(log.objects, () => 1e12)
  const writer = createLogWriter({
    computer,
    log,
    state,
    objects,
    head: own.cursor(),
    now: Date.now,
    newEventId: (timeMs) => eventIdFrom(timeMs, randomBytes(10)),
    room: () => ({ bytes: 1e12, files: 1e9 }),
    quota: createQuota(Date.now),
    reached: () => {},
    appended: () => {},
    catchUp: () => catchUp(own, { log, object: objects.get, reached: () => {} }),
  })
  const said = { user, source: 'user', via: 'desktop', run: null, cause: null } as const
  await writer.submit(() => ({
    draft: {
      type: BaseInstall.type,
      version: 1,
      data: { name: 'one', release: '0', tree: sha256(''), dependencies: null },
      ...said,
    },
    changes: [],
  }))
  const write = (name: string, text: string) => {
    const bytes = Buffer.from(text)
    return writer.submit(({ state: view }) => ({
      draft: { type: FileChange.type, version: FileChange.version, data: {}, ...said },
      changes: [
        {
          path: name as TreePath,
          from: view.tree.entry(name),
          to: { kind: 'file', mode: '644', object: sha256(bytes), size: bytes.length },
          movedFrom: null,
        },
      ],
      objects: [{ hash: sha256(bytes), bytes }],
    }))
  }
  return { writer, state: own, write, applied: () => applied }
}

/** Looks at the tables again and again until the work is done. */
async function lookWhile(work: Promise<unknown>, look: () => void): Promise<void> {
  let isDone = false
  const done = work.then(
    () => (isDone = true),
    () => (isDone = true),
  )
  while (!isDone) {
    look()
    await nextTurn()
  }
  await done
}

const headOf = (writer: LogWriter) => writer.head().seq

test('a log far away applies no batch twice, and who reads meanwhile sees what was acknowledged and nothing else', async () => {
  const { writer, state, write, applied } = await openRemote()
  const seen = new Set<string>()
  let acknowledged = 0
  for (let round = 0; round < 4; round++) {
    const writes = Array.from({ length: 10 }, (_, index) => write(`${round}-${index}.txt`, `text ${index}`))
    await lookWhile(Promise.all(writes), () => {
      const { files } = state.queries.totals()
      seen.add(`${state.cursor().seq - headOf(writer)} ${files - acknowledged}`)
      expect(state.queries.tree.entry(`${round}-3.txt`)).toBeNull()
    })
    acknowledged += 10
    expect(state.queries.totals().files).toBe(acknowledged)
  }
  expect([...seen]).toEqual(['0 0'])
  expect(applied()).toBe(41)
})

test('a batch that a log far away refuses leaves the tables as they were, and the next one stands', async () => {
  let refuse = false
  const { writer, state, write } = await openRemote((log) => ({
    ...log,
    append: (batch, objects, after) =>
      refuse ? Promise.reject(new Error('the line went dead')) : log.append(batch, objects, after),
  }))
  await write('a.txt', 'a')
  refuse = true
  await expect(write('b.txt', 'b')).rejects.toThrow('the line went dead')
  refuse = false
  expect(state.queries.tree.entry('b.txt')).toBeNull()
  expect((await write('c.txt', 'c'))?.seq).toBe(3)
  expect([state.cursor().seq, headOf(writer)]).toEqual([3, 3])
})

test('an answer that was lost is looked for in the log before anything else is written', async () => {
  let lose = false
  const { state, write } = await openRemote((log) => ({
    ...log,
    async append(batch, objects, after) {
      await log.append(batch, objects, after)
      if (lose) throw new Error('the answer was lost')
    },
  }))
  lose = true
  await expect(write('a.txt', 'a')).rejects.toThrow('the answer was lost')
  lose = false
  expect((await write('b.txt', 'b'))?.seq).toBe(3)
  expect(['a.txt', 'b.txt'].map((name) => state.queries.tree.entry(name) !== null)).toEqual([true, true])
})

test('a writer whose computer was taken over is told so, and nothing of it is in the tables', async () => {
  const open = createRemoteLogs(() => 1)
  const { state, write } = await openRemote((log) => ({
    ...log,
    async append(batch, objects, after) {
      if (after < 2) return log.append(batch, objects, after)
      const other = await open({ name: 'other', computer, epoch: null })
      return other.append(batch, objects, after)
    },
  }))
  await write('a.txt', 'a')
  await expect(write('b.txt', 'b')).rejects.toSatisfy((error) => hasCode(error, 'log.fenced'))
  expect(state.queries.tree.entry('b.txt')).toBeNull()
})
