import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { testObjects } from './conformance.ts'
import { openLocalObjects } from './local.ts'
import { openMemoryObjects } from './memory.ts'

testObjects('memory', async () => openMemoryObjects())
testObjects('local', () => openLocalObjects({ folder: join(temporaryFolder(onTestFinished), 'objects') }))
