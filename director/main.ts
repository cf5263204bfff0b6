import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { labelFrom } from '@choiros/contract/ids.ts'
import { RECIPES } from '@choiros/core/recipes/recipes.ts'
import { languageOf } from '@choiros/core/recipes/understand.ts'
import { openSyscalls } from '@choiros/guest/syscall-client.ts'
import { doWork } from './work.ts'

/**
 * The Director, alone in its sandbox: no files, no network, no keys. It waits for work, does one order at a time, and
 * ends each with its last word.
 */
const FAILURES_MAX = 50
const PAUSE_MS = 200

const calls = openSyscalls()

// Makes the lexicons while nobody waits: the first sentence would wait a tenth of a second for them.
languageOf('hello', RECIPES)

/** Failures in a row. A socket that stays dead means that nobody needs this process any more. */
let failures = 0
while (failures < FAILURES_MAX) {
  try {
    const order = await calls.call('work.next', {})
    if (order !== null) await doWork(order, calls, { today: order.today, newId: () => labelFrom(randomBytes(16)) })
    failures = 0
  } catch (error) {
    failures++
    process.stderr.write(`director: ${error instanceof Error ? error.message : String(error)}\n`)
    await delay(PAUSE_MS)
  }
}
process.exitCode = 1
