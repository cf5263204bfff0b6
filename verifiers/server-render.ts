import { join } from 'node:path'
import { mkdirSync } from 'node:fs'
import { z } from 'zod'
import { runChild } from './child.ts'
import { makeForNode } from './for-node.ts'
import { TREE, type Problem } from './report.ts'
import { placeIn, wordsWithStack } from './stack-lines.ts'
import type { Touched } from './touched-apps.ts'

const MADE = '/tmp/render'
const WALL_CLOCK_MS = 30_000
const DESKTOP = 'app/main.tsx'

const Line = z.union([
  z.strictObject({ problem: z.string(), stack: z.string() }),
  z.strictObject({ done: z.literal(true) }),
])

/** Where there is no browser: what was touched, and the desktop, rendered to text in a process of its own. */
export async function renderOnServer({ apps, widgets }: Touched): Promise<Problem[]> {
  const things = [
    ...apps.map((id) => ({ kind: 'app', id, path: `app/apps/${id}/app.tsx`, file: `app-${id}` })),
    ...widgets.map((id) => ({ kind: 'widget', id, path: `app/widgets/${id}/widget.tsx`, file: `widget-${id}` })),
  ]
  mkdirSync(MADE, { recursive: true })
  const entries = {
    main: join(TREE, DESKTOP),
    ...Object.fromEntries(things.map(({ file, path }) => [file, join(TREE, path)])),
  }
  try {
    await makeForNode(entries, MADE)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [{ path: DESKTOP, line: null, message: `it cannot be made ready to run: ${why.slice(0, 800)}` }]
  }
  const given = things.map(({ kind, id, file }) => ({ kind, id, file: `${file}.mjs` }))
  const { lines, exitCode, isLate, said } = await runChild({
    program: '/opt/choir/verify/inside/render.mjs',
    args: [TREE, MADE, JSON.stringify(given)],
    readable: [TREE, MADE],
    line: Line,
    wallClockMs: WALL_CLOCK_MS,
  })
  const found = lines.flatMap((line): Problem[] => {
    if ('done' in line) return []
    const place = placeIn(line.stack)
    const own = things.find(({ kind, id }) => line.problem.startsWith(`the ${kind} ${id}:`))
    const path = place?.path ?? own?.path ?? DESKTOP
    return [{ path, line: place?.line ?? null, message: wordsWithStack(line.problem, line.stack) }]
  })
  if (found.length > 0) return found
  if (isLate) return [{ path: DESKTOP, line: null, message: 'it took too long to render: something runs without end' }]
  const isDone = lines.some((line) => 'done' in line) && exitCode === 0
  return isDone
    ? []
    : [{ path: DESKTOP, line: null, message: `rendering ended before it was over: ${said.trim().slice(-600)}` }]
}
