import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choir } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'

const SEEN = { timeout: 20_000, interval: 50 }
const SIZES = [
  { size: { width: 1440, height: 900 }, colour: 'teal', list: 'list.txt' },
  { size: { width: 390, height: 844 }, colour: 'green', list: 'phone.txt' },
] as const

/** Undo means the last thing, whatever it was and whoever did it; the frame says beforehand what that is. */
describe('plain undo in the frame', { timeout: 120_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page
  let desktop: FrameLocator

  const undo = () => page.getByRole('button', { name: 'Undo', exact: true })
  const next = () => page.locator('#next').textContent()
  const tree = async () => Object.keys(((await choir(home, ['tree', '--json'])).json() as { files: object }).files)
  const cat = (path: string) => lookAt(home).cat(path)
  const takeBack = async (title: string) => {
    await expect.poll(next, SEEN).toBe(`Undo: ${title}`)
    await undo().click()
    await expect.poll(next, SEEN).not.toBe(`Undo: ${title}`)
  }
  const row = (name: string) => desktop.getByRole('row').filter({ hasText: name })
  const files = () => desktop.getByRole('dialog', { name: 'Files' })

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    browser = await launchChromium()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  for (const { size, colour, list } of SIZES) {
    describe(`at ${size.width}×${size.height}`, () => {
      beforeAll(async () => {
        await choir(home, ['prompt', `make the accent ${colour}`, '--wait'])
        await choir(home, ['write', `artifacts/${list}`], 'milk\n')
        const context = await browser.newContext({ viewport: size })
        page = await context.newPage()
        await page.goto(await lookAt(home).link())
        desktop = page.frameLocator('iframe[title="Desktop"]')
        const taskbar = desktop.getByRole('toolbar', { name: 'Taskbar' })
        await taskbar.waitFor()
        // What came of the sentence lies over the lower edge of a phone's window until it is dismissed.
        await taskbar.getByRole('button', { name: 'Dismiss answer' }).click()
        await taskbar.getByRole('button', { name: 'Files', exact: true }).click()
        await row(list).click()
      }, 120_000)
      afterAll(() => page?.context().close())

      test('a file deleted in Files is brought back, and what would be taken back stands beside the button', async () => {
        await files().getByRole('button', { name: 'Delete' }).click()
        await expect.poll(next, SEEN).toBe(`Undo: Deleted “${list}”`)
        const box = (await page.locator('#next').boundingBox())!
        expect(box.width > 40 && box.x >= 0 && box.x + box.width <= size.width).toBe(true)
        expect(await undo().getAttribute('aria-describedby')).toBe('next')
        expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(1)
        await takeBack(`Deleted “${list}”`)
        expect(await tree()).toContain(`artifacts/${list}`)
        await row(list).waitFor()
      })

      test('a rename and an upload of two files are one step each', async () => {
        await row(list).click()
        await files().getByRole('button', { name: 'Rename' }).click()
        await desktop.getByRole('grid').getByRole('textbox').fill(`new-${list}`)
        await desktop.getByRole('grid').getByRole('textbox').press('Enter')
        await expect.poll(next, SEEN).toBe(`Undo: Renamed “${list}” to “new-${list}”`)
        const bytes = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(name) })
        await desktop.locator('input[type=file]').setInputFiles([bytes(`a-${size.width}.png`), bytes(`b-${size.width}.png`)])
        await takeBack(`Added 2 files: “a-${size.width}.png” and others`)
        expect((await tree()).filter((path) => path.endsWith('.png'))).toEqual([])
        await takeBack(`Renamed “${list}” to “new-${list}”`)
        await row(list).waitFor()
      })

      test('a stretch of typing is taken back whole and comes back whole', async () => {
        await row(list).dblclick()
        const paper = desktop.getByRole('dialog', { name: list }).locator('textarea')
        await expect.poll(() => paper.inputValue(), SEEN).toBe('milk\n')
        await paper.press('Control+End')
        await paper.pressSequentially('bread ')
        await expect.poll(() => cat(`artifacts/${list}`), SEEN).toBe('milk\nbread ')
        await paper.pressSequentially('and butter')
        await expect.poll(() => cat(`artifacts/${list}`), SEEN).toBe('milk\nbread and butter')
        await takeBack(`Typing in “${list}”`)
        await expect.poll(() => paper.inputValue(), SEEN).toBe('milk\n')
        await page.getByRole('button', { name: 'Redo', exact: true }).click()
        await expect.poll(() => paper.inputValue(), SEEN).toBe('milk\nbread and butter')
        await takeBack(`Typing in “${list}”`)
        expect(await cat(`artifacts/${list}`)).toBe('milk\n')
      })

      test('what the command line did is next, and then an older sentence', async () => {
        await choir(home, ['write', `artifacts/${list}`], 'from elsewhere\n')
        await takeBack(`Changed “${list}”`)
        expect(await cat(`artifacts/${list}`)).toBe('milk\n')
        await takeBack(`Added “${list}”`)
        expect(await tree()).not.toContain(`artifacts/${list}`)
        await takeBack(`Made the accent ${colour}.`)
        expect((await lookAt(home).runs())[0]).toMatchObject({ text: `make the accent ${colour}`, undone: true })
      })
    })
  }
})
