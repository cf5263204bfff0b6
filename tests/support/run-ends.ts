import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Event } from '@choiros/contract/event.ts'
import type { RunId, Seq } from '@choiros/contract/ids.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { WORK_PLACES } from '@choiros/supervisor/computer/places.ts'
import { expect } from 'vitest'
import { sandboxProcesses, type RunHome } from './run-home.ts'

const ENDS: Readonly<Record<string, string>> = {
  'run.land': 'landed',
  'undo': 'landed',
  'run.answer': 'answered',
  'run.discard': 'discarded',
  'run.cancel': 'cancelled',
}

/**
 * After a crash and a restart: every run has ended in exactly one way, and the tree is what the log says it is (L4).
 */
export async function expectRunsEnded(home: RunHome, computer: Computer): Promise<void> {
  const events = await home.events(computer)
  const treeAt = async (seq: number) => (await home.run('tree', { at: seq as Seq }, { computer: computer.id })).hash
  const asked = new Set(
    events.filter(({ type, source }) => type === 'message' && source === 'user').map(({ run }) => run as RunId),
  )
  for (const run of asked) {
    const own = events.filter((event) => event.run === run)
    const ends = own.filter(({ type }) => type in ENDS)
    expect([run, ends.map(({ type }) => type)]).toEqual([run, [expect.any(String)]])
    const [end] = ends as [Event]
    const revert = own.find(({ type }) => type === 'run.revert')
    const { status } = await home.run('run.get', { run }, { computer: computer.id })
    expect([run, status]).toEqual([run, revert === undefined ? ENDS[end.type] : 'reverted'])
    // Nothing else changed files in these histories: a landing that was taken back leaves what was there before it.
    if (revert !== undefined) expect(await treeAt(revert.seq)).toBe(await treeAt(end.seq - 1))
    const isTold = own.some(({ type, data }) => type === 'health' && (data as { verdict: string }).verdict === 'bad')
    expect([run, isTold]).toEqual([run, revert !== undefined])
  }
  expect(await home.run('verify', {}, { computer: computer.id })).toMatchObject({ ok: true, problems: [], mended: [] })
  expect(await home.run('replay', { to: null }, { computer: computer.id })).toMatchObject({ matches: true })
}

/** Nothing of a run that died is there any more: no folder, no socket, no process, no mount. */
export async function expectNothingLeft(homeFolder: string, computer: Computer | null): Promise<void> {
  await expect.poll(() => sandboxProcesses(homeFolder), { timeout: 5000, interval: 20 }).toEqual([])
  if (computer === null) return
  for (const place of Object.values(WORK_PLACES))
    expect([place, existsSync(join(computer.folder, place))]).toEqual([place, false])
}
