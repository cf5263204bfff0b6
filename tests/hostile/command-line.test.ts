import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CODES } from '@choiros/contract/error.ts'
import { choir, choirHere, startSupervisor } from '../support/choir.ts'
import { removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'

removeFoldersAfterEach()

const MAIN = fileURLToPath(new URL('../../command-line/main.ts', import.meta.url))

let home: string
let supervisor: Awaited<ReturnType<typeof startSupervisor>>
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'choir-line-'))
  supervisor = await startSupervisor(home)
  for (const text of ['one', 'two', 'three']) await choirHere(home, ['write', 'a.txt'], text)
})
afterAll(async () => {
  await supervisor.stop()
  rmSync(home, { recursive: true, force: true })
})

const head = async () => ((await choirHere(home, ['tree', '--json'])).json() as { seq: number }).seq

/** What a person may get wrong, and the code that tells them. */
const MISTAKES: readonly (readonly [readonly string[], string])[] = [
  [['undoo'], 'request.invalid'],
  [['toString'], 'request.invalid'],
  [['__proto__'], 'request.invalid'],
  [['undo', '--preveiw'], 'request.invalid'],
  [['undo', '--exec'], 'request.invalid'],
  [['ls', '--yes'], 'request.invalid'],
  [['undo', '--run', 'r1', '--event', '2'], 'request.invalid'],
  [['undo', '--event', '2', '--to', '2'], 'request.invalid'],
  [['undo', '--event'], 'request.invalid'],
  [['undo', '--event', 'x'], 'request.invalid'],
  [['undo', '--event', '0'], 'request.invalid'],
  [['undo', '--event=-1'], 'request.invalid'],
  [['undo', '--event', '1.5'], 'request.invalid'],
  [['undo', '--event', '1e3'], 'request.invalid'],
  [['undo', '--event', '99999999999999999999'], 'request.invalid'],
  [['undo', '--event', '999999'], 'point.unknown'],
  [['undo', '--to', '999999'], 'point.unknown'],
  [['undo', '--run', 'no-such-run'], 'run.unknown'],
  [['undo', '--run', 'No Such Run'], 'request.invalid'],
  [['undo', 'extra'], 'request.invalid'],
  [['redo'], 'undo.nothing'],
  [['restore'], 'request.invalid'],
  [['restore', 'no such checkpoint'], 'point.unknown'],
  [['restore', '0'], 'request.invalid'],
  [['restore', '999999'], 'point.unknown'],
  [['restore', '1', '2'], 'request.invalid'],
  [['cat'], 'request.invalid'],
  [['cat', 'no/such/file'], 'path.unknown'],
  [['cat', '../../etc/passwd'], 'path.invalid'],
  [['cat', 'a.txt', '--at', '0'], 'request.invalid'],
  [['cat', 'a.txt', '--at', '1'], 'path.unknown'],
  [['cat', 'a.txt', '--at', '999999'], 'point.unknown'],
  [['tree', '--at', '999999'], 'point.unknown'],
  [['ls', 'no-such'], 'path.unknown'],
  [['write'], 'request.invalid'],
  [['write', ''], 'path.invalid'],
  [['write', 'a.txt', '--from', 'x'], 'request.invalid'],
  [['write', 'a.txt', '--from', 'none'], 'file.conflict'],
  [['write', 'a.txt/below'], 'path.conflict'],
  [['write', 'link', '--symlink', '/etc'], 'link.outside'],
  [['rm', 'no-such'], 'path.unknown'],
  [['mv', 'a.txt'], 'request.invalid'],
  [['mv', 'no-such', 'b'], 'path.unknown'],
  [['mv', 'a.txt', 'a.txt/b'], 'path.conflict'],
  [['mkdir', 'a.txt'], 'path.conflict'],
  [['computer'], 'request.invalid'],
  [['computer', 'add'], 'request.invalid'],
  [['computer', 'add', 'Not A Name'], 'request.invalid'],
  [['computer', 'remove', 'x'], 'request.invalid'],
  [['computer', 'list', 'x'], 'request.invalid'],
  [['checkpoint', 'x'.repeat(300)], 'request.invalid'],
  [['checkpoint', ''], 'request.invalid'],
  [['fork'], 'request.invalid'],
  [['fork', 'new', '--at', '999999'], 'point.unknown'],
  [['import'], 'request.invalid'],
  [['import', '/no/such/file'], 'request.invalid'],
  [['import', '/tmp'], 'request.invalid'],
  [['export'], 'request.invalid'],
  [['export', '/no/such/folder/file'], 'request.invalid'],
  [['export', '/tmp'], 'request.invalid'],
  [['replay', '--to', '999999'], 'point.unknown'],
  [['replay', '--into', '/tmp'], 'request.invalid'],
  [['erase', 'no-such'], 'path.unknown'],
  [['events', '--after', 'x'], 'request.invalid'],
  [['ls', '--computer', 'no-such'], 'computer.unknown'],
  [['ls', '--computer', 'x'.repeat(200)], 'request.invalid'],
  [['ls', '--user', 'Not A User'], 'request.invalid'],
  [['ls', '--user', 'nobody'], 'computer.unknown'],
]

describe('a mistake is told in one sentence, with a code for machines, and changes nothing:', () => {
  const chunks = Array.from({ length: Math.ceil(MISTAKES.length / 10) }, (_, index) =>
    MISTAKES.slice(index * 10, index * 10 + 10),
  )
  for (const [index, chunk] of chunks.entries()) {
    test(`mistakes ${index * 10 + 1} to ${index * 10 + chunk.length}`, { timeout: 60_000 }, async () => {
      const before = await head()
      const outcomes = await Promise.all(chunk.map(([args]) => choirHere(home, [...args, '--json'], 'text')))
      for (const [order, [args, code]] of chunk.entries()) {
        const outcome = outcomes[order]
        const { error } = JSON.parse(outcome?.text ?? '') as { error: { code: string; message: string } }
        expect([args, outcome?.code, error.code, outcome?.error]).toEqual([args, 1, code, ''])
        expect(ERROR_CODES).toContain(error.code)
        expect([args, error.message]).toEqual([args, expect.stringMatching(/^[^\n]{10,400}$/)])
        expect(error.message).not.toMatch(/\bundefined\b|\[object|Invalid input|Too (big|small)|expected \w+, received/)
      }
      expect(await head()).toBe(before)
    })
  }

  test('for people it goes to standard error, and nothing to standard output', async () => {
    const outcome = await choirHere(home, ['cat', 'no/such/file'])
    expect(outcome).toMatchObject({ code: 1, text: '', error: 'choir: there is nothing at "no/such/file"\n' })
  })
})

describe('help', () => {
  test('is given when asked for, and when nothing is said, which is a mistake', async () => {
    const [asked, option, nothing] = await Promise.all([
      choir(home, ['help']),
      choir(home, ['undo', '--help']),
      choir(home, []),
    ])
    expect([asked.code, option.code, nothing.code]).toEqual([0, 0, 1])
    for (const { text } of [asked, option, nothing]) expect(text).toContain('choir undo')
  })
})

describe('after a fork', () => {
  test('commands that name no computer mean the first one still, which has a name to be read', async () => {
    const folder = temporaryFolder()
    const started = await startSupervisor(folder)
    try {
      await choir(folder, ['write', 'a.txt'], 'first')
      expect(await choir(folder, ['fork', 'aaa'])).toMatchObject({
        code: 0,
        text: expect.stringContaining('--computer aaa'),
      })
      await choir(folder, ['write', 'a.txt', '--computer', 'aaa'], 'forked')
      await choir(folder, ['write', 'b.txt'], 'mine')
      const read = (...args: string[]) => choir(folder, args).then(({ text }) => text)
      const [status, events, mine, named, forked] = await Promise.all([
        read('status', '--json'),
        read('events'),
        read('cat', 'a.txt'),
        read('cat', 'a.txt', '--computer', 'my-computer'),
        read('cat', 'a.txt', '--computer', 'aaa'),
      ])
      expect((JSON.parse(status) as { computers: { name: string }[] }).computers.map(({ name }) => name)).toEqual([
        'my-computer',
        'aaa',
      ])
      expect([mine, named, forked, events.includes('fork')]).toEqual(['first', 'first', 'forked', false])
      expect(await read('undo')).toContain('Added “b.txt”')
    } finally {
      await started.stop()
    }
  })
})

describe('events --follow', () => {
  for (const mode of ['running', 'stopped'] as const) {
    test(`shows what another process writes, at once, on a ${mode} system`, async () => {
      const folder = mode === 'running' ? home : temporaryFolder()
      await choir(folder, ['write', 'before.txt'], 'before')
      const child = spawn(process.execPath, [MAIN, '--home', folder, 'events', '--follow', '--json'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      try {
        const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
        const next = async () =>
          JSON.parse((await lines.next()).value as string) as { seq: number; data: { changes?: { path: string }[] } }
        let event = await next()
        while (event.data.changes?.[0]?.path !== 'before.txt') event = await next()
        const { seq } = (await choir(folder, ['write', 'followed.txt', '--json'], 'new')).json() as { seq: number }
        expect(await next()).toMatchObject({ seq, data: { changes: [{ path: 'followed.txt' }] } })
      } finally {
        child.kill()
        await once(child, 'close')
      }
    })
  }
})

describe('when ChoirOS is killed in the middle', () => {
  const begin = (folder: string, args: readonly string[]) => {
    const child = spawn(process.execPath, [MAIN, '--home', folder, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
    let complaint = ''
    child.stderr.on('data', (data: Buffer) => (complaint += data.toString()))
    child.stdin.on('error', () => {})
    return { child, ended: (once(child, 'close') as Promise<[number]>).then(([code]) => [code, complaint]) }
  }

  test('whoever waits is told so in one sentence', { timeout: 60_000 }, async () => {
    const folder = temporaryFolder()
    const running = await startSupervisor(folder)
    await choir(folder, ['write', 'a.txt'], 'a')
    const follower = begin(folder, ['events', '--follow'])
    await once(follower.child.stdout, 'data')
    const uploader = begin(folder, ['write', 'b.txt'])
    uploader.child.stdin.write(Buffer.alloc(1_000_000))
    const uploading = () =>
      readdirSync(join(folder, 'computers'), { recursive: true }).some((name) => name.toString().includes('.partial-'))
    while (!uploading()) await new Promise((resolve) => setTimeout(resolve, 50))
    await running.stop('SIGKILL')
    const told = [1, expect.stringMatching(/^choir: [^\n]+\n$/)]
    expect([await uploader.ended, await follower.ended]).toEqual([told, told])
    expect((await choir(folder, ['cat', 'a.txt'])).text).toBe('a')
    expect(uploading()).toBe(false)
  })
})

describe('files beside the computer', () => {
  test('an export that fails leaves no half of a file, and never touches what was there', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'taken'))
    expect((await choir(home, ['export', join(folder, 'taken')])).code).toBe(1)
    writeFileSync(join(folder, 'old.choir'), 'an older export')
    expect((await choir(home, ['export', join(folder, 'old.choir'), '--computer', 'no-such'])).code).toBe(1)
    expect(readFileSync(join(folder, 'old.choir'), 'utf8')).toBe('an older export')
    // Somebody's database is no export, though it is a file of the same kind; an export may be replaced.
    const database = new Database(join(folder, 'mine.sqlite'))
    database.exec('CREATE TABLE mine (text)')
    database.close()
    const mine = readFileSync(join(folder, 'mine.sqlite'))
    expect((await choirHere(home, ['export', join(folder, 'mine.sqlite')])).code).toBe(1)
    expect(readFileSync(join(folder, 'mine.sqlite')).equals(mine)).toBe(true)
    const twice = async () => (await choirHere(home, ['export', join(folder, 'twice.choir')])).code
    expect([await twice(), await twice()]).toEqual([0, 0])
    expect(readdirSync(folder).toSorted()).toEqual(['mine.sqlite', 'old.choir', 'taken', 'twice.choir'])
  })

  test('replay writes only into an empty folder', async () => {
    const folder = temporaryFolder()
    expect((await choir(home, ['replay', '--into', join(folder, 'new')])).error).toBe('')
    expect(readFileSync(join(folder, 'new', 'a.txt'), 'utf8')).toBe('three')
    writeFileSync(join(folder, 'mine'), 'mine')
    expect((await choir(home, ['replay', '--into', folder])).code).toBe(1)
    expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine')
  })
})
