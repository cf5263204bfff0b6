import { CRASH_POINTS, RUN_CRASH_POINTS, type CrashPoint, type Reached } from '@choiros/supervisor/crash-points.ts'

/** Kills this very process the n-th time a point is reached, as hard as a power cut would. */
export function crashAt(name: string, times: number): Reached {
  if (!([...CRASH_POINTS, ...RUN_CRASH_POINTS] as readonly string[]).includes(name))
    throw new Error(`there is no crash point ${name}`)
  let left = times
  return (point: CrashPoint) => {
    if (point !== name || --left > 0) return
    process.kill(process.pid, 'SIGKILL')
    // The signal is delivered asynchronously; nothing after the point may run.
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  }
}
