import { RUN_CRASH_POINTS } from '@choiros/supervisor/crash-points.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { plantAgents } from '../support/plant.ts'
import { checkAfterCrash, liveRuns } from './run-life.ts'

/** Which visits to a point are cut short. Later ones than the scenario makes end the list for that point. */
const VISITS = [1, 2, 3, 4, 6]

describe('the crash table of runs', () => {
  const shared = temporaryFolder()
  beforeAll(() => plantAgents(shared))
  afterAll(removeFolders)

  test('the scenario itself lives to its end, and proves itself', async () => {
    const home = temporaryFolder()
    const { signal, told, error } = await liveRuns(home, shared, 'none', 1)
    expect([signal, error]).toEqual([null, ''])
    expect(told.map(({ status }) => status)).toEqual([
      'landed',
      'landed',
      'reverted',
      'discarded',
      'landed',
      'reverted',
    ])
    await checkAfterCrash(home, shared, told)
  })

  for (const point of RUN_CRASH_POINTS) {
    test(`[L4] killed at ${point}: every run has ended, what had not landed is as if it had not been`, async () => {
      let reached = 0
      for (const visit of VISITS) {
        const home = temporaryFolder()
        const { signal, told } = await liveRuns(home, shared, point, visit)
        if (signal === null) break
        expect(signal).toBe('SIGKILL')
        reached++
        await checkAfterCrash(home, shared, told)
      }
      expect(reached).toBeGreaterThan(0)
    })
  }
})
