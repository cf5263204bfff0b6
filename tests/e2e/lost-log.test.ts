import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { choirHere } from '../support/choir.ts'
import { ask, startAll, type Asked, type Running } from '../support/front-door.ts'
import { openTestHome, removeFolders, temporaryFolder } from '../support/home.ts'
import { write } from '../hostile/damage.ts'

/** A home whose log lost its newest events with the write-ahead file, as after kill -9 and a damaged disk. */
async function lostHome(): Promise<string> {
  const folder = temporaryFolder()
  const first = openTestHome(folder)
  await first.run('files.change', { operations: [write('artifacts/early.txt', 'early\n')] })
  await first.close()
  const own = openTestHome(folder)
  for (const name of ['one', 'two'])
    await own.run('files.change', { operations: [write(`artifacts/${name}.txt`, `${name}\n`)] })
  const killed = join(temporaryFolder(), 'home')
  cpSync(folder, killed, { recursive: true })
  await own.close()
  const computers = join(killed, 'computers')
  rmSync(join(computers, readdirSync(computers)[0] ?? '', `${PLACES.log}-wal`))
  return killed
}

describe('[L8] a computer whose log lost something', { timeout: 120_000 }, () => {
  let home = ''
  let running: Running
  let cookie = ''
  const origin = () => `http://localhost:${running.port}`
  const frame = (path: string, more: Asked = {}) =>
    ask(running.port, path, { ...more, headers: { cookie, origin: origin(), ...more.headers } })

  beforeAll(async () => {
    home = await lostHome()
    running = await startAll(home)
    const body = JSON.stringify({ code: new URL(running.link).hash.slice(1) })
    const signedIn = await frame('/sign-in', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
  }, 120_000)
  afterAll(async () => {
    await running?.stop()
    removeFolders()
  })

  test('leads to the rescue page, which says what is missing, offers what is left, and brings it back', async () => {
    expect(await frame('/')).toMatchObject({ status: 303, headers: { location: '/rescue' } })
    const { text } = await frame('/rescue')
    expect(text).toContain('The newest 2 entries of your computer’s history are missing.')
    expect(text.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(/\bevents? \d/)
    for (const path of ['artifacts/one.txt', 'artifacts/two.txt']) expect(text).toContain(`<li>${path} (added)</li>`)
    expect((await choirHere(home, ['recover'])).text).toContain('2 files can be brought back')
    expect((await frame('/export?rescue=1')).status).toBe(200)
    expect((await frame('/rescue/recover', { method: 'POST' })).text).toContain(
      'Your computer goes on. 2 files were brought back.',
    )
    expect((await frame('/')).status).toBe(200)
    expect((await choirHere(home, ['cat', 'artifacts/two.txt'])).text).toBe('two\n')
    expect((await choirHere(home, ['verify'])).code).toBe(0)
  })
})
