import { createInterface } from 'node:readline'
import { z } from 'zod'
import { chosenBrowser } from './browser.ts'
import { openEyes, type Eyes } from './look.ts'

/**
 * Looks at the desktop of a folder as often as it is asked, a line of JSON each: what to look at comes in, what was
 * seen goes out. It is started by whoever works on that folder, in the same sandbox, and ends with its input.
 */
const [folder = '/stage', scratch = '/tmp/eyes'] = process.argv.slice(2)

const Action = z.union([
  z.strictObject({ click: z.string(), role: z.string().optional() }),
  z.strictObject({ type: z.string() }),
  z.strictObject({ press: z.string() }),
])
const Look = z.strictObject({
  app: z.string().nullable(),
  width: z.number().int(),
  height: z.number().int(),
  theme: z.enum(['dark', 'light']),
  actions: z.array(Action),
  picture: z.boolean(),
})

let eyes: Promise<Eyes> | null = null

async function lookAt(line: string): Promise<object> {
  const program = chosenBrowser()
  if (program === null) return { error: 'there is no browser on this machine' }
  eyes ??= openEyes({ program, folder, scratch })
  return { seen: await (await eyes).look(Look.parse(JSON.parse(line))) }
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await lookAt(line).catch((error: unknown) => {
    eyes = null // What failed once is opened anew.
    return { error: error instanceof Error ? error.message : String(error) }
  })
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
process.exit(0)
