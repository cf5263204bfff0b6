/// <reference lib="dom" />
import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RunView } from '@choiros/contract/run-view.ts'
import { launchBrowser } from '../support/browsers.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { signIn, type Person } from '../support/person.ts'
import { plant, plantAgents } from '../support/plant.ts'

const SEEN = { timeout: 30_000, interval: 200 }
const TASKBAR = 'app/shell/taskbar.tsx'
// Only where a person has it open: elsewhere `render` would refuse it.
const throwing = (text: string, what: string) =>
  text.replace(
    /(export function Taskbar\([^)]*\)[^{]*\{)/,
    `$1\n  if ('choirWhere' in globalThis) throw new Error('${what}')`,
  )

/** The process of the desk that a supervisor runs. */
function deskOf(supervisor: number): number {
  const all = execFileSync('ps', ['-e', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((found) =>
      found === null ? [] : [{ pid: Number(found[1]), parent: Number(found[2]), text: found[3] ?? '' }],
    )
  const isBelow = (pid: number): boolean =>
    pid === supervisor || all.some((one) => one.pid === pid && one.parent > 1 && isBelow(one.parent))
  const desk = all.find(({ pid, text }) => text.includes('--hostname desk') && isBelow(pid))
  if (desk === undefined) throw new Error('there is no desk')
  return desk.pid
}

/**
 * What lands while nobody looks is judged by the next one who does; where a bad landing cannot be taken back there is
 * safe mode.
 */
describe('[L8] health', { timeout: 120_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let log: ReturnType<typeof lookAt>
  const land = async (path: string, text: string) => {
    const shell = `cat > ${path} <<'PLANTED'\n${text.replace(/\n$/, '')}\nPLANTED`
    return (await choirHere(home, ['prompt', plant({ writes: [], shell }), '--wait', '--json'])).json() as RunView
  }
  const newest = async () => (await log.runs())[0]
  const checkpoints = async () =>
    ((await choirHere(home, ['checkpoint', '--list', '--json'])).json() as unknown[]).length
  const people: Person[] = []
  const signInAnew = async () => {
    const person = await signIn(browser, await log.link())
    people.push(person)
    return person
  }
  const notice = (person: Person) => person.page.$eval('#notice', (element) => element.textContent)
  const safeText = (person: Person) =>
    person.page.$eval('#safe', (element) => ((element as HTMLElement).hidden ? '' : element.textContent))

  beforeAll(async () => {
    home = temporaryFolder()
    log = lookAt(home)
    await plantAgents(home)
    running = await startAll(home)
    browser = await launchBrowser('chromium')
  }, 120_000)
  afterEach(() => Promise.all(people.splice(0).map(({ context }) => context.close())))
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  test('a good change that lands with no page open is judged, and gets its checkpoint, when one opens', async () => {
    const css = await log.cat('app/shell/desktop.css')
    const before = await checkpoints()
    expect(await land('app/shell/desktop.css', `${css}\n.planted {\n  color: red;\n}`)).toMatchObject({
      status: 'landed',
      health: 'unknown',
    })
    expect(await checkpoints()).toBe(before)
    await signInAnew()
    await expect.poll(async () => (await newest())?.health, SEEN).toBe('ok')
    await expect.poll(checkpoints, SEEN).toBe(before + 1)
  })

  test('a bad one is taken back by itself when a page opens, and the frame says why', async () => {
    const before = await log.treeHash()
    expect(await land(TASKBAR, throwing(await log.cat(TASKBAR), 'planted: nobody saw it'))).toMatchObject({
      status: 'landed',
      health: 'unknown',
    })
    const person = await signInAnew()
    await expect
      .poll(newest, SEEN)
      .toMatchObject({ status: 'reverted', reason: expect.stringContaining('nobody saw it') as string })
    expect(await log.treeHash()).toBe(before)
    await person.desktop()
    await expect.poll(() => notice(person), SEEN).toContain('nobody saw it')
  })

  test('a hidden page does not judge; it does when it is looked at again', async () => {
    const person = await signInAnew()
    const other = await person.context.newPage()
    await other.bringToFront()
    await expect.poll(() => person.page.evaluate(() => document.visibilityState), SEEN).toBe('hidden')
    const run = await land(TASKBAR, throwing(await log.cat(TASKBAR), 'planted: behind your back'))
    expect(run).toMatchObject({ status: 'landed', health: 'unknown' })
    await person.page.bringToFront()
    await expect
      .poll(newest, SEEN)
      .toMatchObject({ status: 'reverted', reason: expect.stringContaining('behind your back') as string })
    await expect.poll(() => notice(person), SEEN).toContain('behind your back')
    await person.desktop()
  })

  const plainChange = async () =>
    land('app/shell/desktop.css', `${await log.cat('app/shell/desktop.css')}\n.planted-again {\n  color: red;\n}`)

  test('a page that sleeps takes back nothing: the others judge, and where there are none, the next one', async () => {
    const other = await launchBrowser('chromium')
    const group = -(other.process()?.pid ?? 0) // Every process of that browser, as when a lid is closed.
    try {
      await (await signIn(other, await log.link())).desktop()
      const person = await signInAnew()
      await person.desktop()
      process.kill(group, 'SIGSTOP')
      expect(await plainChange()).toMatchObject({ status: 'landed', health: 'ok' })
      await person.context.close()
      people.splice(0)
      await delay(3000)
      expect(await plainChange()).toMatchObject({ status: 'landed', health: 'unknown' })
      process.kill(group, 'SIGCONT')
      await expect.poll(async () => (await newest())?.health, SEEN).toBe('ok')
    } finally {
      process.kill(group, 'SIGCONT')
      await other.close()
    }
  })

  test('an app that is removed while someone looks leaves nothing behind that counts against this wish or the next', async () => {
    const person = await signInAnew()
    await person.desktop()
    for (const wish of ['a list for the picnic', 'remove the picnic list', 'make the accent teal']) {
      await choirHere(home, ['prompt', wish, '--wait'])
      expect(await newest()).toMatchObject({ text: wish, reason: null, status: 'landed', health: 'ok' })
    }
  })

  test('a desk that dies is not blamed on the next wish', async () => {
    const person = await signInAnew()
    await person.desktop()
    process.kill(deskOf(((await choirHere(home, ['status', '--json'])).json() as { pid: number }).pid), 'SIGKILL')
    await plainChange()
    await expect.poll(async () => (await newest())?.health, SEEN).toBe('ok')
    expect(await newest()).toMatchObject({ status: 'landed' })
    await person.desktop()
  })

  test('a wish that did not touch the desktop’s code is not blamed for code that someone broke by hand', async () => {
    const good = await log.cat(TASKBAR)
    await choirHere(home, ['write', TASKBAR], throwing(good, 'planted: by hand'))
    expect((await choirHere(home, ['prompt', 'make the accent coral', '--wait'])).code).toBe(0)
    const context = await browser.createBrowserContext()
    try {
      const page = await context.newPage()
      await page.goto(await log.link())
      await page.waitForSelector('#broken-text')
      await expect.poll(() => page.$eval('#broken-text', (element) => element.textContent), SEEN).toContain('by hand')
      expect(await newest()).toMatchObject({ status: 'landed' })
    } finally {
      await context.close()
      await choirHere(home, ['write', TASKBAR], good)
    }
  })

  test('one that cannot be taken back leads to safe mode; the frame says so, and Leave leads out', async () => {
    const good = await log.cat(TASKBAR)
    const bad = throwing(good, 'planted: stays')
    expect(await land(TASKBAR, bad)).toMatchObject({ health: 'unknown' })
    await choirHere(home, ['write', TASKBAR], bad.replace('planted: stays', 'planted: edited since'))
    const person = await signInAnew()
    await expect.poll(() => safeText(person), SEEN).toContain('as it last worked')
    await person.desktop()
    expect(await newest()).toMatchObject({ status: 'landed', health: 'bad' })
    expect(await log.cat(TASKBAR)).toContain('planted: edited since')

    // Changes still land; the page that shows another tree says nothing about them.
    expect(
      await land(TASKBAR, good.replace('aria-label="Taskbar"', 'aria-label="Taskbar" data-mended=""')),
    ).toMatchObject({ health: 'unknown' })
    expect(await (await person.desktop()).$('[data-mended]')).toBeNull()
    await person.press('Leave safe mode')
    await expect.poll(async () => (await person.desktop()).$('[data-mended]'), SEEN).not.toBeNull()
    await expect.poll(() => safeText(person), SEEN).toBe('')
    await expect.poll(async () => (await newest())?.health, SEEN).toBe('ok')
  })
})
