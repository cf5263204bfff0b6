import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../temporary-folder.fake.ts'
import type { EventLog, OpenLog } from './event-log.ts'
import { testEventLog, TEST_COMPUTER } from './event-log.suite.ts'
import { createMemoryLogs } from './memory.fake.ts'
import { createRemoteLogs } from './remote.fake.ts'
import { openSqliteEventLog } from './sqlite.ts'

const named = (open: (options: Parameters<OpenLog>[0]) => Promise<EventLog>) => ({
  open: (epoch: number | null = 1) => open({ name: 'a log', computer: TEST_COMPUTER, epoch }),
})

testEventLog('memory', () => named(createMemoryLogs()))
testEventLog('remote', () => named(createRemoteLogs()))

testEventLog('sqlite', () => {
  const folder = temporaryFolder(onTestFinished)
  return {
    open: (epoch = 1) =>
      openSqliteEventLog({
        file: join(folder, 'log.sqlite'),
        folder: join(folder, 'objects'),
        computer: TEST_COMPUTER,
        epoch,
      }),
  }
})
