import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOracle, planHistory, chooser, type Deed } from './undo-oracle.ts'
import { checkAnyHistory, checkNeighbours, checkWithout } from './undo-oracle-checks.suite.ts'

const numbers = fc.array(fc.nat(), { minLength: 20, maxLength: 120 })

test('[L5] undo of event k gives the tree of the same operations without k, byte for byte, and redo brings k back', async () => {
  const count = { runs: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(numbers, fc.nat(), async (choices, pick) => {
      const outcome = await checkWithout(choices, pick)
      count.runs++
      if (outcome === 'refused') count.refused++
    }),
    { numRuns: 1500 },
  )
  expect(count.runs).toBeGreaterThanOrEqual(1000)
  expect(count.refused / count.runs).toBeLessThanOrEqual(0.05)
})

test('[L5] edits of the same or neighbouring lines make the undo refuse and write nothing', async () => {
  const allRefuse = fc.assert(fc.asyncProperty(numbers, checkNeighbours), { numRuns: 500 })
  await expect(allRefuse).resolves.toBeUndefined()
})

test('[L5] whatever the history, an undo gives a sound tree that redo takes back exactly, or refuses and writes nothing', async () => {
  const count = { undone: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(numbers, fc.nat(), async (choices, pick) => {
      const { undone, refused } = await checkAnyHistory(choices, pick)
      count.undone += undone
      count.refused += refused
    }),
    { numRuns: 1000 },
  )
  // Both must happen often, or this test says nothing about one of them.
  expect(count.undone).toBeGreaterThan(300)
  expect(count.refused).toBeGreaterThan(50)
})

test('the oracle’s histories hold every kind of deed, and most of their events change something', () => {
  const seen = new Set<Deed['do']>()
  let events = 0
  let changing = 0
  for (let seed = 1; seed <= 50; seed++) {
    const oracle = createOracle()
    const choices = Array.from({ length: 200 }, (_, index) => (seed * 7919 + index * index * 104_729) % 1_000_003)
    for (const deeds of planHistory(chooser(choices), 12)) {
      for (const deed of deeds) seen.add(deed.do)
      events++
      if (deeds.flatMap((deed) => oracle.steps(deed)).length > 0) changing++
    }
  }
  expect([...seen].sort()).toEqual(['bytes', 'create', 'delete', 'exec', 'folder', 'key', 'line', 'link', 'rename'])
  expect(changing / events).toBeGreaterThan(0.95)
})
