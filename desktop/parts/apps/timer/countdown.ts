/**
 * What is stored. A running timer is stored by its end, so that a page that was closed or asleep shows the right time.
 */
export interface Timer {
  readonly lengthMs: number
  /** Null: it is paused, with `leftMs` left. */
  readonly endsMs: number | null
  readonly leftMs: number
}

const MINUTE_MS = 60_000
export const FIRST: Timer = { lengthMs: 5 * MINUTE_MS, endsMs: null, leftMs: 5 * MINUTE_MS }

/** Anyone may write the file: if it holds no timer, there is a new one. */
export function toTimer(value: Partial<Timer> | null): Timer {
  const { lengthMs, leftMs, endsMs = null } = value ?? {}
  return Number.isFinite(lengthMs) && Number.isFinite(leftMs) && (endsMs === null || Number.isFinite(endsMs))
    ? (value as Timer)
    : FIRST
}

export function setLength(minutes: number): Timer {
  return { lengthMs: minutes * MINUTE_MS, endsMs: null, leftMs: minutes * MINUTE_MS }
}

export function leftAt({ endsMs, leftMs }: Timer, now: number): number {
  return Math.max(0, endsMs === null ? leftMs : endsMs - now)
}

export function start(timer: Timer, now: number): Timer {
  const left = leftAt(timer, now)
  return { ...timer, endsMs: now + (left === 0 ? timer.lengthMs : left) }
}

export function pause(timer: Timer, now: number): Timer {
  return { ...timer, endsMs: null, leftMs: leftAt(timer, now) }
}

/** Rounded up: the last second is shown as one, and zero is the end. */
export function clockText(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part) => String(part).padStart(2, '0')).join(':')
}
