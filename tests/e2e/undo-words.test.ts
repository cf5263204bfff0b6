import type { TreePath } from '@choiros/contract/path.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'

/** Going back by words, with real agents in real sandboxes. */
describe('undo and restore by words', () => {
  let home: RunHome
  let computer: Computer
  const path = (text: string) => text as TreePath
  const say = async (text: string) => (await home.prompt(computer, text)).reply
  const has = (file: string) => computer.queries.tree.entry(path(file)) !== null
  const setting = async (name: string) =>
    JSON.stringify(JSON.parse(await home.read(computer, `artifacts/system/${name}.json`)))
  const remove = (file: string) =>
    home.run(
      'files.change',
      { operations: [{ op: 'remove', path: path(file) }] },
      { computer: computer.id, caller: 'desktop' },
    )

  beforeAll(async () => {
    home = openRunHome(temporaryFolder())
    computer = await home.addComputer('home')
  })
  afterAll(async () => {
    await home?.close()
    removeFolders()
  })

  test('“undo that” takes back the person’s own deletion, not an older sentence', async () => {
    await say('make the accent green')
    const green = await setting('accent')
    await home.write(computer, 'artifacts/list.txt', 'milk\n')
    await remove('artifacts/list.txt')
    expect(await say('undo that')).toBe('Took back: Deleted “list.txt”.')
    expect([has('artifacts/list.txt'), await setting('accent')]).toEqual([true, green])
  })

  test('“take back the green accent” finds it under what was done since, and keeps that', async () => {
    await say('add a clock')
    expect(await say('take back the green accent')).toMatch(/^Took back: .*green/)
    expect([
      has('artifacts/system/accent.json') && (await setting('accent')).includes('008000'),
      has('artifacts/list.txt'),
    ]).toEqual([false, true])
    expect(await say('take back the green accent')).toContain(
      'I found nothing about “the green accent” that could be taken back',
    )
    expect(await say('redo that')).toMatch(/^Redone: .*green/)
    expect(await setting('accent')).toContain('008000')
  })

  test('“undo the last two changes” takes back two, the newest first', async () => {
    await home.write(computer, 'artifacts/one.txt', '1')
    await home.write(computer, 'artifacts/two.txt', '2')
    expect(await say('undo the last two changes')).toBe('Took back: Added “two.txt”; Added “one.txt”.')
    expect([has('artifacts/one.txt'), has('artifacts/two.txt')]).toEqual([false, false])
  })

  test('“restore friday” goes to the checkpoint of that name, behind however many that were taken by themselves', async () => {
    await home.run('checkpoint', { name: 'Friday' }, { computer: computer.id })
    const before = (await home.run('tree', { at: null }, { computer: computer.id })).hash
    await say('make it light')
    await remove('artifacts/list.txt')
    expect(await say('restore friday')).toBe('Went back to “Friday”; files and windows are as they were then.')
    expect((await home.run('tree', { at: null }, { computer: computer.id })).hash).toBe(before)
    const [unit] = await home.run('undo.list', { limit: 1 }, { computer: computer.id })
    expect(unit).toMatchObject({ type: 'restore', title: 'Went back to “Friday”', undone: false })
    expect(await say('undo')).toBe('Took back: Went back to “Friday”.')
    expect(has('artifacts/list.txt')).toBe(false)
    expect(await say('restore monday')).toBe(
      'I could not do that: there is no checkpoint called “monday”; there is “Friday”.',
    )
    await say('save this state as before the party')
    expect(await say('restore monday')).toBe(
      'I could not do that: there is no checkpoint called “monday”; there are “before the party” and “Friday”.',
    )
  })

  test('what changed lately is told in a person’s words: theirs and the agents’, when, and what was taken back', async () => {
    await home.write(computer, 'artifacts/diary.md', 'Monday')
    await say('make the wallpaper sea')
    await say('make the accent teal')
    await say('undo that')
    const [head, ...lines] = (await say('what changed lately?'))?.split('\n') ?? []
    expect(head).toBe('Here is what changed lately, newest first:')
    expect(lines.slice(0, 3)).toEqual([
      'Made the accent teal (just now, taken back since)',
      expect.stringMatching(/wallpaper.* \(just now\)$/),
      'Added “diary.md” (just now)',
    ])
    expect(lines.join('\n')).not.toMatch(/landed|discarded|answered|reverted|event \d/)
  })

  test('who misses what was removed hears when, by which wish, and what brings it back, and never a number', async () => {
    const ask = 'show today’s date in the bar'
    await remove('app/shell/extensions.ts')
    expect(await say(ask)).toMatch(/It was removed just now\. Undo brings it back\.$/)
    await home.write(computer, 'artifacts/since.txt', '1')
    expect(await say(ask)).toMatch(/It was removed just now\. Take that back in History, and it is there again\.$/)
    expect(await say('undo the last two changes')).toContain('Deleted “app/shell/extensions.ts”')
    expect(await say(ask)).not.toContain('removed')
  })

  test('lists page, and tell wishes that changed something from questions', async () => {
    const to = { computer: computer.id }
    const runs = await home.run('run.list', { limit: 200 }, to)
    const changed = await home.run('run.list', { limit: 200, changed: true }, to)
    expect(
      changed
        .map(({ text }) => text)
        .toReversed()
        .slice(0, 3),
    ).toEqual(['make the accent green', 'add a clock', 'make it light'])
    expect(await home.run('run.list', { limit: 2, before: runs[1]!.asked }, to)).toEqual(runs.slice(2, 4))
    for (let count = 0; count < 3; count++) await home.run('checkpoint', { name: `point ${count}` }, to)
    const named = await home.run('checkpoint.list', { kind: 'user' }, to)
    expect(named.map(({ name }) => name)).toEqual(['Friday', 'before the party', 'point 0', 'point 1', 'point 2'])
    expect(await home.run('checkpoint.list', { kind: 'user', limit: 2, before: named[4]!.seq }, to)).toEqual(
      named.slice(2, 4),
    )
    const units = await home.run('undo.list', { limit: 200 }, to)
    expect(await home.run('undo.list', { limit: 3, before: units[1]!.seq }, to)).toEqual(units.slice(2, 5))
  })
})
