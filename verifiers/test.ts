import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { runChild, type ChildEnd } from './child.ts'
import { makeForNode } from './for-node.ts'
import { report, touchedPaths, TREE, type Problem } from './report.ts'
import { placeIn, wordsWithStack } from './stack-lines.ts'

/**
 * Runs the tests that it is told of, each file in a process of its own. They are the tree's code: what they say is that
 * code's own word.
 */
const FILE_MS = 15_000
const ALL_MS = 45_000
const MADE = '/tmp/tests'

const Line = z.union([
  z.strictObject({ failed: z.string(), message: z.string(), stack: z.string() }),
  z.strictObject({ done: z.literal(true), passed: z.number(), failed: z.number() }),
])
type Line = z.infer<typeof Line>

report(await testAll(touchedPaths()), 'node')
process.exit()

async function testAll(paths: readonly string[]): Promise<Problem[]> {
  const startMs = performance.now()
  mkdirSync(MADE, { recursive: true })
  const problems: Problem[] = []
  for (const [index, path] of paths.entries()) {
    const leftMs = ALL_MS - (performance.now() - startMs)
    if (leftMs <= 0) return [...problems, { path, line: null, message: 'all tests together took too long' }]
    problems.push(...(await testOne(path, `t${index}`, Math.min(FILE_MS, leftMs))))
  }
  return problems
}

async function testOne(path: string, name: string, wallClockMs: number): Promise<Problem[]> {
  try {
    await makeForNode({ [name]: join(TREE, path) }, join(MADE, name))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [{ path, line: null, message: `it cannot be made ready to run: ${why.slice(0, 800)}` }]
  }
  const end = await runChild({
    program: '/opt/choir/verify/inside/test.mjs',
    args: [join(MADE, name, `${name}.mjs`)],
    readable: [TREE, MADE],
    line: Line,
    wallClockMs,
  })
  return problemsIn(path, end)
}

function problemsIn(path: string, { lines, said, exitCode, isLate }: ChildEnd<Line>): Problem[] {
  const found = lines.flatMap((line): Problem[] => {
    if ('done' in line) return []
    const place = placeIn(line.stack)
    const isFile = line.failed.endsWith('.mjs') // Thrown by the file itself, outside of any test.
    const message = wordsWithStack(isFile ? line.message : `${line.failed}: ${line.message}`, line.stack)
    return [{ path: place?.path ?? path, line: place?.line ?? null, message }]
  })
  if (found.length > 0) return found
  const last = said.trim() === '' ? '' : ` The last that it wrote: ${said.trim().slice(-600)}`
  if (isLate) return [{ path, line: null, message: `it took longer than ${FILE_MS / 1000} s and was ended.${last}` }]
  const done = lines.find((line) => 'done' in line)
  if (done === undefined)
    return [{ path, line: null, message: `it ended before its tests were over (exit code ${exitCode}).${last}` }]
  return exitCode === 0 ? [] : [{ path, line: null, message: `it ended with ${exitCode}.${last}` }]
}
