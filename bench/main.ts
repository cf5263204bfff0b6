import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setup } from '../tests/support/shared-toolchain.ts'
import { BENCHES } from './benches.ts'
import { memoryLine, renderReport, rowLine, type Section } from './report.ts'

const REPORT = fileURLToPath(new URL('../docs/bench.md', import.meta.url))
const RUN_ONE = fileURLToPath(new URL('run-one.ts', import.meta.url))

const { values, positionals } = parseArgs({ options: { folder: { type: 'string' } }, allowPositionals: true })
const unknown = positionals.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  process.stderr.write(`there is no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}\n`)
  process.exit(1)
}
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES)
// Nothing in the folder is deleted before the end: ext4 looks at every inode freed in the last minutes before it takes
// a new one, and a bench that cleaned up after each sample would measure that.
const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), 'choir-bench-')) : resolve(values.folder)
mkdirSync(folder, { recursive: true })
const removeToolchain = setup() // All homes that a bench starts share it; it is there before anything is measured.
try {
  const measured = new Map<string, Section>()
  for (const name of names) {
    process.stdout.write(`${name} …\n`)
    const section = await runInItsOwnProcess(name)
    for (const row of section.rows) process.stdout.write(`${rowLine(name, row)}\n`)
    for (const memory of section.memory) process.stdout.write(`${memoryLine(name, memory)}\n`)
    measured.set(name, section)
    // After each: one that fails must not take the others' figures with it.
    writeFileSync(REPORT, renderReport(readIfThere(REPORT), Object.keys(BENCHES), measured))
  }
} finally {
  removeToolchain()
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}

/** Memory and compiled code of one bench must not help or hurt the next. */
function runInItsOwnProcess(name: string): Promise<Section> {
  return new Promise((done, fail) => {
    const child = fork(RUN_ONE, [name, folder])
    let section: Section | null = null
    child.on('message', (message) => (section = message as Section))
    child.on('error', fail)
    child.on('exit', (code) =>
      section === null ? fail(new Error(`the bench ${name} ended with ${code}`)) : done(section),
    )
  })
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
