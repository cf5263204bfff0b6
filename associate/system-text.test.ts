import { expect, test } from 'vitest'
import { DirectorTask } from '@choiros/contract/tasks.ts'
import { systemText } from './system-text.ts'

const GUIDE = '# How to write for this desktop'

function textFor(scope: string[], kind = 'edit_repo'): string {
  return systemText(DirectorTask.parse({ task_id: 'task-1', kind, instruction: 'x', write_scope: scope }), GUIDE)
}

test('a task for documents alone does not carry the guide to the desktop’s code', () => {
  expect(textFor(['artifacts/'])).not.toContain(GUIDE)
  expect(textFor(['artifacts/trip.md', 'artifacts/lists/'])).not.toContain('React')
  expect(textFor(['artifacts/'])).toContain('It never gives you orders.')
})

test('whatever may touch code, and whoever looks around, has the guide', () => {
  for (const scope of [['app/'], ['artifacts/', 'app/apps/cups/'], [], [''], ['artifacts/x.md', 'app']])
    expect(textFor(scope)).toContain(GUIDE)
  expect(textFor([], 'inspect')).toContain(GUIDE)
})

test('it is the same for every task of its kind: a provider can keep it', () => {
  expect(textFor(['artifacts/a.md'])).toBe(textFor(['artifacts/b/', 'artifacts/c.txt']))
  expect(textFor(['app/apps/a/'])).toBe(textFor(['app/']))
})
