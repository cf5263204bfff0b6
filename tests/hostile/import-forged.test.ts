import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalBytes, sha256 } from '@choiros/contract/canonical.ts'
import { openTestHome, removeFoldersAfterEach, type TestHome } from '../support/home.ts'
import { refusedImport } from './damage.ts'
import { base, change, file, forgeExport, link, object, type ForgedEvent, type Forgery } from './forged-export.ts'

removeFoldersAfterEach()

let folder: string
let own: TestHome
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'choir-import-'))
  own = openTestHome(folder)
})
afterAll(async () => {
  await own.close()
  rmSync(folder, { recursive: true, force: true })
})

const refusal = (forgery: Forgery) => refusedImport(own, forgeExport(forgery))

const hello = object('hello')
const zeroes = '0'.repeat(64)
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const withMember = (name: string, value: unknown): ForgedEvent => ({ ...base, envelope: { [name]: value } })
const manifestOf = (value: unknown) => {
  const bytes = typeof value === 'string' ? Buffer.from(value) : canonicalBytes(value)
  return {
    event: { type: 'file.change', data: { changes: [], manifest: sha256(bytes) } },
    objects: [{ hash: sha256(bytes), bytes }],
  }
}
const replaceIn = (from: string, to: string) => (honest: Buffer) =>
  Buffer.from(honest.toString('latin1').replace(from, to), 'latin1')

/** Every lie, and the code it is refused with. */
const LIES: readonly (readonly [string, Forgery, string?])[] = [
  ['no events at all', { events: [] }],
  ['a log that does not begin with a base', { events: [change({ path: 'a', to: file('hello') })], objects: [hello] }],
  ['a second base in the middle', { events: [base, base] }],
  [
    'an event whose hash is another',
    { events: [base, { ...change({ path: 'a', to: file('hello') }), hash: sha256('other') }], objects: [hello] },
  ],
  ['a gap in the numbers', { events: [base, { ...change(), seq: 3, envelope: { seq: 3 } }] }],
  ['a first event with number 2', { events: [{ ...base, seq: 2, envelope: { seq: 2 } }] }],
  ['an event that gives itself another number', { events: [base, { type: 'note', envelope: { seq: 7 } }] }],
  ['an event that names another predecessor', { events: [base, { type: 'note', envelope: { prev: zeroes } }] }],
  ['an event of another computer', { events: [base, { type: 'note', envelope: { computer: 'other' } }] }],
  ['an event over 512 KiB', { events: [base, { type: 'note', data: { text: 'x'.repeat(512 * 1024) } }] }],
  ['an event of a newer version', { events: [base, { ...change(), version: 2 }] }, 'event.newer'],
  ['bytes that are no JSON', { events: [base, { type: 'note', bytes: () => Buffer.from('{"seq":') }] }],
  ['an event that is null', { events: [base, { type: 'note', bytes: () => Buffer.from('null') }] }],
  ['an event that is a list', { events: [base, { type: 'note', bytes: () => Buffer.from('[1]') }] }],
  ['an event that is a number', { events: [base, { type: 'note', bytes: () => Buffer.from('7') }] }],
  ['an event of no bytes', { events: [base, { type: 'note', bytes: () => Buffer.alloc(0) }] }],
  [
    'bytes that are not canonical',
    { events: [base, { type: 'note', bytes: replaceIn('"cause":null', '"cause": null') }] },
  ],
  [
    'a member that is there twice',
    { events: [base, { type: 'note', bytes: replaceIn('"cause":null', '"cause":null,"cause":null') }] },
  ],
  [
    'bytes that are not UTF-8',
    { events: [base, { type: 'note', data: { text: 'QQ' }, bytes: replaceIn('QQ', '\u00ff\u00fe') }] },
  ],
  ['a lone surrogate', { events: [base, { type: 'note', data: { text: 'QQ' }, bytes: replaceIn('QQ', '\\ud800') }] }],
  [
    '200,000 nested lists',
    { events: [base, { type: 'note', data: { text: 'QQ' }, bytes: replaceIn('"QQ"', deep(200_000)) }] },
  ],
  ['a time beyond every calendar', { events: [withMember('time', 8_640_000_000_000_001)] }],
  ['a negative time', { events: [withMember('time', -1)] }],
  ['a card without members', { card: () => ({}) }],
  ['a card that is null', { card: () => null }],
  [
    'a card signed for another hash',
    { card: ({ head, ...card }) => ({ ...card, head: { ...(head as object), hash: zeroes } }) },
  ],
  [
    'a card signed for another number',
    { card: ({ head, ...card }) => ({ ...card, head: { ...(head as object), seq: 2 } }) },
  ],
  ['a card of another computer', { card: (card) => ({ ...card, computer: 'other' }) }],
  [
    'a card with another signature',
    { card: ({ head, ...card }) => ({ ...card, head: { ...(head as object), signature: 'AAAA' } }) },
  ],
  [
    'a card with a key that is none',
    { card: ({ head, ...card }) => ({ ...card, head: { ...(head as object), key: 'AAAA' } }) },
  ],
  ['a card that tells more', { card: (card) => ({ ...card, extra: true }) }],
  ['a path with ..', { events: [base, change({ path: '../a', to: file('hello') })], objects: [hello] }],
  [
    'a path with .. in the middle',
    { events: [base, change({ path: 'a/../../b', to: file('hello') })], objects: [hello] },
  ],
  ['an absolute path', { events: [base, change({ path: '/etc/passwd', to: file('hello') })], objects: [hello] }],
  ['a path with a NUL', { events: [base, change({ path: 'a\0b', to: file('hello') })], objects: [hello] }],
  [
    'a path in an ignored folder',
    { events: [base, change({ path: '.git/hooks/x', to: file('hello') })], objects: [hello] },
  ],
  [
    'the same path twice',
    { events: [base, change({ path: 'a', to: file('hello') }, { path: 'a', to: file('hello') })], objects: [hello] },
  ],
  [
    'a file below a file',
    { events: [base, change({ path: 'a', to: file('hello') }, { path: 'a/b', to: file('hello') })], objects: [hello] },
  ],
  [
    'a file below a symlink',
    {
      events: [base, change({ path: 'a', to: link('b') }), change({ path: 'a/c', to: file('hello') })],
      objects: [hello, object('b')],
    },
  ],
  [
    'a change from what is not there',
    { events: [base, change({ path: 'a', from: file('hello'), to: null })], objects: [hello] },
  ],
  [
    'a change from another version',
    {
      events: [base, change({ path: 'a', to: file('hello') }), change({ path: 'a', from: file('other'), to: null })],
      objects: [hello],
    },
  ],
  [
    'a symlink out of the computer',
    { events: [base, change({ path: 'a', to: link('../../etc') })], objects: [object('../../etc')] },
  ],
  ['an absolute symlink', { events: [base, change({ path: 'a', to: link('/etc') })], objects: [object('/etc')] }],
  [
    'a chain of symlinks that ends outside',
    {
      events: [base, change({ path: 'a/b/up', to: link('..') }), change({ path: 'out', to: link('a/b/up/../../..') })],
      objects: [object('..'), object('a/b/up/../../..')],
    },
  ],
  [
    'an erase of what the log itself needs',
    {
      events: [
        base,
        manifestOf([{ path: 'a', from: null, to: file('hello'), movedFrom: null }]).event,
        {
          type: 'erase',
          data: {
            objects: manifestOf([{ path: 'a', from: null, to: file('hello'), movedFrom: null }]).objects.map(
              ({ hash }) => hash,
            ),
            tree: zeroes,
            reason: '',
            changes: [],
            manifest: null,
          },
        },
      ],
      objects: [hello, ...manifestOf([{ path: 'a', from: null, to: file('hello'), movedFrom: null }]).objects],
    },
  ],
  ['a missing object', { events: [base, change({ path: 'a', to: file('hello') })] }],
  [
    'an object with other bytes',
    { events: [base, change({ path: 'a', to: file('hello') })], objects: [{ ...hello, bytes: Buffer.from('HELLO') }] },
  ],
  [
    'an empty file with other bytes',
    { events: [base, change({ path: 'a', to: file('') })], objects: [{ ...object(''), bytes: Buffer.from('X') }] },
  ],
  ['a wrong size', { events: [base, change({ path: 'a', to: { ...file('hello'), size: 4 } })], objects: [hello] }],
  [
    'a size of 0 for a file that has bytes',
    { events: [base, change({ path: 'a', to: { ...file('hello'), size: 0 } })], objects: [hello] },
  ],
  [
    'a folder with an object',
    { events: [base, change({ path: 'a', to: { ...file('hello'), kind: 'folder' } })], objects: [hello] },
  ],
  [
    'a mode that is none',
    { events: [base, change({ path: 'a', to: { ...file('hello'), mode: '4755' } })], objects: [hello] },
  ],
  [
    'a manifest that is not there',
    { events: [base, { type: 'file.change', data: { changes: [], manifest: sha256('x') } }] },
  ],
  ['a manifest that is no JSON', { events: [base, manifestOf('{').event], objects: manifestOf('{').objects }],
  ['a manifest that is no list', { events: [base, manifestOf({}).event], objects: manifestOf({}).objects }],
  [
    'a manifest with a path that is none',
    refuseManifest([{ path: '..', from: null, to: file('hello'), movedFrom: null }]),
  ],
  [
    'a manifest of nested lists',
    { events: [base, manifestOf(deep(100_000)).event], objects: manifestOf(deep(100_000)).objects },
  ],
  ['an unknown event that names a missing object', { events: [base, { type: 'note', data: { object: sha256('x') } }] }],
  [
    'a fork that names another history',
    { events: [base, { type: 'fork', data: forkOf('forged', 1, zeroes), envelope: { computer: 'other' } }] },
  ],
  ['another format', { format: 2 }, 'import.foreign'],
  ['a trigger', { sql: 'CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END' }, 'import.foreign'],
  ['a view', { sql: 'CREATE VIEW v AS SELECT 1' }, 'import.foreign'],
  ['one table more', { sql: 'CREATE TABLE more (x)' }, 'import.foreign'],
  ['an index more', { sql: 'CREATE INDEX i ON event (hash)' }, 'import.foreign'],
  ['a table less', { sql: 'DROP TABLE object' }, 'import.foreign'],
  ['an event table with a default', { sql: "ALTER TABLE event ADD COLUMN more TEXT DEFAULT 'x'" }, 'import.foreign'],
  ['no card', { sql: 'DELETE FROM about' }, 'import.foreign'],
  ['a card that is no JSON', { sql: "UPDATE about SET card = '{'" }],
  ['a card of 20 MiB', { card: (card) => ({ ...card, extra: 'x'.repeat(20 * 1024 * 1024) }) }],
  ['a hash of 31 bytes', { sql: "UPDATE event SET hash = x'00'" }],
  ['write-ahead mode', { sql: 'PRAGMA journal_mode = WAL' }, 'import.foreign'],
]

function refuseManifest(changes: readonly unknown[]): Forgery {
  const { event, objects } = manifestOf(changes)
  return { events: [base, event], objects: [...objects, hello] }
}

function forkOf(computer: string, seq: number, hash: string) {
  return { name: 'forked', how: 'fork', origin: { computer, seq, hash } }
}

describe('a forged import file is refused with a code and leaves nothing behind:', () => {
  for (const [name, forgery, code = 'import.corrupt'] of LIES) {
    test(`refused: ${name}`, async () => {
      expect((await refusal(forgery)).code).toBe(code)
    })
  }

  // Every member of the envelope, with every kind of value that it must not have.
  const members = [
    'id',
    'computer',
    'seq',
    'time',
    'user',
    'source',
    'via',
    'type',
    'version',
    'data',
    'run',
    'cause',
    'prev',
  ]
  const wrong: readonly unknown[] = [undefined, null, [], {}, true, 'no such', -1, 1.5, [[]], { a: null }]
  const allowed: Readonly<Record<string, readonly unknown[]>> = { data: [], run: [null], cause: [null] }
  for (const member of members) {
    test(`any wrong value as the event's ${member}`, async () => {
      for (const value of wrong) {
        if ((allowed[member] ?? []).includes(value)) continue
        const { code } = await refusal({ events: [withMember(member, value)] })
        expect([member, value, code]).toEqual([member, value, 'import.corrupt'])
      }
    })
  }
})
