import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RELEASE } from '@choiros/supervisor/release.ts'
import { choirHere } from '../support/choir.ts'
import { setup } from '../support/shared-toolchain.ts'
import { live } from './live.ts'

/**
 * Makes this release's golden log: a real start, lived in by the command line, a browser and a model on this machine,
 * exported, with the hashes it gave. Run once per release and commit; never run it to make a red test green once the
 * release is tagged, for then the tables of every computer out there would change without notice.
 */
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const file = here(`release-${RELEASE}-lived.choir`)
if (existsSync(file) && process.argv[2] !== '--again')
  throw new Error(`${file} is there already; --again makes another in its place`)
const removeToolchain = setup()
const home = mkdtempSync(join(tmpdir(), 'choir-golden-'))
try {
  await live(home)
  const golden = ['--computer', 'golden']
  // A copy of the whole: its log goes on with the event that says so.
  for (const args of [
    ['fork', 'golden'],
    [...golden, 'verify'],
  ])
    await done(args)
  rmSync(file, { force: true })
  await done([...golden, 'export', file])
  const { seq, tree, tables } = (await done([...golden, 'replay', '--json'])).json() as {
    seq: number
    tree: string
    tables: object
  }
  writeFileSync(file.replace('.choir', '.json'), `${JSON.stringify({ seq, tree, tables }, null, 2)}\n`)
} finally {
  rmSync(home, { recursive: true, force: true })
  removeToolchain()
}

async function done(args: readonly string[]): ReturnType<typeof choirHere> {
  const outcome = await choirHere(home, args)
  if (outcome.code !== 0) throw new Error(`choir ${args.join(' ')}: ${outcome.text}${outcome.error}`)
  return outcome
}
