import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTaskClock } from './task-clock.ts'

const SECOND = 1000

describe('the clock of a task', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => vi.useRealTimers())

  const start = (limitS: number) => {
    const clock = createTaskClock(limitS * SECOND)
    let isUp = false
    void clock.timeUp.then(() => (isUp = true))
    const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * SECOND)
    const think = (seconds: number) =>
      Promise.all([clock.standing(() => new Promise((done) => setTimeout(done, seconds * SECOND))), pass(seconds)])
    return { ...clock, pass, think, isUp: () => isUp }
  }

  test('250 s of thinking before each answer cost nothing of 300 s; tools do', async () => {
    const clock = start(300)
    for (let step = 0; step < 20; step++) {
      await clock.think(250)
      await clock.pass(10)
      expect([step, clock.isUp()]).toEqual([step, false])
    }
    await clock.pass(99)
    expect(clock.isUp()).toBe(false)
    await clock.pass(2)
    expect(clock.isUp()).toBe(true)
  })

  test('it warns once, when a fifth is left, also while it stands', async () => {
    const clock = start(300)
    await clock.pass(239)
    expect(clock.warnings()).toEqual([])
    await clock.pass(2)
    expect(await clock.standing(async () => clock.warnings())).toEqual([
      'Of the time that your tools may take, 59 s are left. Come to an end.',
    ])
    expect(clock.warnings()).toEqual([])
  })

  test('it stands until the last of several that think at once has ended', async () => {
    const clock = start(10)
    const both = [8, 20].map((seconds) =>
      clock.standing(() => new Promise((done) => setTimeout(done, seconds * SECOND))),
    )
    await clock.pass(20)
    await Promise.all(both)
    expect(clock.isUp()).toBe(false)
    await clock.pass(11)
    expect(clock.isUp()).toBe(true)
  })

  test('once closed it tells nobody any more, whatever still ends', async () => {
    const clock = start(10)
    const late = clock.standing(() => new Promise((done) => setTimeout(done, 5 * SECOND)))
    clock.close()
    await clock.pass(60)
    await late
    await clock.pass(60)
    expect(clock.isUp()).toBe(false)
  })
})
