import { describe, expect, test } from 'vitest'
import type { TreePath } from '@choiros/contract/path.ts'
import { createSmallComputer, type SmallComputer } from './undo-harness.ts'
import { viewChanges } from './undo.ts'

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`)
const withLine = (text: readonly string[], at: number, line: string) =>
  text.map((old, index) => (index === at ? line : old)).join('')

/** Runs an undo that must succeed. */
async function undone(computer: SmallComputer, seq: number): Promise<number> {
  const result = await computer.undo(seq)
  expect(result).not.toHaveProperty('conflicts')
  return (result as { seq: number }).seq
}

/** Runs an undo that must be refused and must change nothing. Returns the paths that the refusal names. */
async function refused(computer: SmallComputer, seq: number): Promise<string[]> {
  const before = new Map(computer.tree())
  const result = await computer.undo(seq)
  expect(computer.tree()).toEqual(before)
  expect(result).toHaveProperty('conflicts')
  return (result as { conflicts: { path: string }[] }).conflicts.map((conflict) => conflict.path)
}

describe('undo of what others failed at (LESSONS §2.1)', () => {
  test('[L5] undo of one change does not wipe the changes made in between (Dyad #1530)', async () => {
    const computer = createSmallComputer()
    const base = lines(9)
    computer.change({ write: 'a', content: base.join('') }, { write: 'other', content: 'o' })
    const target = computer.change({ write: 'a', content: withLine(base, 1, 'agent\n') })
    computer.change({ write: 'a', content: withLine(base, 1, 'agent\n').replace('line 7', 'mine') })
    computer.change({ write: 'other', content: 'newer' }, { write: 'third', content: 't' })
    await undone(computer, target)
    expect([computer.text('a'), computer.text('other'), computer.text('third')]).toEqual([
      withLine(base, 7, 'mine\n'),
      'newer',
      't',
    ])
  })

  test('[L5] undo of a change does not delete the file it changed (opencode #3148)', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'a', content: 'one' })
    const target = computer.change({ write: 'a', content: 'two' })
    await undone(computer, target)
    expect(computer.text('a')).toBe('one')
  })

  test('[L5] undo of a turn that created nothing deletes no file (opencode #3148, #32529)', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'a', content: 'a' }, { write: 'b', content: 'b' })
    const nothing = computer.change({ write: 'a', content: 'a' })
    computer.change({ write: 'new', content: 'made by hand' })
    const before = computer.hash()
    await undone(computer, nothing)
    expect(computer.hash()).toBe(before)
  })

  test('[L5] undo after many later lines were written keeps every one of them (opencode #10287: 1,300 lines gone)', async () => {
    const computer = createSmallComputer()
    const base = lines(5)
    computer.change({ write: 'a', content: base.join('') })
    const target = computer.change({ write: 'a', content: withLine(base, 0, 'agent\n') })
    const many = lines(1300)
      .map((line) => `later ${line}`)
      .join('')
    computer.change({ write: 'a', content: withLine(base, 0, 'agent\n') + many })
    await undone(computer, target)
    expect(computer.text('a')).toBe(base.join('') + many)
  })

  test('[L5] undo that cannot be done says so instead of doing nothing with success (opencode #38672)', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'a', content: 'one\n' })
    const target = computer.change({ write: 'a', content: 'two\n' })
    computer.change({ write: 'a', content: 'three\n' })
    expect(await refused(computer, target)).toEqual(['a'])
  })

  test('[L5] one conflict refuses the whole undo, also the paths that would have gone back (Dyad #1270)', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'a', content: 'one\n' }, { write: 'b', content: 'one\n' })
    const target = computer.change(
      { write: 'a', content: 'two\n' },
      { write: 'b', content: 'two\n' },
      { write: 'c', content: 'new' },
    )
    computer.change({ write: 'b', content: 'mine\n' }, { write: 'c', content: 'mine' })
    expect(await refused(computer, target)).toEqual(['b', 'c'])
  })

  test('[L5] a binary of 3 MiB goes back byte for byte', async () => {
    const computer = createSmallComputer()
    const binary = (seed: number) =>
      Buffer.from(Array.from({ length: 3 * 1024 * 1024 }, (_, index) => (index * seed) & 0xff))
    computer.change({ write: 'photo', content: binary(7) })
    const target = computer.change({ write: 'photo', content: binary(11) })
    computer.change({ write: 'text', content: 'x' })
    await undone(computer, target)
    expect(computer.read('photo')?.equals(binary(7))).toBe(true)
    computer.change({ write: 'photo', content: binary(13) })
    expect(await refused(computer, target)).toEqual(['photo'])
  })

  test('[L5] symlinks go back as symlinks: changed, created, deleted, and turned into a file', async () => {
    const computer = createSmallComputer()
    computer.change({ link: 'l', target: 'old' }, { link: 'gone', target: 'x' }, { link: 'kind', target: 'y' })
    const before = new Map(computer.tree())
    const target = computer.change(
      { link: 'l', target: 'new' },
      { remove: 'gone' },
      { link: 'made', target: 'z' },
      { write: 'kind', content: 'file' },
    )
    computer.change({ write: 'later', content: 'kept' })
    await undone(computer, target)
    expect(computer.tree()).toEqual(new Map([...before, ['later' as TreePath, computer.entry('later')]]))
  })

  test('[L5] exec bits go back, and stay where only the text was changed since', async () => {
    const computer = createSmallComputer()
    const base = lines(9)
    computer.change({ write: 'run', content: base.join('') }, { write: 'tool', content: base.join(''), exec: true })
    const target = computer.change(
      { write: 'run', content: base.join(''), exec: true },
      { write: 'tool', content: withLine(base, 1, 'agent\n') },
    )
    computer.change(
      { write: 'run', content: withLine(base, 7, 'mine\n') },
      { write: 'tool', content: withLine(base, 1, 'agent\n'), exec: false },
    )
    await undone(computer, target)
    expect([computer.entry('run')?.mode, computer.text('run')]).toEqual(['644', withLine(base, 7, 'mine\n')])
    expect([computer.entry('tool')?.mode, computer.text('tool')]).toEqual(['644', base.join('')])
  })

  test('[L5] deleted files come back, with their folder as it was', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'd/a', content: 'a', exec: true }, { write: 'd/e/b', content: 'b' }, { folder: 'd/empty' })
    const before = computer.hash()
    const target = computer.change({ remove: 'd' })
    computer.change({ write: 'later', content: 'x' })
    await undone(computer, target)
    computer.change({ remove: 'later' })
    expect(computer.hash()).toBe(before)
  })

  test('[L5] a deleted file does not come back over something that was put there since', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'a', content: 'old' }, { write: 'b', content: 'old' })
    const target = computer.change({ remove: 'a' }, { remove: 'b' })
    computer.change({ write: 'a', content: 'mine' }, { write: 'b/c', content: 'mine' })
    expect(await refused(computer, target)).toEqual(['a', 'b'])
  })

  test('[L5] a rename goes back and takes later edits along', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'old/name', content: 'text' })
    const target = computer.change({ move: 'old/name', to: 'new/name' })
    computer.change({ write: 'new/name', content: 'edited' })
    await undone(computer, target)
    expect([...computer.tree().keys()]).toEqual(['old/name'])
    expect(computer.text('old/name')).toBe('edited')
  })

  test('[L5] an edit is found under the name the file has now', async () => {
    const computer = createSmallComputer()
    const base = lines(9)
    computer.change({ write: 'a', content: base.join('') })
    const target = computer.change({ write: 'a', content: withLine(base, 1, 'agent\n') })
    computer.change({ move: 'a', to: 'b' })
    computer.change(
      { move: 'b', to: 'd/c' },
      { write: 'd/c', content: withLine(base, 1, 'agent\n').replace('line 7', 'mine') },
    )
    computer.change({ write: 'a', content: 'another file of the old name' })
    await undone(computer, target)
    expect([computer.text('d/c'), computer.text('a')]).toEqual([
      withLine(base, 7, 'mine\n'),
      'another file of the old name',
    ])
  })

  test('[L5] a rename that was followed by another one is refused, not guessed', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'a', content: 'x' })
    const target = computer.change({ move: 'a', to: 'b' })
    computer.change({ move: 'b', to: 'c' })
    expect(await refused(computer, target)).toEqual(['c'])
  })

  test('[L5] undo twice takes back two changes, and the second does not bring back the first (opencode #2642)', async () => {
    const computer = createSmallComputer()
    const base = lines(9)
    computer.change({ write: 'a', content: base.join('') })
    const before = computer.hash()
    const first = computer.change({ write: 'a', content: withLine(base, 1, 'one\n') })
    const second = computer.change({ write: 'a', content: withLine(base, 1, 'one\n').replace('line 7', 'two') })
    await undone(computer, second)
    expect(computer.text('a')).toBe(withLine(base, 1, 'one\n'))
    await undone(computer, first)
    expect(computer.hash()).toBe(before)
  })

  test('[L5] undo of the same change a second time changes nothing more', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'a', content: 'one' }, { write: 'd', content: 'd' })
    const target = computer.change({ write: 'a', content: 'two' }, { write: 'new', content: 'n' }, { remove: 'd' })
    await undone(computer, target)
    const once = computer.hash()
    await undone(computer, target)
    expect(computer.hash()).toBe(once)
  })

  test('[L5] what the user edited meanwhile is never overwritten: the undo refuses and names the file (opencode #4704)', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'a', content: 'base\n' }, { write: 'b', content: 'base\n' })
    const target = computer.change(
      { write: 'a', content: 'agent\n' },
      { write: 'made', content: 'agent\n' },
      { move: 'b', to: 'c' },
    )
    computer.change({ write: 'made', content: 'mine now\n' })
    expect(await refused(computer, target)).toEqual(['made'])
    computer.change({ write: 'made', content: 'agent\n' }, { write: 'b', content: 'mine at the old place\n' })
    expect(await refused(computer, target)).toEqual(['b'])
  })

  test('[L5] ignored files are no part of any change, so undo cannot touch them', () => {
    const computer = createSmallComputer()
    expect(() => computer.change({ write: 'node_modules/a', content: 'x' })).toThrow('does not keep')
    expect(computer.tree().size).toBe(0)
  })
})

describe('undo and redo', () => {
  test('[L5] a burst of 300 files goes back, and redo brings it again', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'keep', content: 'k' })
    const before = computer.hash()
    const burst = computer.change(
      ...Array.from({ length: 300 }, (_, index) => ({ write: `d/${index}`, content: `${index}` })),
    )
    const after = computer.hash()
    const undo = await undone(computer, burst)
    expect(computer.hash()).toBe(before)
    await undone(computer, undo)
    expect(computer.hash()).toBe(after)
  })

  test('[L5] two names that were swapped are swapped back', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'a', content: 'one' }, { write: 'b', content: 'two' })
    const swap = computer.change({ move: 'a', to: 't' }, { move: 'b', to: 'a' }, { move: 't', to: 'b' })
    const undo = await undone(computer, swap)
    expect([computer.text('a'), computer.text('b')]).toEqual(['one', 'two'])
    await undone(computer, undo)
    expect([computer.text('a'), computer.text('b')]).toEqual(['two', 'one'])
  })

  test('[L5] an edit is taken back although its file was deleted and came back meanwhile', async () => {
    const computer = createSmallComputer()
    const base = lines(9)
    computer.change({ write: 'a', content: base.join('') })
    const edit = computer.change({ write: 'a', content: withLine(base, 1, 'agent\n') })
    await undone(computer, computer.change({ remove: 'a' }))
    await undone(computer, edit)
    expect(computer.text('a')).toBe(base.join(''))
  })

  test('[L5] and also if it was edited after it came back', async () => {
    const computer = createSmallComputer()
    const base = lines(9)
    computer.change({ write: 'a', content: base.join('') })
    const edit = computer.change({ write: 'a', content: withLine(base, 1, 'agent\n') })
    await undone(computer, computer.change({ remove: 'a' }))
    computer.change({ write: 'a', content: withLine(base, 1, 'agent\n').replace('line 7', 'mine') })
    await undone(computer, edit)
    expect(computer.text('a')).toBe(withLine(base, 7, 'mine\n'))
  })

  test('[L5] a new file under the name of a deleted one is not taken for it', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'a', content: 'x' }, { write: 'r', content: 'r' })
    const target = computer.change({ write: 'made', content: 'agent' }, { move: 'r', to: 's' })
    computer.change({ remove: 'made' }, { remove: 's' })
    computer.change({ write: 'made', content: 'by hand' }, { write: 's', content: 'by hand' })
    await undone(computer, target)
    expect([computer.text('made'), computer.text('s'), computer.text('r')]).toEqual(['by hand', 'by hand', null])
  })

  test('[L5] a file that became a folder stays one while something new is in it', async () => {
    const computer = createSmallComputer()
    computer.change({ write: 'd', content: 'file' })
    const target = computer.change({ remove: 'd' }, { folder: 'd' }, { write: 'd/x', content: 'x' })
    computer.change({ write: 'd/y', content: 'mine' })
    expect(await refused(computer, target)).toEqual(['d'])
    computer.change({ remove: 'd/y' })
    await undone(computer, target)
    expect(computer.text('d')).toBe('file')
  })

  test('[L5] a folder that became a file goes back with what was in it', async () => {
    const computer = createSmallComputer()
    computer.change({ folder: 'd' }, { write: 'd/x', content: 'x' })
    const before = computer.hash()
    const target = computer.change({ remove: 'd' }, { write: 'd', content: 'file' })
    await undone(computer, target)
    expect(computer.hash()).toBe(before)
  })

  test('[L5] a made folder goes, but not what was put into it since', async () => {
    const computer = createSmallComputer()
    const target = computer.change({ folder: 'd' })
    computer.change({ write: 'd/mine', content: 'x' })
    await undone(computer, target)
    expect([...computer.tree().keys()]).toEqual(['d/mine'])
  })

  test('[L5] [CT4] a link does not go back to where its target would now lead out of the computer', async () => {
    const computer = createSmallComputer()
    computer.change({ link: 'a/b/l', target: '../../x' })
    const edit = computer.change({ link: 'a/b/l', target: 'y' })
    computer.change({ move: 'a/b/l', to: 'l' })
    expect(await refused(computer, edit)).toEqual(['l'])
    const again = createSmallComputer()
    again.change({ link: 'l', target: 'y' })
    const rename = again.change({ move: 'l', to: 'a/l' })
    again.change({ link: 'a/l', target: '../y' })
    expect(await refused(again, rename)).toEqual(['l'])
  })

  test('[L5] a version that was erased for good cannot be merged, and the undo says so', async () => {
    const computer = createSmallComputer()
    const base = lines(9)
    computer.change({ write: 'a', content: base.join('') })
    const target = computer.change({ write: 'a', content: withLine(base, 1, 'agent\n') })
    computer.erase('a')
    computer.change({ write: 'a', content: withLine(base, 7, 'mine\n') })
    expect(await refused(computer, target)).toEqual(['a'])
  })
})

test('[L5] a preview names every path once: moves as moves, merges as merged', async () => {
  const computer = createSmallComputer()
  const base = lines(9)
  computer.change({ write: 'a', content: base.join('') }, { write: 'b', content: 'b' }, { write: 'c', content: 'c' })
  const target = computer.change(
    { write: 'a', content: withLine(base, 1, 'x\n') },
    { move: 'b', to: 'm' },
    { remove: 'c' },
    { write: 'n', content: 'n' },
  )
  computer.change({ write: 'a', content: withLine(base, 1, 'x\n').replace('line 7', 'mine') })
  const { changes, merged } = await computer.plan(target)
  expect(viewChanges(changes, merged)).toEqual([
    { path: 'a', does: 'change', movedFrom: null, merged: true },
    { path: 'b', does: 'move', movedFrom: 'm', merged: false },
    { path: 'c', does: 'create', movedFrom: null, merged: false },
    { path: 'n', does: 'delete', movedFrom: null, merged: false },
  ])
})
