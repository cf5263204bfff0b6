import { expect, test } from 'vitest'
import type { MoodName } from '@choiros/contract/policy.ts'
import type { RunAtWork, RunTools } from './run.ts'
import { warningsTo } from './warnings.ts'

const MINUTE_MS = 60_000

/** A run of which everything that runs short can be set. */
function running() {
  const now = { ms: 0, mood: 'CALM' as MoodName, share: 1, used: 0 }
  const tools = {
    machine: { now: () => now.ms },
    models: { budget: { left: (_computer: unknown, _run: unknown, share: number) => 1 - now.used / share } },
    clocks: { runMs: 30 * MINUTE_MS },
  } as unknown as RunTools
  const work = {
    untilMs: 30 * MINUTE_MS,
    policy: {
      mood: () => ({ mood: now.mood }),
      order: () => ({ words: `now ${now.mood}` }),
      rules: () => ({ budget: { share: now.share } }),
    },
  } as unknown as RunAtWork
  return { now, to: (knows: MoodName | null) => warningsTo(tools, work, knows) }
}

test('each agent of a run is told once what runs short, whoever was told before', () => {
  const { now, to } = running()
  const [one, other] = [to(null), to(null)]
  expect([one(), other()]).toEqual([[], []])
  now.ms = 25 * MINUTE_MS
  expect([one(), one(), other()]).toEqual([
    ['The whole run has 5 minutes left.'],
    [],
    ['The whole run has 5 minutes left.'],
  ])
})

test('an agent that begins in a mood hears of it, one that was told does not, and both hear of a move', () => {
  const { now, to } = running()
  now.mood = 'CONTRITE'
  const [associate, director] = [to(null), to('CONTRITE')]
  expect([associate(), director()]).toEqual([['now CONTRITE'], []])
  now.mood = 'SKEPTICAL'
  expect([associate(), director(), director()]).toEqual([['now SKEPTICAL'], ['now SKEPTICAL'], []])
})

test('a fifth of what may be spent is a fifth of what the mood allows', () => {
  const { now, to } = running()
  const warnings = to(null)
  now.used = 0.41
  expect(warnings()).toEqual([])
  now.share = 0.5
  expect(warnings()).toEqual([expect.stringContaining('Less than a fifth')])
})
