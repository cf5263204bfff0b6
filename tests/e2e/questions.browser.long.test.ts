import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

/** Without a model, as a newcomer has it. */
describe('questions and offers in the desktop', { timeout: 90_000 }, () => {
  let running: Running
  let browser: Browser
  let page: Page
  let desktop: FrameLocator
  let log: ReturnType<typeof lookAt>

  beforeAll(async () => {
    const home = temporaryFolder()
    log = lookAt(home)
    running = await startAll(home)
    browser = await launchChromium()
    page = await browser.newPage({ viewport: SIZES[0]! })
    await page.goto(await log.link())
    desktop = page.frameLocator('iframe[title="Desktop"]')
    await desktop.getByRole('toolbar', { name: 'Taskbar' }).waitFor()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  const ask = async (text: string) => {
    await desktop.getByRole('textbox', { name: 'Ask ChoirOS' }).fill(text)
    await desktop.getByRole('textbox', { name: 'Ask ChoirOS' }).press('Enter')
  }
  const look = async (name: string) => {
    const folder = process.env['CHOIR_SCREENSHOTS']
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${page.viewportSize()?.width}.png` })
  }

  test.each(SIZES)('a question is answered in its form or by the box, at $width pixels', async (size) => {
    await page.setViewportSize(size)
    const [chosen, said] = size.width === 1440 ? ['Aurora', 'green'] : ['Dunes', 'teal']
    await ask('change the wallpaper')
    const form = desktop.getByRole('group', { name: 'Questions to you' })
    expect(await form.getByRole('button', { name: 'Answer', exact: true }).isDisabled()).toBe(true)
    await look('question')
    await form.getByRole('button', { name: chosen }).click()
    await form.getByRole('button', { name: 'Answer', exact: true }).click()
    await desktop.getByText(`Made the wallpaper ${chosen.toLowerCase()}.`).waitFor()
    await ask('change the wallpaper')
    await form.waitFor()
    await ask(said)
    await desktop.getByText(`Made the wallpaper ${said}.`).waitFor()
    expect(await form.count()).toBe(0)
    await ask('change the wallpaper')
    await form.waitFor()
    await ask('never mind')
    await desktop.getByText('All right.').waitFor()
    expect(await desktop.locator('.progress').getByText('Nothing was changed').count()).toBe(1)
    await expect.poll(() => page.locator('#notice').textContent()).toBe('Nothing was changed: you took it back')
  })

  test.each(SIZES)(
    'what was not understood offers three wishes, and a click asks for one, at $width pixels',
    async (size) => {
      await page.setViewportSize(size)
      const colour = size.width === 1440 ? 'blue' : 'crimson'
      await ask(`make the taskbar ${colour}`)
      const answer = desktop.getByText('My own recipes, which know some English')
      await answer.waitFor()
      const offers = desktop.locator('.progress-words .offer')
      await expect.poll(() => offers.count()).toBe(3)
      await look('offers')
      await offers.filter({ hasText: `make the accent ${colour}` }).click()
      await desktop.getByText(`Made the accent ${colour}.`).waitFor()
      await expect.poll(async () => (await log.runs())[0]?.text).toBe(`make the accent ${colour}`)
    },
  )
})
