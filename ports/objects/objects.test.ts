import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../temporary-folder.fake.ts'
import { testObjects } from './objects.suite.ts'
import { openLocalObjects } from './local.ts'
import { openMemoryObjects } from './memory.fake.ts'

testObjects('memory', async () => openMemoryObjects())
testObjects('local', () => openLocalObjects({ folder: join(temporaryFolder(onTestFinished), 'objects') }))
