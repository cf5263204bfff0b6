import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

test('[L11] long work lets others have their turn, and has an end', async () => {
  let nowMs = 0
  const pace = createPace('this', () => nowMs, 100)
  let turns = 0
  const count = () => {
    turns++
    setImmediate(count).unref()
  }
  setImmediate(count).unref()
  for (let step = 0; step < 5; step++) {
    nowMs += 20
    await pace()
  }
  expect(turns).toBeGreaterThanOrEqual(4)
  nowMs += 20
  await expect(pace()).rejects.toMatchObject({ code: 'quota.exceeded' })
})
