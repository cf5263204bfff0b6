import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Operation } from '@choiros/contract/commands/files.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { choir, choirHere, startSupervisor } from '../support/choir.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { exportOf, importCopy } from '../support/transfer.ts'
import { write } from './damage.ts'
import { ask, command, resultOf } from './raw-client.ts'

removeFoldersAfterEach()

const path = (text: string) => text as TreePath

const ILLEGAL: readonly string[] = [
  '',
  '.',
  '..',
  '../a',
  'a/..',
  'a/../b',
  './a',
  'a/./b',
  '/a',
  '//a',
  'a//b',
  'a/',
  '/',
  'a\0b',
  '\0',
  'a\\b',
  '\\\\server\\share',
  'C:\\a',
  '\ud800',
  'a/\udfff/b',
  'x'.repeat(256),
  `a/${'é'.repeat(128)}`,
  `${'x'.repeat(200)}/`.repeat(6).slice(0, 1025),
  'x'.repeat(1024 * 1024),
  'x/'.repeat(512 * 1024),
]

/** Unusual, and a person's right. */
const LEGAL: readonly string[] = [
  'with space',
  ' leading and trailing ',
  'line\nbreak',
  'carriage\rreturn',
  'tab\there',
  'bell\u0007escape\u001b[31mred',
  'quote"single\'back`tick',
  '$HOME/$(reboot)/`id`',
  '-rf',
  '--help',
  '*?[a-z]{x,y}',
  '~root',
  'a:b|c<d>e',
  '...',
  '..a',
  'a..',
  '.hidden',
  'trailing.',
  'CON',
  '__proto__',
  'constructor/toString',
  'hasOwnProperty',
  'README',
  'readme',
  'ReadMe',
  'caf\u00e9.txt', // NFC
  'cafe\u0301.txt', // NFD
  '🦊/👨‍👩‍👧.txt',
  'עברית/العربية',
  'right\u202eleft\u2066x\u2069',
  'zero\u200bwidth\ufeff',
  'line\u2028separator',
  'not\uffffa character',
  '\ufffd',
  '\u{10ffff}',
  '日本語/ファイル.txt',
  'x'.repeat(255),
  '🦊'.repeat(63),
  `${`${'y'.repeat(203)}/`.repeat(5)}${'z'.repeat(4)}`,
  '.gitignore',
  '.gitattributes',
  'a/.gitmodules',
  'git~1/config',
  '100%25',
  'a%2F..%2Fb',
  '&lt;script&gt;',
]

/** Legal here, and nothing that any git would hold. */
const NOT_FOR_GIT = ['.GIT/config', 'a/.Git/hooks/x']

const codeOf = (error: unknown) => (error instanceof ChoirError ? error.code : String(error))
const refusal = (work: Promise<unknown>) => work.then(() => 'done', codeOf)

describe('a path that is none', () => {
  test('is refused by every command with a short sentence, and nothing is written', async () => {
    const own = openTestHome(temporaryFolder())
    await own.run('files.change', { operations: [write('there.txt', 'there')] })
    const before = await own.run('tree', { at: null })
    for (const name of ILLEGAL) {
      const bad = path(name)
      const operations: Operation[] = [
        write(name, 'x'),
        { op: 'link', path: bad, target: 'there.txt', from: null },
        { op: 'folder', path: bad },
        { op: 'remove', path: bad },
        { op: 'move', path: bad, to: path('b') },
        { op: 'move', path: path('there.txt'), to: bad },
      ]
      const codes = [
        ...(await Promise.all(
          operations.map((operation) => refusal(own.run('files.change', { operations: [operation] }))),
        )),
        await refusal(own.run('files.stat', { path: bad, at: null })),
        await refusal(own.run('files.list', { path: bad, at: null })),
        await refusal(own.run('erase.preview', { path: bad })),
      ]
      expect([name.slice(0, 40), new Set(codes)]).toEqual([name.slice(0, 40), new Set(['path.invalid'])])
      const error = (await own.run('files.stat', { path: bad, at: null }).catch((reason: unknown) => reason)) as Error
      expect(error.message.length).toBeLessThan(300)
    }
    expect(await own.run('tree', { at: null })).toEqual(before)
    await own.close()
  })

  test('is refused where its bytes are not UTF-8, on the socket and on the command line', async () => {
    const home = temporaryFolder()
    const supervisor = await startSupervisor(home)
    await command(home, 'computer.add', { name: 'one' })
    const body = JSON.stringify({
      user: null,
      computer: 'one',
      command: 'files.change',
      input: { operations: [write('QQ', 'x')] },
    })
    const bytes = Buffer.from(body.replace('QQ', '\u00ff\u00fe'), 'latin1')
    expect(await ask(home, 'POST', '/command', bytes)).toMatchObject({ status: 400, code: 'request.invalid' })
    const raw = await choir(home, ['write', 'PLACE'], 'x', [
      'bash',
      '-c',
      'exec "${@/PLACE/$(printf "\\xff\\xfe")}"',
      'bash',
    ])
    expect([raw.code, raw.error]).toEqual([1, expect.stringContaining('UTF-8')])
    expect(resultOf(await command(home, 'tree', { at: null }, 'one'))).toMatchObject({ files: {} })
    await supervisor.stop()
  })

  test('is refused where it lies in a folder that no computer keeps', async () => {
    const own = openTestHome(temporaryFolder())
    for (const name of ['node_modules', 'node_modules/a', 'a/.git', '.git/config', 'app/dist/x', '.vite/deps']) {
      expect(await refusal(own.run('files.change', { operations: [write(name, 'x')] }))).toBe('path.ignored')
      expect(
        await refusal(
          own.run('files.change', { operations: [write('x', 'x'), { op: 'move', path: path('x'), to: path(name) }] }),
        ),
      ).toBe('path.ignored')
    }
    expect((await own.run('tree', { at: null })).files).toEqual({})
    await own.close()
  })
})

test('a link that leads out of the computer is refused', async () => {
  const own = openTestHome(temporaryFolder())
  for (const target of [
    '',
    '/etc/passwd',
    '..',
    '../..',
    'a/../../b',
    'a/..',
    'a\0b',
    'a\\b',
    '\ud800',
    'x'.repeat(1025),
    'x'.repeat(1024 * 1024),
  ]) {
    const code = await refusal(
      own.run('files.change', { operations: [{ op: 'link', path: path('link'), target, from: null }] }),
    )
    expect([target.slice(0, 40), code]).toEqual([target.slice(0, 40), 'link.outside'])
  }
  for (const target of ['a', './a', 'a/./b', 'a//b', 'loop']) {
    await own.run('files.change', {
      operations: [{ op: 'link', path: path(`links/${target.replaceAll('/', '-')}`), target, from: null }],
    })
  }
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })
  await own.close()
})

test('unusual names are kept byte for byte: on disk, in git, through export and import, undo and restore', async () => {
  const own = openTestHome(temporaryFolder())
  const names = [...LEGAL, ...NOT_FOR_GIT]
  await own.run('files.change', { operations: names.map((name) => write(name, `content of ${name}`)) }, {})
  const { hash, files } = await own.run('tree', { at: null })
  expect(Object.keys(files).toSorted()).toEqual(names.toSorted())
  const computer = await own.computer()
  for (const name of names)
    expect(readFileSync(join(computer.folder, PLACES.tree, name), 'utf8')).toBe(`content of ${name}`)
  expect(await own.run('verify', {})).toMatchObject({ ok: true, mended: [] })

  const { commit } = await own.run('checkpoint', { name: 'line\nbreak "quoted"\nChoir-Seq: 1' })
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', join(computer.folder, PLACES.git), ...args]).toString('utf8')
  expect(
    git('ls-tree', '-r', '-z', '--name-only', commit ?? '')
      .split('\0')
      .filter(Boolean)
      .toSorted(),
  ).toEqual(LEGAL.toSorted())
  expect(git('show', `${commit}:line\nbreak`)).toBe('content of line\nbreak')
  await own.run('checkpoint', { name: 'second' })
  expect(git('rev-list', '--count', 'main').trim()).toBe('2')

  await importCopy(own, await exportOf(own), 'copy')
  expect((await own.run('tree', { at: null }, { computer: 'copy' })).hash).toBe(hash)
  expect(await own.run('verify', {}, { computer: 'copy' })).toMatchObject({ ok: true, mended: [] })

  const original = { computer: computer.id }
  for (const name of names)
    await own
      .run(
        'files.change',
        { operations: [{ op: 'move', path: path(name), to: path(`moved/${name}`.slice(0, 1000)) }] },
        original,
      )
      .catch(() => {})
  await own.run('restore', { to: 2 as never }, original)
  expect((await own.run('tree', { at: null }, original)).hash).toBe(hash)
  await own.close()
})

test('names that differ only in case, or in how an accent is written, are different files', async () => {
  const own = openTestHome(temporaryFolder())
  await own.run('files.change', { operations: ['A', 'a', 'caf\u00e9', 'cafe\u0301'].map((name) => write(name, name)) })
  await own.run('files.change', {
    operations: [
      { op: 'remove', path: path('a') },
      { op: 'remove', path: path('caf\u00e9') },
    ],
  })
  expect(Object.keys((await own.run('tree', { at: null })).files)).toEqual(['A', 'cafe\u0301'])
  expect(lstatSync(join((await own.computer()).folder, PLACES.tree, 'A')).isFile()).toBe(true)
  await own.close()
})

test(
  'the command line shows every name in full and lets none of them drive the terminal',
  { timeout: 60_000 },
  async () => {
    const home = temporaryFolder()
    const own = openTestHome(home)
    await own.run('files.change', { operations: LEGAL.map((name) => write(name, 'x')) })
    await own.run('checkpoint', { name: 'red \u001b[31m' })
    await own.close()
    const { files } = (await choirHere(home, ['tree', '--json'])).json() as { files: Record<string, unknown> }
    expect(Object.keys(files).toSorted()).toEqual(LEGAL.toSorted())
    const outputs = [
      await choirHere(home, ['ls']),
      await choirHere(home, ['tree']),
      await choirHere(home, ['events']),
      await choirHere(home, ['checkpoint', '--list']),
      await choirHere(home, ['undo', '--preview']),
      await choirHere(home, ['cat', 'no such \u001b[31m\u202efile']),
      await choirHere(home, ['mv', 'line\nbreak', 'no such\u001b]0;title\u0007/../x']),
      await choirHere(home, ['--', 'rm', '-rf']),
    ]
    // Everything but the line ends that the command line itself writes.
    const driving =
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/
    for (const { text, error } of outputs)
      expect(`${text}${error}`.split('\n').filter((line) => driving.test(line))).toEqual([])
    expect(outputs[0]?.text.trim().split('\n')).toHaveLength(new Set(LEGAL.map((name) => name.split('/')[0])).size)
  },
)
