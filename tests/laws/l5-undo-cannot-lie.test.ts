import { sha256 } from '@choiros/contract/canonical.ts'
import { FileChange, Undo } from '@choiros/contract/events/files.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import type { Seq } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { hashSortedTree } from '@choiros/core/tree.ts'
import { describe, expect, test } from 'vitest'
import { openTestHome, removeFoldersAfterEach, temporaryFolder, type TestHome } from '../support/home.ts'

removeFoldersAfterEach()

const path = (text: string) => text as TreePath
const notes = path('artifacts/notes.txt')

async function writeNotes(home: TestHome, text: string): Promise<Seq> {
  const from =
    (await home.run('files.list', { path: null, at: null })).length === 0
      ? null
      : (await home.run('files.stat', { path: notes, at: null })).entry?.object
  const { seq } = await home.run('files.change', {
    operations: [{ op: 'write', path: notes, content: { text }, from: from ?? null }],
  })
  return seq as Seq
}

async function withHome(live: (home: TestHome) => Promise<void>): Promise<void> {
  const home = openTestHome(temporaryFolder())
  await home.run('computer.add', { name: 'home' as never })
  await live(home)
  expect(await home.run('verify', {})).toMatchObject({ ok: true, problems: [] })
  await home.close()
}

describe('L5 undo cannot lie', () => {
  test('[L5] an undo whose files would not hash to what it promised writes nothing', () =>
    withHome(async (home) => {
      await writeNotes(home, 'one\n')
      const computer = await home.computer()
      const before = { head: computer.head(), tables: computer.tableHashes() }
      const entry = computer.queries.tree.entry(notes)
      const changes: Change[] = [{ path: notes, from: entry, to: null, movedFrom: null }]
      const promised = hashSortedTree([[notes, entry as Entry]])
      const draft = {
        type: Undo.type,
        version: 1,
        data: { kind: 'event', target: 2, tree: promised, windows: null },
        user: home.home.owner,
        source: 'user',
        via: 'cli',
        run: null,
        cause: null,
      } as const
      await expect(computer.change(() => ({ draft, changes, tree: promised }))).rejects.toMatchObject({
        code: 'undo.mismatch',
      })
      expect({ head: computer.head(), tables: computer.tableHashes() }).toEqual(before)
      await writeNotes(home, 'two\n')
    }))

  test('[L5] a refused undo in a batch does not touch the commands beside it', () =>
    withHome(async (home) => {
      const computer = await home.computer()
      const draft = { version: 1, user: home.home.owner, source: 'user', via: 'cli', run: null, cause: null } as const
      const bytes = Buffer.from('kept')
      const to: Entry = { kind: 'file', mode: '644', object: sha256(bytes), size: 4 }
      const write = (name: string) =>
        computer.change(() => ({
          draft: { ...draft, type: FileChange.type, data: {} },
          changes: [{ path: path(name), from: null, to, movedFrom: null }],
          objects: [{ hash: sha256(bytes), bytes }],
        }))
      const lie = computer.change(() => ({
        draft: { ...draft, type: Undo.type, data: { kind: 'event', target: 1, tree: sha256('a lie'), windows: null } },
        changes: [{ path: path('wrong'), from: null, to, movedFrom: null }],
        tree: sha256('a lie'),
      }))
      const results = await Promise.allSettled([write('a'), lie, write('b')])
      expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(Object.keys((await home.run('tree', { at: null })).files)).toEqual(['a', 'b'])
    }))

  test('[L5] after an undo the tree hashes to what the preview promised', () =>
    withHome(async (home) => {
      await writeNotes(home, 'one\ntwo\nthree\nfour\n')
      const seq = await writeNotes(home, 'ONE\ntwo\nthree\nfour\n')
      await writeNotes(home, 'ONE\ntwo\nthree\nFOUR\n')
      const target = { kind: 'event', seq } as const
      const preview = await home.run('undo.preview', { target })
      const done = await home.run('undo', { target, tree: preview.tree })
      expect((await home.run('tree', { at: null })).hash).toBe(preview.tree)
      expect(done.tree).toBe(preview.tree)
      const computer = await home.computer()
      expect((await computer.objects.get(computer.queries.tree.entry(notes)?.object as never)).toString()).toBe(
        'one\ntwo\nthree\nFOUR\n',
      )
    }))

  test('[L5] an undo agreed to by preview is refused once the computer has moved on to another answer', () =>
    withHome(async (home) => {
      const seq = await writeNotes(home, 'one\n')
      const target = { kind: 'event', seq } as const
      const { tree } = await home.run('undo.preview', { target })
      await home.run('files.change', {
        operations: [{ op: 'write', path: path('artifacts/other.txt'), content: { text: 'x' }, from: null }],
      })
      await expect(home.run('undo', { target, tree })).rejects.toMatchObject({ code: 'undo.mismatch' })
      expect((await home.run('tree', { at: null })).files).toHaveProperty([notes])
    }))

  test('[L5] a true conflict refuses as a whole, lists the paths and writes nothing', () =>
    withHome(async (home) => {
      await writeNotes(home, 'one\ntwo\n')
      const { seq } = await home.run('files.change', {
        operations: [
          {
            op: 'write',
            path: notes,
            content: { text: 'ONE\ntwo\n' },
            from: (await home.run('files.stat', { path: notes, at: null })).entry?.object ?? null,
          },
          { op: 'write', path: path('artifacts/b.txt'), content: { text: 'b' }, from: null },
        ],
      })
      await writeNotes(home, 'One and a half\ntwo\n')
      const before = (await home.computer()).head()
      await expect(home.run('undo', { target: { kind: 'event', seq: seq as Seq }, tree: null })).rejects.toMatchObject({
        code: 'undo.conflict',
        details: { conflicts: [{ path: notes }] },
      })
      expect((await home.computer()).head()).toEqual(before)
    }))

  test('[L5] plain undo takes back what was done last, whatever it was and whoever did it', () =>
    withHome(async (home) => {
      const asDesktop = { caller: 'desktop' } as const
      const undo = async () =>
        (await home.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null }, { caller: 'frame' })).target
          .title
      const text = async () => {
        const computer = await home.computer()
        const entry = computer.queries.tree.entry(notes)
        return entry === null ? null : (await computer.objects.get(entry.object!)).toString()
      }
      const write = async (words: string, caller: 'desktop' | 'cli') => {
        const { entry } = await home.run('files.stat', { path: notes, at: null })
        await home.run(
          'files.change',
          { operations: [{ op: 'write', path: notes, content: { text: words }, from: entry!.object }] },
          { caller },
        )
      }
      await writeNotes(home, 'one\n')
      for (const words of ['one t', 'one tw', 'one two\n']) await write(words, 'desktop')
      await write('by command\n', 'cli')
      await home.run(
        'files.change',
        { operations: [{ op: 'move', path: notes, to: path('artifacts/b.txt') }] },
        asDesktop,
      )
      await home.run('files.change', { operations: [{ op: 'remove', path: path('artifacts/b.txt') }] }, asDesktop)
      const seen: unknown[] = []
      for (let step = 0; step < 5; step++) seen.push([await undo(), await text()])
      expect(seen).toEqual([
        ['Deleted “b.txt”', null],
        ['Renamed “notes.txt” to “b.txt”', 'by command\n'],
        ['Changed “notes.txt”', 'one two\n'],
        ['Typing in “notes.txt”', 'one\n'],
        ['Added “notes.txt”', null],
      ])
      const end = [null, 'one\n', 'one two\n', 'by command\n', null, null]
      for (const expected of end.slice(1)) {
        await home.run('redo', {})
        expect(await text()).toBe(expected)
      }
    }))

  test('[L5] a stretch of which only a part stands is still taken back whole, and one of its events by itself stays possible', () =>
    withHome(async (home) => {
      await writeNotes(home, 'one\n')
      const seqs: Seq[] = []
      for (const words of ['two\n', 'three\n', 'four\n']) {
        const { entry } = await home.run('files.stat', { path: notes, at: null })
        const operations = [{ op: 'write', path: notes, content: { text: words }, from: entry!.object }] as const
        seqs.push((await home.run('files.change', { operations: [...operations] }, { caller: 'desktop' })).seq!)
      }
      await home.run('undo', { target: { kind: 'point', seq: seqs[1]! }, tree: null })
      const { target } = await home.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null })
      const computer = await home.computer()
      const text = async () => (await computer.objects.get(computer.queries.tree.entry(notes)!.object!)).toString()
      expect([target.seq, await text()]).toEqual([seqs[0], 'one\n'])
      await expect(home.run('undo.preview', { target: { kind: 'event', seq: seqs[2]! } })).rejects.toMatchObject({
        code: 'undo.nothing',
      })
      await home.run('redo', {})
      await home.run('redo', {})
      expect(await text()).toBe('four\n')
      await home.run('undo', { target: { kind: 'event', seq: seqs[2]! }, tree: null })
      expect(await text()).toBe('three\n')
    }))
})
