import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingDesktop, report, TREE, type Problem } from './report.ts'

const CONFIGURATION = '/opt/choir/toolchain/tsconfig.json'

/**
 * The compiler looks into none of these (`skipLibCheck`): one that declares what is not there would silence it
 * everywhere.
 */
const UNCHECKED = ['ts', 'mts', 'cts'].map((ending) => join(TREE, `**/*.d.${ending}`))

const missing = missingDesktop()
report(missing.length > 0 ? missing : compile())

/** The compiler's word on the whole desktop, with our configuration: one in the tree is never read. */
function compile(): Problem[] {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['/node_modules/typescript/bin/tsc', '--project', configuration(), '--pretty', 'false'],
    { cwd: TREE, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 },
  )
  const problems: Problem[] = []
  for (const line of stdout.split('\n')) {
    const found = /^(.+?)\((\d+),\d+\): error TS\d+: (.*)$/.exec(line)
    if (found !== null)
      problems.push({
        path: (found[1] ?? '').replace(/^.*\/tree\//, ''),
        line: Number(found[2]),
        message: found[3] ?? '',
      })
  }
  if (status !== 0 && problems.length === 0)
    problems.push({
      path: 'app',
      line: null,
      message: (stdout + stderr).trim().slice(0, 500) || 'the compiler did not run',
    })
  return problems
}

/** A verifier's tree is always at the same place; an Associate that looks at its own stage has it elsewhere. */
function configuration(): string {
  if (TREE === '/tree') return CONFIGURATION
  const file = join(mkdtempSync(join(tmpdir(), 'types-')), 'tsconfig.json')
  writeFileSync(
    file,
    JSON.stringify({
      extends: CONFIGURATION,
      files: ['/node_modules/vite/client.d.ts', '/opt/choir/toolchain/testing.d.ts'],
      include: [join(TREE, 'app')],
      exclude: UNCHECKED,
    }),
  )
  return file
}
