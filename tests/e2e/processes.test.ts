import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { choir } from '../support/choir.ts'
import { ask, startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { isAlive, partsOf } from '../support/processes.ts'

const SOON = { timeout: 20_000, interval: 50 }

describe('the processes of ChoirOS', { timeout: 90_000 }, () => {
  let home = ''
  let running: Running
  beforeEach(async () => {
    home = temporaryFolder()
    running = await startAll(home)
  })
  afterEach(async () => {
    await running.stop()
    removeFolders()
  })

  const isWell = async () => (await ask(running.port, '/health').catch(() => null))?.status === 200
  const write = () => choir(home, ['write', 'artifacts/a.txt'], 'kept')

  test('kill -9 of the launcher leaves nobody behind, and the next start finds the home free', async () => {
    const { launcher, supervisor, frontDoor } = partsOf(home)
    await write()
    process.kill(launcher, 'SIGKILL')
    await expect.poll(() => [supervisor, frontDoor].filter(isAlive), SOON).toEqual([])
    const next = await startAll(home)
    expect((await choir(home, ['cat', 'artifacts/a.txt'])).text).toBe('kept')
    await next.stop()
  })

  test('a part that dies is said to have died and comes back; the others and the sign-in stay', async () => {
    const code = running.link.split('#')[1] ?? ''
    const origin = `http://localhost:${running.port}`
    const signedIn = await ask(running.port, '/sign-in', {
      method: 'POST',
      headers: { origin },
      body: JSON.stringify({ code }),
    })
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    const isSignedIn = async () =>
      (await ask(running.port, '/computer', { headers: { cookie } }).catch(() => null))?.status === 200
    expect(await isSignedIn()).toBe(true)
    const before = partsOf(home)

    process.kill(before.supervisor, 'SIGKILL')
    await expect.poll(() => running.output(), SOON).toContain('the supervisor ended (SIGKILL); starting it again')
    await expect.poll(() => running.output(), SOON).toContain('the supervisor is running again')
    await expect.poll(isSignedIn, SOON).toBe(true)
    await expect
      .poll(async () => (await choir(home, ['status', '--json'])).json(), SOON)
      .toMatchObject({ running: true, address: origin })

    process.kill(before.frontDoor, 'SIGKILL')
    await expect.poll(() => running.output(), SOON).toContain('the front door is running again')
    await expect.poll(isSignedIn, SOON).toBe(true)
    const after = partsOf(home)
    expect([after.launcher, after.supervisor === before.supervisor, after.frontDoor === before.frontDoor]).toEqual([
      before.launcher,
      false,
      false,
    ])
  })

  test('a start on a held home names process, address and the command that ends it, and that command does', async () => {
    const { launcher, supervisor, frontDoor } = partsOf(home)
    const second = await startAll(home).then(
      () => 'it started',
      (error: Error) => error.message,
    )
    expect(second).toContain(`process ${supervisor}, http://localhost:${running.port}`)
    expect(second).toContain(`"choir stop --all --home ${home}"`)
    expect(await isWell()).toBe(true)
    // Just now: a stop without --all would let ChoirOS go on.
    expect((await choir(home, ['prompt', 'make the accent teal', '--wait'])).code).toBe(0)
    expect(await choir(home, ['stop', '--all'])).toMatchObject({ code: 0, text: 'ChoirOS has ended\n' })
    expect([launcher, supervisor, frontDoor].filter(isAlive)).toEqual([])
    expect(await choir(home, ['stop'])).toMatchObject({ code: 0, text: 'ChoirOS is not running\n' })
  })

  test('stop ends what is going on first; only where nothing is, ChoirOS itself', async () => {
    await choir(home, ['prompt', 'make the accent teal', '--wait'])
    expect((await choir(home, ['stop'])).text).toContain('nothing is going on any more')
    expect(await isWell()).toBe(true)
    expect((await choir(home, ['stop', '--all'])).text).toBe('ChoirOS has ended\n')
    expect(await isWell()).toBe(false)
  })
})
