/// <reference lib="dom" />
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { plant, plantAgents } from '../support/plant.ts'

const SEEN = { timeout: 20_000, interval: 200 }

/** The last way out: plain forms, in a browser that runs no script at all. */
describe('[L8] the rescue page without script', { timeout: 60_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page
  let log: ReturnType<typeof lookAt>
  const accent = () => log.cat('artifacts/system/accent.json')
  const press = async (button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    return page.getByRole('status').innerText()
  }

  beforeAll(async () => {
    home = temporaryFolder()
    log = lookAt(home)
    await plantAgents(home)
    running = await startAll(home)
    await choirHere(home, ['prompt', 'make the accent teal', '--wait'])
    browser = await launchChromium()
    const scripted = await browser.newContext()
    const signIn = await scripted.newPage()
    await signIn.goto(running.link)
    await signIn.getByRole('button', { name: 'Sign out' }).waitFor()
    const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await scripted.storageState() })
    await scripted.close()
    page = await plain.newPage()
    await page.goto(`http://localhost:${running.port}/rescue`)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  test('undoes and redoes, and says what', async () => {
    await page.getByText('Takes back: Made the accent teal.').waitFor()
    expect(await press('Undo')).toBe('Took back: Made the accent teal.')
    expect((await log.runs())[0]).toMatchObject({ undone: true })
    expect(await press('Redo')).toBe('Redone: Made the accent teal.')
    expect(await accent()).toContain('#008080')
  })

  test('what the person broke by hand is what Undo takes back first', async () => {
    await choirHere(home, ['write', 'artifacts/mine.txt'], 'mine')
    await choirHere(home, ['rm', 'artifacts/mine.txt'])
    await page.reload()
    await page.getByText('Takes back: Deleted “mine.txt”').waitFor()
    expect(await press('Undo')).toBe('Took back: Deleted “mine.txt”')
    expect((await choirHere(home, ['cat', 'artifacts/mine.txt'])).text).toBe('mine')
    await page.getByText('Does again: Deleted “mine.txt”').waitFor()
    expect(await press('Undo')).toBe('Took back: Added “mine.txt”')
  })

  test('stops what is going on', async () => {
    expect(await press('Stop')).toBe('There was nothing to stop.')
    const text = plant({ writes: [{ path: 'artifacts/never.txt', text: 'x' }], waitMs: 60_000 })
    await choirHere(home, ['prompt', text])
    await expect.poll(async () => (await log.runs())[0]?.status, SEEN).toBe('running')
    expect(await press('Stop')).toBe('Stopped it.')
    await expect.poll(async () => (await log.runs())[0]?.status, SEEN).toBe('cancelled')
  })

  test('goes into safe mode and out of it', async () => {
    // No page has found a landing healthy here.
    expect(await press('Safe mode')).toBe('The desktop is now shown as it came with ChoirOS.')
    expect(await press('Leave safe mode')).toBe('The desktop is shown as it is again.')
    await page.getByRole('button', { name: 'Safe mode', exact: true }).waitFor()
  })

  test('gives out everything in one file, which another home can import', async () => {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const file = join(temporaryFolder(), 'computer.choir')
    await (await downloading).saveAs(file)
    const other = temporaryFolder()
    expect(await choirHere(other, ['import', file])).toMatchObject({ code: 0 })
    expect((await choirHere(other, ['cat', 'artifacts/system/accent.json'])).text).toBe(await accent())
    expect((await choirHere(other, ['verify', '--json'])).json()).toMatchObject({ ok: true })
  })

  test('what a run was called is shown as text, never as a page', async () => {
    await choirHere(home, ['prompt', '<img src=x onerror=alert(1)> please', '--wait'])
    await page.goto(`http://localhost:${running.port}/rescue`)
    await page.getByText('<img src=x onerror=alert(1)> please').first().waitFor()
    expect(await page.locator('img').count()).toBe(0)
  })
})
