import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choir } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { launchBrowser } from '../support/browsers.ts'
import { commandOf, descendantsOf, isAlive, partsOf } from '../support/processes.ts'
import { signIn } from '../support/person.ts'

const LATER = { timeout: 150_000, interval: 500 }

/** SIGSTOP is a hang as the worst loop makes it: the process is there, and does nothing. */
describe('what hangs is found and replaced', () => {
  let home = ''
  let running: Running
  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
  })
  afterAll(async () => {
    await running.stop()
    removeFolders()
  })
  const find = (part: string) =>
    descendantsOf(partsOf(home).supervisor).filter(
      (pid) => commandOf(pid).includes(part) && !commandOf(pid).includes('bwrap'),
    )

  test('a Director that hangs is replaced, and the next wish is done', async () => {
    await choir(home, ['prompt', 'make the accent teal', '--wait'])
    const [director = 0] = find('director.mjs')
    process.kill(director, 'SIGSTOP')
    await expect.poll(() => isAlive(director), LATER).toBe(false)
    expect(running.output()).toMatch(/the Director .* hangs/)
    expect((await choir(home, ['prompt', 'make the accent red', '--wait'])).code).toBe(0)
  })

  test('a desk that hangs is replaced, and the page comes back', async () => {
    const browser = await launchBrowser('chromium')
    const person = await signIn(browser, running.link)
    const [vite = 0] = find('vite.js')
    process.kill(vite, 'SIGSTOP')
    await expect.poll(() => isAlive(vite), LATER).toBe(false)
    await person.page.reload()
    await person.desktop()
    await browser.close()
  })

  test('a supervisor that hangs is told by choir doctor, which ends, and is ended by choir stop all the same', async () => {
    const { launcher, supervisor, frontDoor } = partsOf(home)
    process.kill(supervisor, 'SIGSTOP')
    const hung = await choir(home, ['doctor', '--json'])
    expect([hung.code, (hung.json() as { findings: object[] }).findings.at(-1)]).toEqual([
      1,
      expect.objectContaining({ about: 'home', state: 'bad', todo: expect.stringContaining('choir stop --all') }),
    ])
    expect((await choir(home, ['stop'])).text).toContain('was killed')
    await expect.poll(() => [launcher, supervisor, frontDoor].filter(isAlive), LATER).toEqual([])
  })
})
