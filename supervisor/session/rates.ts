import type { Caller, CommandName } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { LIMITS } from '@choiros/contract/limits.ts'

/** Events a second that a caller may add for long, and how many at once. The desktop's code is untrusted; a loop in it must not fill the log (L11). */
const RATES: Readonly<Record<Caller, { perSecond: number; burst: number }>> = {
  frame: { perSecond: 100, burst: 1000 },
  desktop: { perSecond: 30, burst: 300 },
  gateway: { perSecond: 100, burst: 1000 },
  cli: { perSecond: 2000, burst: 20_000 },
}
/** A prompt costs far more than its event: agents, verifiers, later money. As many as may wait in line at once, so that nobody who types fast is refused; a loop is held to little. */
const PROMPTS_OF_A_DESKTOP = { perSecond: 0.2, burst: LIMITS.runsQueuedMax }

/** Looking costs no event, but time: what makes a plan or reads the whole of something is rationed for the untrusted, the rest only against loops. */
const LOOKS_OF_A_DESKTOP = { perSecond: 200, burst: 2000 }
const HEAVY_LOOKS_OF_A_DESKTOP = { perSecond: 4, burst: 40 }
const HEAVY: ReadonlySet<CommandName> = new Set<CommandName>(['undo.preview', 'redo.preview', 'run.diff', 'tree', 'undo.list'])

export interface Rates {
  /** For a command that adds nothing. */
  look(caller: Caller, command: CommandName): void
  /** Takes one event from the caller's allowance, or refuses with `rate.limited`. */
  spend(caller: Caller, command: CommandName): void
}

export function createRates(now: () => number): Rates {
  const buckets = new Map<string, { left: number; atMs: number }>()
  const take = (name: string, { perSecond, burst }: { perSecond: number; burst: number }, what: string) => {
    const atMs = now()
    const bucket = buckets.get(name) ?? { left: burst, atMs }
    const left = Math.min(burst, bucket.left + Math.max(0, atMs - bucket.atMs) * (perSecond / 1000))
    const retryAfterMs = Math.ceil(((1 - left) * 1000) / perSecond)
    buckets.set(name, { left: left < 1 ? left : left - 1, atMs })
    if (left < 1) throw new ChoirError('rate.limited', `${what}; try again in ${Math.ceil(retryAfterMs / 1000)} s`, { details: { retryAfterMs } })
  }
  return {
    look(caller, command) {
      if (caller !== 'desktop') return
      if (HEAVY.has(command)) take('heavy looks', HEAVY_LOOKS_OF_A_DESKTOP, 'the desktop asks for too much at once')
      take('looks', LOOKS_OF_A_DESKTOP, 'the desktop asks too often')
    },
    spend(caller, command) {
      if (caller === 'desktop' && (command === 'prompt' || command === 'steer'))
        take('prompts', PROMPTS_OF_A_DESKTOP, 'too many wishes in a short time')
      take(caller, RATES[caller], `too many changes at once${caller === 'desktop' ? ' from the desktop' : ''}`)
    },
  }
}
