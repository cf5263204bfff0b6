import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { testEventLog, TEST_COMPUTER } from './conformance.ts'
import { openMemoryEventLog } from './memory.ts'
import { openSqliteEventLog } from './sqlite.ts'

testEventLog('memory', () => ({ open: async () => openMemoryEventLog() }), { durable: false })

testEventLog(
  'sqlite',
  () => {
    const file = join(temporaryFolder(onTestFinished), 'log.sqlite')
    return { open: async () => openSqliteEventLog({ file, computer: TEST_COMPUTER }) }
  },
  { durable: true },
)
