import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lookMs, LookRequest, type Seen } from '@choiros/contract/look.ts'
import { createEyes } from './see.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'see-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const SEEN: Seen = { findings: [], outline: 'main', console: [], picture: null, notes: [], stopped: null }
/** A program that looks, in which a test says what becomes of each line that is asked. */
const eyesThat = (does: string) =>
  createEyes(
    [
      process.execPath,
      '-e',
      `const seen = () => console.log(JSON.stringify({ seen: ${JSON.stringify(SEEN)} }))
       require('node:readline').createInterface({ input: process.stdin }).on('line', () => { ${does} })`,
    ],
    folder,
  )
/** So much that the request's own steps may take longer than most looks. */
const LONG = LookRequest.parse({
  steps: [...Array.from({ length: 19 }, () => ({ click: 'Next' })), { wait: 10_000 }],
})

test('an answer is waited for as long as its steps may take', async () => {
  const looked = eyesThat('setTimeout(seen, 500)').look(LONG)
  await vi.advanceTimersByTimeAsync(lookMs(LONG) - 1)
  expect(lookMs(LONG)).toBeGreaterThan(30_000)
  expect(await looked).toEqual(SEEN)
})

test('[L11] one that does not come is given up with words that say so, and the next look is another program’s', async () => {
  const eyes = eyesThat(
    `require('node:fs').existsSync('seen-once') ? seen() : require('node:fs').writeFileSync('seen-once', '')`,
  )
  const ended = eyes.look(LONG).catch((error: Error) => error.message)
  await vi.waitFor(() => expect(existsSync(join(folder, 'seen-once'))).toBe(true), { timeout: 20_000 })
  await vi.advanceTimersByTimeAsync(lookMs(LONG))
  expect(await ended).toContain(`nothing was seen within ${lookMs(LONG) / 1000} s`)
  expect(await eyes.look(LookRequest.parse({}))).toEqual(SEEN)
})

test('a program that ends by itself is told of as such, and started anew', async () => {
  const eyes = eyesThat(
    `const fs = require('node:fs'); if (fs.existsSync('once')) seen(); else { fs.writeFileSync('once', ''); process.exit(3) }`,
  )
  await expect(eyes.look(LookRequest.parse({}))).rejects.toThrow('has ended; try it once more')
  expect(await eyes.look(LookRequest.parse({}))).toEqual(SEEN)
})
