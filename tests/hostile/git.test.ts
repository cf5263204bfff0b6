import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder, type TestHome } from '../support/home.ts'
import { fillHome, write } from './damage.ts'

removeFoldersAfterEach()

const { PATH } = process.env
afterEach(() => {
  process.env.PATH = PATH
})

const quiet = { warn: () => {} }

async function commits(own: TestHome): Promise<string[]> {
  const git = join((await own.computer()).folder, PLACES.git)
  return execFileSync('git', ['--git-dir', git, 'log', '--format=%s', 'main']).toString().trim().split('\n')
}

describe('git is only a picture of the log:', () => {
  test('without it everything else works, a checkpoint says that it is in the log alone, and later it is in git as well', async () => {
    process.env.PATH = '/nowhere'
    const folder = temporaryFolder()
    const own = openTestHome(folder, quiet)
    await own.run('files.change', { operations: [write('a.txt', 'a')] })
    await expect(own.run('checkpoint', { name: 'first' })).rejects.toMatchObject({ code: 'git.failed' })
    expect(await own.run('checkpoint.list', {})).toMatchObject([{ name: 'first' }])
    await own.run('files.change', { operations: [write('b.txt', 'b')] })
    expect(await own.run('verify', {})).toMatchObject({ ok: true })
    await own.close()
    process.env.PATH = PATH
    const again = openTestHome(folder)
    await again.run('checkpoint', { name: 'second' })
    expect(await commits(again)).toEqual(['second', 'first'])
    await again.close()
  })

  for (const [name, spoil] of [
    ['gone', (git: string) => rmSync(git, { recursive: true })],
    ['empty', (git: string) => readdirSync(git).forEach((entry) => rmSync(join(git, entry), { recursive: true }))],
    ['without its head', (git: string) => rmSync(join(git, 'HEAD'))],
    [
      'with a branch that leads nowhere',
      (git: string) => writeFileSync(join(git, 'refs/heads/main'), `${'0'.repeat(39)}1\n`),
    ],
    ['without objects', (git: string) => rmSync(join(git, 'objects'), { recursive: true })],
    ['with a configuration that is none', (git: string) => writeFileSync(join(git, 'config'), '[core')],
    ['locked by somebody who died', (git: string) => writeFileSync(join(git, 'refs/heads/main.lock'), '')],
  ] as const) {
    test(`where its folder is ${name}, it is made again`, async () => {
      const folder = temporaryFolder()
      const own = openTestHome(folder)
      await fillHome(own)
      const place = (await own.computer()).folder
      await own.close()
      spoil(join(place, PLACES.git))
      const again = openTestHome(folder, quiet)
      const { commit } = await again.run('checkpoint', { name: 'after' })
      expect(commit).toMatch(/^[0-9a-f]{40}$/)
      expect(await commits(again)).toEqual(['after', 'filled'])
      execFileSync('git', ['--git-dir', join(place, PLACES.git), 'fsck', '--strict'], { stdio: 'pipe' })
      await again.close()
    })
  }
})
