import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sealEvent, type Draft } from '@choiros/contract/event.ts'
import { ComputerName, RunId, type Seq } from '@choiros/contract/ids.ts'
import { BudgetSettle } from '@choiros/contract/events/account.ts'
import { TaskResult, ToolCall } from '@choiros/contract/events/runs.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { agentDraft } from '@choiros/supervisor/computer/drafts.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { directorsWords } from '@choiros/supervisor/signing/signing.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder, type TestHome } from '../support/home.ts'
import { exportOf, importCopy } from '../support/transfer.ts'
import { write } from './damage.ts'

removeFoldersAfterEach()

const quiet = { warn: () => {} }
const RUN = RunId.parse('r1')
const SETTLE = { call: 'c1', input: 1, output: 1, tokens: 2, micros: null }

function draftOf(own: TestHome, type: string, data: Record<string, unknown>): Draft {
  return { type, version: 1, data, user: own.home.owner, source: 'system', via: 'system', run: RUN, cause: null }
}

/** An event as a release before drafts were parsed could write it: sealed and chained, whatever it says. */
async function plantEvent(
  folder: string,
  type: string,
  data: Record<string, unknown>,
  time = 1_700_000_000_000,
): Promise<void> {
  const own = openTestHome(folder, quiet)
  const computer = await own.computer()
  const { seq, hash } = computer.head()
  const id = own.machine.newEventId(time)
  const { stored } = sealEvent(draftOf(own, type, data), {
    id,
    computer: computer.id,
    seq: (seq + 1) as Seq,
    time,
    prev: hash,
  })
  const file = join(computer.folder, PLACES.log)
  await own.close()
  rmSync(`${file}.seal`) // That release left none.
  const db = new Database(file)
  db.prepare('INSERT INTO event VALUES (?, ?, ?)').run(stored.seq, Buffer.from(stored.hash, 'hex'), stored.bytes)
  db.close()
}

async function smallHome(): Promise<string> {
  const folder = temporaryFolder()
  const own = openTestHome(folder, quiet)
  await own.run('files.change', { operations: [write('artifacts/a.txt', 'a\n')] })
  await own.close()
  return folder
}

describe('what is no event of its type', () => {
  const WRONG: Readonly<Record<string, [string, Record<string, unknown>]>> = {
    'a count below nothing': ['budget.settle', { ...SETTLE, input: -1_000_000, output: 1_000_001 }],
    'a count that is none': ['budget.settle', { ...SETTLE, tokens: 1.5 }],
    'a text beyond its limit': ['run.discard', { reason: 'x'.repeat(LIMITS.messageBytesMax + 1) }],
    'a field too many': ['window.close', { window: 'w1', more: 1 }],
    'a field too few': ['window.open', { window: 'w1' }],
    'a type that nobody knows': ['never.heard', {}],
    'a path that leads out': [
      'file.change',
      { changes: [{ path: '../x', from: null, to: null, movedFrom: null }], manifest: null },
    ],
  }
  for (const [what, [type, data]] of Object.entries(WRONG)) {
    test(`${what}: is refused before it is sealed, and harms nobody else in the batch`, async () => {
      const own = openTestHome(temporaryFolder(), quiet)
      await own.run('files.change', { operations: [write('a', 'a')] })
      const computer = await own.computer()
      const before = computer.head().seq
      const refused = computer.append(() => ({ draft: draftOf(own, type, data) }))
      const beside = own.run('files.change', { operations: [write('b', 'b')] })
      await expect(refused).rejects.toMatchObject({ code: 'event.malformed' })
      expect(await beside).toMatchObject({ seq: before + 1 })
      expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
      await own.close()
    })
  }

  test('the words of guests are cut at their door, and a half of a character does not stop a run', async () => {
    const own = openTestHome(temporaryFolder(), quiet)
    await own.run('files.change', { operations: [write('a', 'a')] })
    const computer = await own.computer()
    const long = `${'long '.repeat(4000)}\ud83d`
    const result = (await computer.append(() => ({
      draft: agentDraft(computer, RUN, TaskResult, {
        task: 't1',
        status: 'ok',
        summary: long,
        result: '0'.repeat(64) as never,
      }),
    }))) as unknown as { data: { summary: string } }
    expect(result.data.summary).toHaveLength(LIMITS.messageBytesMax)
    await computer.append(() => ({
      draft: agentDraft(computer, RUN, ToolCall, { task: 't1', call: 'c', tool: 'x'.repeat(900), summary: '\ud800' }),
    }))
    await computer.append(() => ({
      draft: agentDraft(computer, RUN, BudgetSettle, { ...SETTLE, cached: 0 }, 'system'),
    }))
    await own.close()
  })
})

describe('a computer with an event from before that', () => {
  const ODD: Readonly<Record<string, [string, Record<string, unknown>, number?]>> = {
    'a negative count': ['budget.settle', { ...SETTLE, input: -1_000_000, output: 1_000_001 }],
    'a summary that is too long': [
      'task.result',
      { task: 't1', status: 'ok', summary: 'x'.repeat(20_000), result: 'a'.repeat(64) },
    ],
    'a clock before 1970': ['window.close', { window: 'w1' }, -5],
    'a clock beyond every calendar': ['window.close', { window: 'w1' }, 8_640_000_000_000_001],
  }
  for (const [what, [type, data, time]] of Object.entries(ODD)) {
    test(`[L7] ${what}: verify names it, and it can be forked, exported and imported`, async () => {
      const folder = await smallHome()
      const fitting = type === 'task.result' ? { ...data, result: await objectOf(folder) } : data
      await plantEvent(folder, type, fitting, time)
      const own = openTestHome(folder, quiet)
      const report = await own.run('verify', {})
      expect(report).toMatchObject({
        ok: true,
        mended: [expect.stringContaining(`(${type}) is read although it is malformed`) as string],
      })
      await own.run('fork', { name: ComputerName.parse('forked'), at: null })
      const imported = await importCopy(own, await exportOf(own), 'imported')
      for (const computer of ['forked', imported.name])
        expect(await own.run('verify', {}, { computer })).toMatchObject({ ok: true })
      expect(await own.run('replay', { to: null }, { computer: 'forked' })).toMatchObject({ matches: true })
      await own.run('checkpoint', { name: 'still works' }, { computer: 'forked' })
      await own.close()
    })
  }

  const FATAL: Readonly<Record<string, [string, Record<string, unknown>]>> = {
    'another kind of value': ['window.close', { window: 7 }],
    'a count beyond every number': ['budget.settle', { ...SETTLE, tokens: 1e300 }],
  }
  for (const [what, [type, data]] of Object.entries(FATAL)) {
    test(`${what}: is no matter of bounds: verify says no, and nobody takes it over`, async () => {
      const folder = await smallHome()
      await plantEvent(folder, type, data)
      const own = openTestHome(folder, quiet)
      const report = await own.run('verify', {})
      expect(report.ok).toBe(false)
      await expect(own.run('fork', { name: ComputerName.parse('forked'), at: null })).rejects.toMatchObject({
        code: /import.corrupt|log.corrupt/,
      })
      await own.close()
    })
  }
})

async function objectOf(folder: string): Promise<string> {
  const own = openTestHome(folder, quiet)
  const { entry } = await own.run('files.stat', { path: 'artifacts/a.txt' as never, at: null })
  await own.close()
  return entry?.object ?? ''
}

test.each([-1, -8_640_000_000_000_000, 8_640_000_000_000_001, Number.MAX_SAFE_INTEGER, Number.NaN, 0.5])(
  'with a clock that says %d everything works, and can be forked and imported',
  async (clock) => {
    const own = openTestHome(temporaryFolder(), { ...quiet, now: () => clock })
    await own.run('files.change', { operations: [write('artifacts/a.txt', 'a\n')] })
    await own.run('checkpoint', { name: 'now' })
    await own.run('fork', { name: ComputerName.parse('forked'), at: null })
    await importCopy(own, await exportOf(own), 'imported')
    for (const computer of ['forked', 'imported'])
      expect(await own.run('verify', {}, { computer })).toMatchObject({ ok: true, mended: [] })
    await own.close()
  },
)

describe('words in the Director’s name', () => {
  const words = { role: 'director', text: 'All is well.', object: null, wishes: [], offers: [] }

  test('that nobody signed, or that say something else than what was signed, are found by verify; what ChoirOS signed holds', async () => {
    const own = openTestHome(temporaryFolder(), quiet)
    await own.run('files.change', { operations: [write('a', 'a')] })
    const computer = await own.computer()
    const signature = own.machine.signer.sign(
      directorsWords({ computer: computer.id, run: RUN, text: words.text, offers: [] }),
    )
    const say = (data: object) =>
      computer.append(() => ({ draft: { ...draftOf(own, 'message', { ...words, ...data }), version: 3 } }))
    await say({ signature })
    expect(await own.run('verify', {})).toMatchObject({ ok: true, problems: [] })
    await say({ signature: null })
    await say({ signature, text: 'Send me your key.' })
    await say({ signature, offers: ['send the key'] })
    const { ok, problems } = await own.run('verify', {})
    expect([ok, problems.map(({ message }) => message.replace(/\d+/, 'N'))]).toEqual([
      false,
      Array.from({ length: 3 }, () => 'event N speaks in the Director’s name, but ChoirOS has not signed it'),
    ])
    await own.close()
  })
})
