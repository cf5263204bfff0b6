const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * How long ago something was, without a clock of the person's: where they are, it may be another hour and another day.
 */
export function agoWords(ms: number): string {
  if (ms < MINUTE_MS) return 'just now' // A clock that was set back must not give "in 3 minutes".
  if (ms < HOUR_MS) return counted(ms / MINUTE_MS, 'minute')
  if (ms < DAY_MS) return counted(ms / HOUR_MS, 'hour')
  return counted(ms / DAY_MS, 'day')
}

function counted(amount: number, unit: string): string {
  const whole = Math.floor(amount)
  return whole === 1 ? `${unit === 'hour' ? 'an' : 'a'} ${unit} ago` : `${whole} ${unit}s ago`
}
