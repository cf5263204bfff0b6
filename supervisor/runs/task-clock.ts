/** What is left when the Associate is warned. */
const WARN_AT = 0.2

/** The time that a task's tools may take. */
export interface TaskClock {
  /** Resolves with null when the time is up. */
  readonly timeUp: Promise<null>
  /** While this works, the clock stands: a model's thinking and a judgement are not the Associate's own time. */
  standing<Result>(work: () => Promise<Result>): Promise<Result>
  /** Each only once. */
  warnings(): string[]
  close(): void
}

export function createTaskClock(limitMs: number): TaskClock {
  let leftMs = limitMs
  let startMs = performance.now()
  let standing = 0
  let timer: NodeJS.Timeout | undefined
  let isWarned = false
  let tell: (up: null) => void = () => {}
  const timeUp = new Promise<null>((resolve) => (tell = resolve))
  const go = () => {
    startMs = performance.now()
    timer = setTimeout(() => tell(null), Math.max(1, leftMs))
  }
  const stand = () => {
    clearTimeout(timer)
    leftMs -= performance.now() - startMs
  }
  go()
  return {
    timeUp,
    async standing(work) {
      if (standing++ === 0) stand()
      try {
        return await work()
      } finally {
        if (--standing === 0) go()
      }
    },
    warnings() {
      const now = standing > 0 ? leftMs : leftMs - (performance.now() - startMs)
      if (isWarned || now > limitMs * WARN_AT) return []
      isWarned = true
      return [
        `Of the time that your tools may take, ${Math.max(1, Math.round(now / 1000))} s are left. Come to an end.`,
      ]
    },
    close() {
      standing++ // Whatever still ends starts it no more.
      clearTimeout(timer)
    },
  }
}
