import { expect, test } from 'vitest'
import { LIMITS } from '@choiros/contract/limits.ts'
import { LookRequest, LookStep } from '@choiros/contract/look.ts'
import { createSettler, createWaiter } from './wait.ts'

const button = {
  nodeId: '1',
  role: { value: 'button' },
  name: { value: 'Play again' },
  backendDOMNodeId: 7,
}

/** A page in which something is there from a moment on. */
function pageAfter(ms: number, text: string) {
  const startMs = performance.now()
  const isThere = () => performance.now() - startMs >= ms
  return { nodes: async () => (isThere() ? [button] : []), text: async () => (isThere() ? text : '') }
}

test('a step waits until something of that name, or that text, is there', async () => {
  const wait = createWaiter(pageAfter(250, 'You  won\n3 of 5'))
  const startMs = performance.now()
  await wait({ wait: 4000, for: 'play again', role: 'button' })
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(240)
  expect(performance.now() - startMs).toBeLessThan(3000)
  await wait({ wait: 4000, for: 'you won 3' })
})

test('what does not appear stops the steps with words that name it', async () => {
  const wait = createWaiter(pageAfter(60_000, ''))
  await expect(wait({ wait: 150, for: 'Done' })).rejects.toThrow('"Done" did not appear within 150 ms')
})

test('[L11] one wait is bounded by the contract, and all of one look together by the look', async () => {
  expect(LookStep.safeParse({ wait: LIMITS.lookWaitMsMax + 1 }).success).toBe(false)
  expect(LookRequest.parse({ steps: [{ wait: 500 }, { wait: 500, for: 'x' }] }).steps).toHaveLength(2)
  const wait = createWaiter(pageAfter(60_000, ''), 500)
  const startMs = performance.now()
  await wait({ wait: 400 })
  await expect(wait({ wait: LIMITS.lookWaitMsMax })).rejects.toThrow('together')
  await expect(wait({ wait: LIMITS.lookWaitMsMax, for: 'x' })).rejects.toThrow('did not appear')
  expect(performance.now() - startMs).toBeLessThan(4000)
})

test('[L11] a page that is never still is waited for no longer in all than a look allows, and each time for a moment', async () => {
  const settle = createSettler(async () => 0, 600)
  const tookMs: number[] = []
  for (let step = 0; step < 8; step++) {
    const startMs = performance.now()
    await settle()
    tookMs.push(performance.now() - startMs)
  }
  expect(Math.min(...tookMs)).toBeGreaterThanOrEqual(190)
  expect(tookMs.reduce((sum, ms) => sum + ms)).toBeLessThan(6000)
})

test('a page that is still is not waited for', async () => {
  const startMs = performance.now()
  await createSettler(async () => 5000, 600)()
  expect(performance.now() - startMs).toBeLessThan(100)
})
