import { spawnSync } from 'node:child_process'
import { report, TREE, type Problem } from './report.ts'

/** The compiler's word on the whole desktop, with our configuration: one in the tree is never read. */
const { stdout, stderr, status } = spawnSync(
  process.execPath,
  ['/node_modules/typescript/bin/tsc', '--project', '/opt/choir/toolchain/tsconfig.json', '--pretty', 'false'],
  { cwd: TREE, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 },
)

const problems: Problem[] = []
for (const line of stdout.split('\n')) {
  const found = /^(.+?)\((\d+),\d+\): error TS\d+: (.*)$/.exec(line)
  if (found !== null) problems.push({ path: (found[1] ?? '').replace(/^.*\/tree\//, ''), line: Number(found[2]), message: found[3] ?? '' })
}
if (status !== 0 && problems.length === 0)
  problems.push({ path: 'app', line: null, message: (stdout + stderr).trim().slice(0, 500) || 'the compiler did not run' })
report(problems)
