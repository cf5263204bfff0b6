import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { LOCK_NAME, SOCKET_NAME, TOKEN_NAME } from '@choiros/contract/home-folder.ts'
import { choir, choirHere, startSupervisor } from '../support/choir.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { mountSmallDisk } from './small-disk.ts'

removeFoldersAfterEach()

const SUPERVISOR = fileURLToPath(new URL('../../supervisor/main.ts', import.meta.url))

async function startAndEnd(home: string): Promise<{ code: number | null; text: string; error: string }> {
  const child = spawn(process.execPath, [SUPERVISOR, '--home', home], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
  })
  let text = ''
  let error = ''
  child.stdout.on('data', (data: Buffer) => (text += data.toString()))
  child.stderr.on('data', (data: Buffer) => (error += data.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, text, error }
}

const oneSentence = expect.stringMatching(/^[^\n]+\n$/) as string

describe('several at once', () => {
  for (const first of ['existing', 'new'] as const) {
    test.runIf(IS_LONG_LANE)(
      `ten command lines on a stopped, ${first} home all succeed, and nothing is lost`,
      { timeout: 120_000 },
      async () => {
        const home = temporaryFolder()
        if (first === 'existing') await choirHere(home, ['computer', 'add', 'one'])
        const outcomes = await Promise.all(
          Array.from({ length: 10 }, (_, index) => choir(home, ['write', `file-${index}.txt`], `text ${index}`)),
        )
        expect(outcomes.map(({ code, error }) => [code, error])).toEqual(outcomes.map(() => [0, '']))
        const { files } = (await choirHere(home, ['tree', '--json'])).json() as { files: Record<string, unknown> }
        expect(Object.keys(files).filter((name) => name.startsWith('file-'))).toHaveLength(10)
        expect(((await choirHere(home, ['computer', 'list', '--json'])).json() as unknown[]).length).toBe(1)
        expect((await choirHere(home, ['verify'])).code).toBe(0)
        expect(existsSync(join(home, SOCKET_NAME))).toBe(false)
      },
    )
  }

  test('a second start on a home that is running says so in one sentence and fails', async () => {
    const home = temporaryFolder()
    const supervisor = await startSupervisor(home)
    expect(await startAndEnd(home)).toEqual({ code: 1, text: '', error: oneSentence })
    expect((await choirHere(home, ['status'])).text).toContain('is running')
    expect(await supervisor.stop()).toBe(0)
  })

  test('a supervisor that was killed leaves a home that the next one takes over', async () => {
    const home = temporaryFolder()
    const supervisor = await startSupervisor(home)
    expect((await choirHere(home, ['write', 'a.txt'], 'a')).code).toBe(0)
    await supervisor.stop('SIGKILL')
    expect(existsSync(join(home, SOCKET_NAME))).toBe(true)
    expect((await choirHere(home, ['cat', 'a.txt'])).text).toBe('a')
    const next = await startSupervisor(home)
    expect(await next.stop()).toBe(0)
  })
})

describe('a home', () => {
  test('on a path with spaces, quotes and other letters works like any other', async () => {
    const home = join(temporaryFolder(), 'a home of "mine" \u{1f98a} ünïcödé\nline')
    expect((await choirHere(home, ['write', 'a.txt'], 'a')).error).toBe('')
    expect((await choirHere(home, ['checkpoint', 'first'])).error).toBe('')
    const supervisor = await startSupervisor(home)
    expect((await choirHere(home, ['cat', 'a.txt'])).text).toBe('a')
    expect(await supervisor.stop()).toBe(0)
  })

  test('on a path longer than a socket may have works like any other', async () => {
    const home = join(temporaryFolder(), 'x'.repeat(120), 'y'.repeat(120))
    expect((await choirHere(home, ['write', 'a.txt'], 'a')).error).toBe('')
    const supervisor = await startSupervisor(home)
    expect((await choirHere(home, ['cat', 'a.txt'])).text).toBe('a')
    expect((await choirHere(home, ['verify'])).code).toBe(0)
    expect(await supervisor.stop()).toBe(0)
  })

  test('that is a file, or lies below one, is refused in one sentence with a code', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, 'I am a file')
    for (const home of [file, join(file, 'below')]) {
      expect(await startAndEnd(home)).toEqual({ code: 1, text: '', error: oneSentence })
      const outcome = await choirHere(home, ['write', 'a.txt', '--json'], 'a')
      expect([outcome.code, outcome.json()]).toEqual([
        1,
        { error: expect.objectContaining({ code: 'home.unusable' }) as unknown },
      ])
    }
  })

  test('that cannot be written is refused in one sentence with a code', async () => {
    const disk = mountSmallDisk(32)
    try {
      const home = join(disk.folder, 'home')
      expect((await choir(home, ['write', 'a.txt'], 'a')).code).toBe(0)
      disk.remount('ro')
      expect(await startAndEnd(home)).toEqual({ code: 1, text: '', error: oneSentence })
      const outcome = await choir(home, ['cat', 'a.txt', '--json'])
      expect([outcome.code, outcome.json()]).toEqual([
        1,
        { error: expect.objectContaining({ code: 'home.unusable' }) as unknown },
      ])
      expect(await startAndEnd(join(disk.folder, 'other'))).toMatchObject({ code: 1, error: oneSentence })
      disk.remount('rw')
      expect((await choir(home, ['cat', 'a.txt'])).text).toBe('a')
    } finally {
      disk.unmount()
    }
  })

  test('with a lock file that is damaged, or a folder, is refused in one sentence', async () => {
    for (const spoil of [(file: string) => writeFileSync(file, 'x'.repeat(5000)), (file: string) => mkdirSync(file)]) {
      const home = temporaryFolder()
      spoil(join(home, LOCK_NAME))
      expect(await startAndEnd(home)).toMatchObject({ code: 1, error: oneSentence })
    }
  })

  test('keeps its secrets to its owner, whatever the modes were', async () => {
    const home = join(temporaryFolder(), 'home')
    execFileSync('mkdir', ['-m', '777', home])
    expect((await choirHere(home, ['write', 'a.txt'], 'a')).code).toBe(0)
    chmodSync(join(home, TOKEN_NAME), 0o666)
    const supervisor = await startSupervisor(home)
    const modes = [
      TOKEN_NAME,
      SOCKET_NAME,
      'keys',
      'keys/signing.pem',
      'computers',
      ...readdirSync(join(home, 'computers')).map((id) => `computers/${id}`),
    ]
    for (const name of modes) expect([name, statSync(join(home, name)).mode & 0o077]).toEqual([name, 0])
    expect(await supervisor.stop()).toBe(0)
  })

  test('that does not exist is not made by asking how things stand', async () => {
    const home = join(temporaryFolder(), 'nothing')
    expect((await choirHere(home, ['status', '--json'])).json()).toMatchObject({ running: false, computers: [] })
    expect(existsSync(home)).toBe(false)
    for (const args of [['ls'], ['cat', 'a'], ['undo'], ['verify'], ['export', join(home, 'x')]]) {
      const outcome = await choirHere(home, [...args, '--json'])
      expect([args, outcome.code, outcome.json()]).toEqual([
        args,
        1,
        { error: expect.objectContaining({ code: 'computer.unknown' }) as unknown },
      ])
    }
  })
})
