import { useEffect, useState } from 'react'

/** The time, updated at every full step: a clock with steps of a minute changes with the minute. */
export function useNow(stepMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), stepMs - (Date.now() % stepMs) + 5)
    return () => clearTimeout(timer)
  }, [now, stepMs])
  return now
}
