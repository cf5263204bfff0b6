/// <reference lib="dom" />
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { plant, plantAgents } from '../support/plant.ts'

const SEEN = { timeout: 20_000, interval: 100 }
/**
 * It takes well under a second (half of which Writer waits for the next key); a machine full of other tests is slower.
 */
const MOMENT_MS = 4000

/** One person, two browsers that share nothing but the computer. */
describe('two browsers on one computer', { timeout: 90_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let log: ReturnType<typeof lookAt>
  const pages: Page[] = []
  const desktops: FrameLocator[] = []
  const [here, there] = [() => desktops[0]!, () => desktops[1]!]
  const paper = (desktop: FrameLocator, name: RegExp) =>
    desktop.getByRole('dialog', { name }).getByRole('textbox').first()
  const openDocument = async (desktop: FrameLocator, path: string) => {
    await desktop.getByRole('toolbar', { name: 'Taskbar' }).getByRole('button', { name: 'Files', exact: true }).click()
    await desktop.getByRole('dialog', { name: /Files/ }).last().getByText(path).dblclick()
  }
  /** Does something here and says how long it took to be seen there. */
  const seenAfterMs = async (act: () => Promise<unknown>, isSeen: () => Promise<unknown>) => {
    await act()
    const start = performance.now()
    await isSeen()
    return performance.now() - start
  }

  beforeAll(async () => {
    home = temporaryFolder()
    log = lookAt(home)
    await plantAgents(home)
    running = await startAll(home)
    await choirHere(home, ['write', 'artifacts/letter.md'], '')
    await choirHere(home, ['write', 'artifacts/shared.md'], 'top\n\nmiddle\n\nbottom')
    browser = await launchChromium()
    for (let index = 0; index < 2; index++) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const page = await context.newPage()
      await page.goto(await log.link())
      pages.push(page)
      const desktop = page.frameLocator('iframe[title="Desktop"]')
      desktops.push(desktop)
      await desktop.getByRole('toolbar', { name: 'Taskbar' }).waitFor()
    }
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  test('windows, text, looks and what a run is doing are seen by the other within a moment', async () => {
    const times: Record<string, number> = {}
    times['window'] = await seenAfterMs(
      () => openDocument(here(), 'letter.md'),
      () =>
        there()
          .getByRole('dialog', { name: /letter\.md/ })
          .waitFor(),
    )
    times['text'] = await seenAfterMs(
      () => paper(here(), /letter\.md/).pressSequentially('Dear reader'),
      async () => {
        await expect
          .poll(() => paper(there(), /letter\.md/).inputValue(), { timeout: 20_000, interval: 20 })
          .toBe('Dear reader')
      },
    )
    times['theme'] = await seenAfterMs(
      () => choirHere(home, ['write', 'artifacts/system/theme.json'], '{"theme":"light"}'),
      () => there().locator('html[data-theme=light]').waitFor(),
    )
    await here()
      .getByRole('textbox', { name: 'Ask ChoirOS' })
      .fill(plant({ writes: [{ path: 'artifacts/x.txt', text: 'x' }], waitMs: 3000 }))
    times['progress'] = await seenAfterMs(
      () => here().getByRole('textbox', { name: 'Ask ChoirOS' }).press('Enter'),
      () => there().locator('.progress.busy').getByRole('status').filter({ hasText: /\S/ }).waitFor(),
    )
    for (const [what, ms] of Object.entries(times))
      expect([what, ms < MOMENT_MS ? 'a moment' : ms]).toEqual([what, 'a moment'])
    await there().locator('.progress:not(.busy)').waitFor({ state: 'attached' })
    await expect.poll(async () => (await log.runs())[0]?.status, SEEN).toBe('landed')
  })

  test('what came of a wish is still there to read while the next in the queue is worked on', async () => {
    await choirHere(home, ['prompt', plant({ writes: [{ path: 'artifacts/first.txt', text: '1' }], waitMs: 1000 })])
    await choirHere(home, ['prompt', plant({ writes: [{ path: 'artifacts/second.txt', text: '2' }], waitMs: 6000 })])
    const earlier = here().locator('.progress.busy .progress-earlier')
    await earlier.getByText('first.txt').waitFor()
    await earlier.getByText(/^Done in/).waitFor()
    await here().locator('.progress.busy > .progress-asked').getByText('second.txt').waitFor()
    await earlier.getByRole('button', { name: 'Dismiss answer' }).click()
    await expect.poll(() => earlier.innerText()).toBe('')
    await here().locator('.progress:not(.busy) > .progress-asked').getByText('second.txt').waitFor()
    await expect.poll(async () => (await log.runs())[0]?.status, SEEN).toBe('landed')
  })

  test('both type at the ends of one document while an undo and a landing hit it, and no character is lost', async () => {
    const edited = await choirHere(home, [
      'prompt',
      plant({ shell: "sed -i 's/^middle$/the middle, as a run had it/' artifacts/shared.md" }),
      '--wait',
    ])
    expect([edited.code, await log.cat('artifacts/shared.md')]).toEqual([
      0,
      'top\n\nthe middle, as a run had it\n\nbottom',
    ])
    const run = (await log.runs())[0]?.run ?? ''
    await openDocument(here(), 'shared.md')
    const [first, last] = [paper(here(), /shared\.md/), paper(there(), /shared\.md/)]
    await last.waitFor()
    await first.press('Control+Home')
    await last.press('Control+End')
    const above = 'Every word that is typed at the top must still be there when all of this is over.'
    const below = ' And every word that is typed at the bottom, by someone else, at the very same time.'
    const typing = Promise.all([
      first.pressSequentially(`${above}\n`, { delay: 60 }),
      last.pressSequentially(below, { delay: 60 }),
    ])
    const undone = await choirHere(home, ['undo', '--run', run])
    const landed = await choirHere(home, [
      'prompt',
      plant({ shell: "sed -i 's/^middle$/middle, landed/' artifacts/shared.md" }),
      '--wait',
    ])
    await typing
    expect([undone.code, landed.code]).toEqual([0, 0])
    const whole = `${above}\ntop\n\nmiddle, landed\n\nbottom${below}`
    for (const one of [first, last]) await expect.poll(() => one.inputValue(), SEEN).toBe(whole)
    await expect.poll(() => log.cat('artifacts/shared.md'), SEEN).toBe(whole)
    expect((await choirHere(home, ['tree', '--json'])).text).not.toContain('conflict')
  })
})
