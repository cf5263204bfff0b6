import { expect, test } from 'vitest'
import { SYSCALLS } from '@choiros/contract/syscalls.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { createNotes } from './note.ts'
import type { Workbench } from './tool.ts'
import { useTool } from './tools.ts'

/** A bench with nothing but notes, and what was sent to the supervisor. */
function open() {
  const sent: unknown[] = []
  const calls = {
    async call(name: keyof typeof SYSCALLS, given: unknown) {
      sent.push([name, SYSCALLS[name].input.parse(given)])
      return { note: 'n1', text: (given as { text: string }).text }
    },
  } as unknown as Syscalls
  const bench = { notes: createNotes(calls) } as Workbench
  const use = (input: unknown) =>
    useTool(bench, 'note', input).then(
      ({ text }) => text,
      (error: Error) => `failed: ${error.message}`,
    )
  return { sent, use }
}

test('a note without a kind stays in the task, and is shown again when it is asked for', async () => {
  const { sent, use } = open()
  expect(await use({})).toBe('you have no notes yet')
  await use({ text: 'mind the clock' })
  await use({ text: 'and the date' })
  expect(await use({})).toBe('Your notes:\n1. mind the clock\n2. and the date')
  expect(sent).toEqual([])
})

test('one with a kind goes to the supervisor, as long as a note may be; of the person an Associate keeps nothing', async () => {
  const { sent, use } = open()
  expect(await use({ text: 'so it is', kind: 'observation', topic: 'clock', files: ['app/a.ts'] })).toBe(
    'kept: so it is',
  )
  expect(sent).toEqual([
    ['note.add', { run: null, kind: 'observation', text: 'so it is', topic: 'clock', files: ['app/a.ts'] }],
  ])
  expect(await use({ text: 'x'.repeat(501), kind: 'status' })).toMatch(/at most 500 characters/)
  expect(await use({ kind: 'status' })).toMatch(/say what is to be kept/)
  expect(await use({ text: 'they like tea', kind: 'belief' })).toMatch(/^failed: note: kind/)
  expect(sent).toHaveLength(1)
})

test('[L11] notes of a task have an end', async () => {
  const { use } = open()
  for (let count = 0; count < 50; count++) await use({ text: `note ${count}` })
  expect(await use({ text: 'one more' })).toMatch(/that is enough/)
})
