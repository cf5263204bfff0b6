/// <reference lib="dom" />
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
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
  const tree = async () => Object.keys(((await choirHere(home, ['tree', '--json'])).json() as { files: object }).files)
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
    describe.runIf(IS_LONG_LANE || size.width === 1440)(`at ${size.width}×${size.height}`, () => {
      beforeAll(async () => {
        await choirHere(home, ['prompt', `make the accent ${colour}`, '--wait'])
        await choirHere(home, ['write', `artifacts/${list}`], 'milk\n')
        const context = await browser.newContext({ viewport: size })
        page = await context.newPage()
        await page.goto(await lookAt(home).link())
        desktop = page.frameLocator('iframe[title="Desktop"]')
        const taskbar = desktop.getByRole('toolbar', { name: 'Taskbar' })
        await taskbar.waitFor()
        // What came of the sentence is still being said, and covers nothing: every button below is pressed beside it.
        await taskbar.getByRole('button', { name: 'Dismiss answer' }).waitFor()
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
        // The keys went to the list: a second press of them takes no neighbour away.
        expect(await desktop.locator(':focus').getAttribute('role')).toMatch(/^(row|grid)$/)
        const footer = () => files().locator('.files-status [role=status]').textContent()
        await expect.poll(footer, SEEN).toBe(`Deleted ${list}. Undo brings it back.`)
        await takeBack(`Deleted “${list}”`)
        expect(await tree()).toContain(`artifacts/${list}`)
        await row(list).waitFor()
        await expect.poll(footer, SEEN).toBe('')
      })

      test('a rename and an upload of two files are one step each', async () => {
        await row(list).click()
        await files().getByRole('button', { name: 'Rename' }).click()
        await desktop.getByRole('grid').getByRole('textbox').fill(`new-${list}`)
        await desktop.getByRole('grid').getByRole('textbox').press('Enter')
        await expect.poll(next, SEEN).toBe(`Undo: Renamed “${list}” to “new-${list}”`)
        const bytes = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(name) })
        await desktop
          .locator('input[type=file]')
          .setInputFiles([bytes(`a-${size.width}.png`), bytes(`b-${size.width}.png`)])
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
        await choirHere(home, ['write', `artifacts/${list}`], 'from elsewhere\n')
        await takeBack(`Changed “${list}”`)
        expect(await cat(`artifacts/${list}`)).toBe('milk\n')
        await takeBack(`Added “${list}”`)
        expect(await tree()).not.toContain(`artifacts/${list}`)
        await takeBack(`Made the accent ${colour}.`)
        expect((await lookAt(home).runs())[0]).toMatchObject({ text: `make the accent ${colour}`, undone: true })
      })

      test('the frame’s History lists a sentence once, with what was asked, and covers nothing of the desktop', async () => {
        await page.getByRole('button', { name: 'History', exact: true }).click()
        const drawer = page.getByRole('complementary', { name: 'History of this computer' })
        await drawer.getByText(`you asked: “make the accent ${colour}”`).waitFor()
        expect(await drawer.getByText(`make the accent ${colour}`).count()).toBe(1)
        const [shown, frame] = [(await drawer.boundingBox())!, (await page.locator('iframe').boundingBox())!]
        const apart = frame.x + frame.width <= shown.x || shown.y + shown.height <= frame.y
        expect([apart, frame.y + frame.height, shown.height > 300, frame.height > 200]).toEqual([
          true,
          size.height,
          true,
          true,
        ])
        await desktop.getByRole('textbox', { name: 'Ask ChoirOS' }).click()
        expect(await page.evaluate(() => document.activeElement?.localName)).toBe('iframe')
        await drawer.getByRole('button', { name: 'Close panel' }).click()
      })

      test('History in the desktop asks for any undo; the frame shows it as the desktop’s and a first hasty click does nothing', async () => {
        await choirHere(home, ['write', `artifacts/kept-${list}`], 'x')
        await choirHere(home, ['write', `artifacts/later-${list}`], 'y')
        await desktop
          .getByRole('toolbar', { name: 'Taskbar' })
          .getByRole('button', { name: 'History', exact: true })
          .click()
        const history = desktop.getByRole('dialog', { name: 'History' })
        await history.getByRole('button', { name: `Take back: Added “kept-${list}”` }).click()
        const asked = page.getByRole('alertdialog')
        await asked.waitFor()
        const go = asked.getByRole('button', { name: 'Take it back', includeHidden: true })
        expect(await asked.evaluate((one) => (one as HTMLElement).inert)).toBe(true)
        await go.evaluate((one) => {
          const { x, y, width, height } = one.getBoundingClientRect()
          const under = document.elementFromPoint(x + width / 2, y + height / 2)
          if (under === one) throw new Error('a hasty click would arrive')
        })
        expect(await asked.textContent()).toContain('Your desktop asks for this')
        expect(await asked.textContent()).toContain(`Take back: Added “kept-${list}”`)
        expect(await tree()).toContain(`artifacts/kept-${list}`)
        await expect.poll(() => asked.evaluate((one) => (one as HTMLElement).inert), SEEN).toBe(false)
        await go.click()
        await expect.poll(tree, SEEN).not.toContain(`artifacts/kept-${list}`)
        expect(await tree()).toContain(`artifacts/later-${list}`)
      })
    })
  }

  describe('what the desktop may ask for', () => {
    beforeAll(async () => {
      page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(await lookAt(home).link())
      desktop = page.frameLocator('iframe[title="Desktop"]')
      await desktop.getByRole('toolbar', { name: 'Taskbar' }).waitFor()
    }, 60_000)

    test('nothing malformed, nothing from another page, and one thing at a time', async () => {
      await choirHere(home, ['write', 'artifacts/asked.txt'], 'x')
      const [unit] = (await choirHere(home, ['events', '--json'])).text.trim().split('\n').slice(-1)
      const { seq } = JSON.parse(unit!) as { seq: number }
      const asked = page.getByRole('alertdialog')
      const post = (data: unknown) => desktop.locator('body').evaluate((_, sent) => parent.postMessage(sent, '*'), data)
      for (const bad of [
        null,
        'takeBack',
        { takeBack: 1 },
        { takeBack: { kind: 'newest', scope: 'any' } },
        { takeBack: { kind: 'unit', seq: '5' } },
        { goBack: -1 },
      ])
        await post(bad)
      await page.evaluate((number) => postMessage({ takeBack: { kind: 'unit', seq: number } }, '*'), seq)
      expect(await asked.isVisible()).toBe(false)
      await post({ takeBack: { kind: 'unit', seq } })
      await asked.waitFor()
      await post({ goBack: 1 })
      await expect.poll(() => asked.evaluate((one) => (one as HTMLElement).inert), SEEN).toBe(false)
      expect(await asked.textContent()).toContain('Added “asked.txt”')
      await asked.getByRole('button', { name: 'Not now' }).click()
      expect([await asked.isVisible(), (await tree()).includes('artifacts/asked.txt')]).toEqual([false, true])
      let previews = 0
      page.on(
        'request',
        (request) =>
          (previews +=
            request.postData()?.includes('undo.preview') === true && request.postData()!.includes('1000') ? 1 : 0),
      )
      await desktop.locator('body').evaluate(async () => {
        for (let count = 0; count < 100; count++) {
          parent.postMessage({ takeBack: { kind: 'unit', seq: 10_000_000 + count } }, '*')
          await new Promise((resolve) => setTimeout(resolve, 30))
        }
      })
      expect(previews).toBeLessThanOrEqual(8)
    })

    test('a named checkpoint stands first, is restored from there, and older pages are a click away', async () => {
      await choirHere(home, ['checkpoint', 'before the party'])
      await desktop.locator('body').evaluate(async () => {
        for (let count = 0; count < 14; count++) {
          const operations = [
            { op: 'write', path: `artifacts/guest ${count}.txt`, content: { text: String(count) }, from: null },
          ]
          const body = JSON.stringify({ command: 'files.change', input: { operations } })
          await fetch('/choir/command', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
        }
      })
      await page.getByRole('button', { name: 'History', exact: true }).click()
      const drawer = page.getByRole('complementary', { name: 'History of this computer' })
      await drawer.getByText('Added “guest 13.txt”').waitFor()
      expect(await drawer.getByText('Added “guest 0.txt”').count()).toBe(0)
      await drawer.getByRole('button', { name: 'Older changes' }).click()
      await drawer.getByText('Added “guest 0.txt”').waitFor()
      await drawer.getByRole('button', { name: 'Restore: before the party' }).click()
      await drawer.getByRole('button', { name: 'Restore it' }).click()
      await expect.poll(next, SEEN).toBe('Undo: Went back to “before the party”')
      expect((await tree()).filter((path) => path.includes('guest'))).toEqual([])
      expect((await choirHere(home, ['undo'])).code).toBe(0)
      expect((await choirHere(home, ['restore', 'Before the party'])).code).toBe(0)
      expect((await tree()).filter((path) => path.includes('guest'))).toEqual([])
    })

    test('what is asked for in words comes to its end, on the card and in the frame: undo, checkpoint and restore', async () => {
      const ask = async (text: string) => {
        await desktop.getByRole('textbox', { name: 'Ask ChoirOS' }).fill(text)
        await desktop.getByRole('textbox', { name: 'Ask ChoirOS' }).press('Enter')
      }
      const said = () => page.locator('#notice').textContent()
      const outcome = () => desktop.locator('.progress-outcome').last().textContent()
      await page
        .getByRole('complementary', { name: 'History of this computer' })
        .getByRole('button', { name: 'Close panel' })
        .click()
      await ask('make the accent plum')
      await expect.poll(next, SEEN).toBe('Undo: Made the accent plum.')
      await ask('undo that')
      await expect.poll(said, SEEN).toBe('Took back: Made the accent plum.')
      await expect.poll(outcome, SEEN).toMatch(/^Done in \d+ s$/)
      await ask('make a todo app called Guests')
      await expect.poll(next, SEEN).toBe('Undo: Made “Guests” for you.')
      await ask('save this state as the rainy day')
      await expect.poll(said, SEEN).toBe('Saved this point as “the rainy day”')
      await expect.poll(outcome, SEEN).toMatch(/^Done in \d+ s$/)
      await ask('restore the rainy day')
      await expect.poll(said, SEEN).toMatch(/^Went back to “the rainy day”/)
      // Also to a page that comes later, which has only the list of runs.
      await desktop.getByRole('toolbar', { name: 'Taskbar' }).waitFor()
      expect(await desktop.getByText('Checking that the desktop').count()).toBe(0)
    })
  })
})
