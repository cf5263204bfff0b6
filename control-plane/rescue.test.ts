import { UserId } from '@choiros/contract/ids.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRescueAction, rescue, rescuePage } from './rescue.ts'
import { startStandIn, type StandIn } from './supervisor.fake.ts'

let standIn: StandIn
beforeAll(async () => void (standIn = await startStandIn()))
afterAll(() => standIn.close())

const alice = { caller: 'frame', user: UserId.parse('alice'), computer: 'c1' } as const
const page = (said: string | null = null) => rescuePage(standIn.client, alice, said)

test('[L8] the page has undo, redo, stop, safe mode and export, needs no script and holds no desktop', async () => {
  const text = await page()
  for (const label of ['Undo', 'Redo', 'Stop', 'Safe mode', 'Export'])
    expect(text).toContain(`<button type="submit">${label}</button>`)
  expect(text).not.toMatch(/<(script|iframe)|\son\w+=/i)
  expect(text).toContain('There is nothing to undo.')
})

test('what others wrote stands there as text', async () => {
  const evil = '<img src=x onerror=alert(1)> & "quoted"'
  standIn.answers['run.list'] = [{ text: evil, status: 'running', undone: false, reason: evil }]
  standIn.answers['undo.preview'] = { target: { title: evil } }
  const text = await page(evil)
  expect(text).not.toContain('<img')
  expect(text.match(/&lt;img src=x onerror=alert\(1\)&gt; &amp; &quot;quoted&quot;/g)).toHaveLength(5)
})

test('safe mode is offered where it is off, and left where it is on', async () => {
  standIn.answers['safe-mode.get'] = { on: true, healthy: 3 }
  expect(await page()).toContain('action="/rescue/leave-safe-mode"')
  standIn.answers['safe-mode'] = (input: { on: boolean }) => ({ on: input.on, healthy: null })
  expect(await rescue(standIn.client, alice, 'safe-mode')).toBe('The desktop is now shown as it came with ChoirOS.')
  expect(await rescue(standIn.client, alice, 'leave-safe-mode')).toBe('The desktop is shown as it is again.')
})

test('where events are lost the page says what is missing and what comes back', async () => {
  const lost = { code: 'log.truncated', message: 'the log lost events', details: {} }
  standIn.answers['undo.preview'] = { error: lost }
  standIn.answers['safe-mode.get'] = { error: lost }
  standIn.answers['recover.preview'] = {
    head: 5,
    known: 7,
    witnesses: [{ who: 'the tables', seq: 7 }],
    events: 0,
    changes: [{ path: 'artifacts/<a>.txt', does: 'change' }],
    missing: ['artifacts/gone.txt'],
    asked: ['make it <light>'],
  }
  const text = await page()
  for (const part of [
    'The newest 2 entries',
    'artifacts/&lt;a&gt;.txt (changed)',
    'artifacts/gone.txt',
    'make it &lt;light&gt;',
    'the tables (2 entries more than there are)',
  ])
    expect(text).toContain(part)
  expect(text).toContain('action="/rescue/recover"')
})

test('nothing else is an action', () => {
  expect(['undo', 'erase', 'toString', '__proto__', ''].filter(isRescueAction)).toEqual(['undo'])
})

test('[L8] a computer whose log cannot be read has a page as well, with what is left of it', async () => {
  const damaged = { code: 'log.corrupt', message: 'event 27 is <damaged>', details: {} }
  standIn.answers['undo.preview'] = { error: damaged }
  standIn.answers['safe-mode.get'] = { error: damaged }
  const text = await page()
  expect(text).toContain('event 27 is &lt;damaged&gt;')
  expect(text).toContain('name="rescue" value="1"')
})
