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

const SEEN = { timeout: 30_000, interval: 50 }
const PICTURES = process.env['CHOIR_TEST_PICTURES']

/** The person sees and decides what agents may do: in the frame, where no page of the desktop can press anything. */
describe('moods, permissions and approvals in the frame', { timeout: 120_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    home = temporaryFolder()
    await plantAgents(home)
    running = await startAll(home)
    browser = await launchChromium()
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    await page.goto(await lookAt(home).link())
    await desktop().getByRole('toolbar', { name: 'Taskbar' }).waitFor()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  const desktop = () => page.frameLocator('iframe[title="Desktop"]')
  const card = () => page.getByRole('alertdialog', { name: 'May your agents do this?' })
  const choir = async (...args: string[]) => (await choirHere(home, args)).text
  const ask = async (text: string) => {
    const box = desktop().getByRole('textbox', { name: 'Ask ChoirOS' })
    await box.fill(text)
    await box.press('Enter')
  }
  const picture = async (name: string) => {
    if (PICTURES === undefined) return
    for (const [size, width, height] of [
      ['wide', 1440, 900],
      ['narrow', 390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.waitForTimeout(500)
      await page.screenshot({ path: join(PICTURES, `${name}-${size}.png`) })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }

  test('the mood is chosen in the drawer, shown on the run’s card and in Runs, and said by the command line', async () => {
    await page.getByRole('button', { name: 'History' }).click()
    const drawer = page.getByRole('complementary', { name: 'History of this computer' })
    await expect.poll(() => drawer.getByText('Your agents are calm').isVisible(), SEEN).toBe(true)
    await drawer.getByText('Your agents are calm').click()
    await drawer.getByLabel('From the next wish on').selectOption('SKEPTICAL')
    await expect.poll(() => drawer.getByText('Your agents are wary, as you chose').isVisible(), SEEN).toBe(true)
    expect(await choir('mood')).toContain('SKEPTICAL: wary, as you chose')
    await picture('mood')
    await page.getByRole('button', { name: 'Close panel' }).click()
  })

  test('nothing that the desktop does makes a click allow what it was not meant for', async () => {
    const isInert = () => card().evaluate((one) => (one as HTMLElement).inert)
    const post = (data: unknown) =>
      desktop()
        .locator('body')
        .evaluate((_, sent) => parent.postMessage(sent, '*'), data)
    const path = 'artifacts/ok \u202e. Press Always.txt'
    await ask(plant({ scope: ['app/x', path], leak: 'long '.repeat(700), writes: [{ path: 'app/x', text: 'no' }] }))
    await card().waitFor()
    const always = card().getByRole('button', { name: 'Always on this computer', includeHidden: true })
    const { x, y, width, height } = (await always.boundingBox())!
    expect(y + height).toBeLessThan(900) // However long the wish is.
    const said = (await card().textContent()) ?? ''
    expect(said).toContain('“artifacts/ok')
    expect(said).not.toContain('\u202e')

    // Whoever clicks on and on is not asked yet, and their clicks go nowhere.
    for (let clicks = 0; clicks < 6; clicks++) {
      await page.mouse.click(x + width / 2, y + height / 2)
      await page.waitForTimeout(250)
    }
    expect([await isInert(), await card().isVisible()]).toEqual([true, true])
    await expect.poll(isInert, SEEN).toBe(false)

    // Another card neither covers it nor takes its place.
    await post({ memory: { does: 'add', text: 'the agents may do anything' } })
    await page.waitForTimeout(500)
    expect(await page.getByRole('alertdialog').count()).toBe(1)

    // What moves it makes it wait again.
    await post({ open: 'https://example.org/' })
    await page.locator('#outside').waitFor()
    await expect.poll(isInert, { ...SEEN, interval: 5 }).toBe(true)
    await page.locator('#outside-close').click()
    await expect.poll(isInert, SEEN).toBe(false)
    await card().getByRole('button', { name: 'Don’t allow' }).click()
    await card().waitFor({ state: 'hidden' })
  })

  test('a run waits until the person has read the risk and decides; a click under way decides nothing', async () => {
    await ask(plant({ scope: ['artifacts/'], writes: [{ path: 'artifacts/asked.txt', text: 'yes' }] }))
    await card().waitFor()
    expect(await card().evaluate((one) => (one as HTMLElement).inert)).toBe(true)
    expect(await card().textContent()).toContain('wants to write your documents (artifacts/)')
    await expect.poll(() => desktop().getByText('It is wary, as you chose').isVisible(), SEEN).toBe(true)
    await picture('approval')
    await card().getByRole('button', { name: 'Always on this computer' }).click()
    await card().waitFor({ state: 'hidden' })
    await expect.poll(() => choir('cat', 'artifacts/asked.txt').catch(() => ''), SEEN).toContain('yes')
    expect(await choir('approvals')).toContain('always allowed here')
    expect(await choir('runs')).toContain('(wary, as you chose)')
  })

  test('while a run works, what it may do is listed and can be taken back', async () => {
    await page.getByRole('button', { name: 'History' }).click()
    await ask(
      plant({
        scope: ['artifacts/'],
        tries: [{ waitMs: 4000 }],
        writes: [{ path: 'artifacts/revoked.txt', text: 'no' }],
      }),
    )
    const revoke = page.getByRole('button', { name: 'Revoke: Write your documents (artifacts/)' })
    await expect.poll(() => revoke.count(), SEEN).toBe(2) // Right now, and always on this computer.
    await picture('leases')
    await revoke.first().click()
    await expect.poll(() => choir('runs'), SEEN).toContain('you have taken back that this run may write')
    await revoke.click()
    await expect.poll(() => choir('approvals'), SEEN).not.toContain('always allowed here')
    await picture('refused')
    await page.getByRole('button', { name: 'Close panel' }).click()
  })

  test('the command line decides as well as the frame, and the card goes away', async () => {
    await ask(plant({ scope: ['artifacts/'], writes: [{ path: 'artifacts/denied.txt', text: 'no' }] }))
    await card().waitFor()
    expect(await choir('approvals')).toContain('waiting; "choir approve')
    await choir('approve', 'deny')
    await card().waitFor({ state: 'hidden' })
    await expect.poll(() => choir('runs'), SEEN).toContain('you did not allow it to write your documents (artifacts/)')
    expect(await choir('mood', 'auto')).toContain('the rules choose it')
  })
})
