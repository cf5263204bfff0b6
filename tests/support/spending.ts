import type { Event } from '@choiros/contract/event.ts'
import { expect } from 'vitest'

/**
 * The cost of a run's model calls. Also checks that no reservation went past the cap, that none cost more than was
 * reserved, and that none stayed open.
 */
export function expectWithin(cap: number, events: readonly Event[]): number {
  const open = new Map<unknown, number>()
  let spent = 0
  for (const { type, data } of events) {
    if (type === 'budget.reserve') open.set(data.call, Number(data.tokens))
    if (type === 'budget.settle') {
      expect(Number(data.tokens)).toBeLessThanOrEqual(open.get(data.call) ?? -1)
      open.delete(data.call)
      spent += Number(data.tokens)
    }
    expect([...open.values()].reduce((sum, tokens) => sum + tokens, spent)).toBeLessThanOrEqual(cap)
  }
  expect(open.size).toBe(0)
  return spent
}
