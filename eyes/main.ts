import { createInterface } from 'node:readline'
import { LookRequest, type LookAnswer } from '@choiros/contract/look.ts'
import { chosenBrowser } from './browser.ts'
import { openEyes, type Eyes } from './look.ts'

/**
 * Looks at the desktop of a folder, a line of JSON each: what to look at comes in, what was seen goes out. Given as a
 * third argument, all that is to be looked at is known from the start; else it is asked as often as is needed, by
 * whoever works on that folder in the same sandbox, and this ends with its input.
 */
const [folder = '/stage', scratch = '/tmp/eyes', all] = process.argv.slice(2)

let eyes: Promise<Eyes> | null = null

async function lookAt(request: unknown): Promise<LookAnswer> {
  const program = chosenBrowser()
  if (program === null)
    return {
      error: 'there is no browser on this machine, so nothing can be seen. Use check, which renders without one.',
    }
  eyes ??= openEyes({ program, folder, scratch })
  return { seen: await (await eyes).look(LookRequest.parse(request)) }
}

async function answer(line: () => unknown): Promise<void> {
  const told = await Promise.try(() => lookAt(line())).catch((error: unknown): LookAnswer => {
    eyes?.then((one) => one.close()).catch(() => {})
    eyes = null // What failed once is opened anew.
    return { error: (error instanceof Error ? error.message : String(error)).slice(0, 2000) }
  })
  process.stdout.write(`${JSON.stringify(told)}\n`)
}

if (all === undefined)
  for await (const line of createInterface({ input: process.stdin })) await answer(() => JSON.parse(line) as unknown)
else for (const request of JSON.parse(all) as unknown[]) await answer(() => request)
process.exit(0)
