import type { Caller } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'

/** Events a second that a caller may add for long, and how many at once. The desktop's code is untrusted; a loop in it must not fill the log (L11). */
const RATES: Readonly<Record<Caller, { perSecond: number; burst: number }>> = {
  frame: { perSecond: 100, burst: 1000 },
  desktop: { perSecond: 30, burst: 300 },
  gateway: { perSecond: 100, burst: 1000 },
  cli: { perSecond: 2000, burst: 20_000 },
}

export interface Rates {
  /** Takes one event from the caller's allowance, or refuses with `rate.limited`. */
  spend(caller: Caller): void
}

export function createRates(now: () => number): Rates {
  const buckets = new Map<Caller, { left: number; atMs: number }>()
  return {
    spend(caller) {
      const { perSecond, burst } = RATES[caller]
      const atMs = now()
      const bucket = buckets.get(caller) ?? { left: burst, atMs }
      const left = Math.min(burst, bucket.left + Math.max(0, atMs - bucket.atMs) * (perSecond / 1000))
      if (left < 1) {
        const retryAfterMs = Math.ceil(((1 - left) * 1000) / perSecond)
        buckets.set(caller, { left, atMs })
        throw new ChoirError('rate.limited', `too many changes at once from the ${caller}; try again in ${retryAfterMs} ms`, {
          details: { retryAfterMs },
        })
      }
      buckets.set(caller, { left: left - 1, atMs })
    },
  }
}
