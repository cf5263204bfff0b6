import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkAnyHistory, checkNeighbours, checkWithout } from './undo-oracle-checks.suite.ts'

const numbers = fc.array(fc.nat(), { minLength: 50, maxLength: 400 })

test('[L5] at length: undo of event k gives the tree of the same operations without k', async () => {
  const count = { runs: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(numbers, fc.nat(), async (choices, pick) => {
      const outcome = await checkWithout(choices, pick)
      count.runs++
      if (outcome === 'refused') count.refused++
    }),
    { numRuns: 30_000 },
  )
  expect(count.refused / count.runs).toBeLessThanOrEqual(0.05)
})

test('[L5] at length: neighbouring edits refuse', async () => {
  const allRefuse = fc.assert(fc.asyncProperty(numbers, checkNeighbours), { numRuns: 20_000 })
  await expect(allRefuse).resolves.toBeUndefined()
})

test('[L5] at length: any history undoes soundly and redoes exactly, or refuses', async () => {
  const count = { undone: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(numbers, fc.nat(), async (choices, pick) => {
      const { undone, refused } = await checkAnyHistory(choices, pick)
      count.undone += undone
      count.refused += refused
    }),
    { numRuns: 50_000 },
  )
  // Both must happen often, or this test says nothing about one of them.
  expect(count.undone).toBeGreaterThan(10_000)
  expect(count.refused).toBeGreaterThan(2_000)
})
