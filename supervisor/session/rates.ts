import type { Caller, Command, RateClass } from '@choiros/contract/commands/command.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { LIMITS } from '@choiros/contract/limits.ts'

/** How much per second over a long time, and how much at once. */
interface Allowance {
  readonly perSecond: number
  readonly burst: number
}

/** How many events a caller may add. The desktop's code is untrusted; a loop in it must not fill the log (L11). */
const CHANGES: Readonly<Record<Caller, Allowance>> = {
  frame: { perSecond: 100, burst: 1000 },
  desktop: { perSecond: 30, burst: 300 },
  gateway: { perSecond: 100, burst: 1000 },
  cli: { perSecond: 2000, burst: 20_000 },
}
/**
 * Limits for a desktop only, besides its changes. A wish costs far more than its event: agents, verifiers, money. As
 * many wishes at once are allowed as may wait in the queue, so that nobody who types fast is refused, and a loop gets
 * only a few. A look costs no event, but time: a heavy look counts as many light ones.
 */
const OF_A_DESKTOP: Readonly<Record<Exclude<RateClass, 'change'>, Allowance>> = {
  look: { perSecond: 200, burst: 2000 },
  wish: { perSecond: 0.2, burst: LIMITS.runsQueuedMax },
}

export interface Rates {
  /** Takes what a command costs from its caller's allowance, or refuses with `rate.limited`. */
  spend(caller: Caller, command: Pick<Command, 'rate' | 'cost'>): void
}

export function createRates(now: () => number): Rates {
  const buckets = new Map<string, { left: number; atMs: number }>()
  const take = (name: string, cost: number, { perSecond, burst }: Allowance, what: string) => {
    const atMs = now()
    const bucket = buckets.get(name) ?? { left: burst, atMs }
    const left = Math.min(burst, bucket.left + Math.max(0, atMs - bucket.atMs) * (perSecond / 1000))
    const retryAfterMs = Math.ceil(((cost - left) * 1000) / perSecond)
    buckets.set(name, { left: left < cost ? left : left - cost, atMs })
    if (left < cost)
      throw new ChoirError('rate.limited', `${what}; try again in ${Math.ceil(retryAfterMs / 1000)} s`, {
        details: { retryAfterMs },
      })
  }
  return {
    spend(caller, { rate, cost }) {
      const isDesktop = caller === 'desktop'
      if (rate === 'look') {
        if (isDesktop)
          take(
            'looks',
            cost,
            OF_A_DESKTOP.look,
            cost > 1 ? 'the desktop asks for too much at once' : 'the desktop asks too often',
          )
        return
      }
      if (rate === 'wish' && isDesktop) take('wishes', cost, OF_A_DESKTOP.wish, 'too many wishes in a short time')
      take(caller, cost, CHANGES[caller], `too many changes at once${isDesktop ? ' from the desktop' : ''}`)
    },
  }
}
