import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Event } from '@choiros/contract/event.ts'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'

const SEEN = { timeout: 20_000, interval: 100 }
const APP = 'app/apps/die/app.tsx'
const SOURCE = `import { useState } from 'react'
import { defineApp } from '@choiros/sdk/app.ts'

function Die() {
  const [sides, setSides] = useState<number[] | null>([6])
  const [first = 0] = sides as number[]
  return (
    <button type="button" onClick={() => setSides(null)}>
      Roll {first}
    </button>
  )
}

export default defineApp({ id: 'die', title: 'Die', glyph: '⚀', size: { width: 320, height: 240 }, Content: Die })
`

describe('an app that stops working in its window', { timeout: 60_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page
  let desktop: FrameLocator

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    await choirHere(home, ['write', APP], SOURCE)
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    desktop = page.frameLocator('iframe[title="Desktop"]')
    await page.goto(running.link)
    await desktop.getByRole('button', { name: 'Die', exact: true }).click()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  const events = async (type: string) =>
    (await choirHere(home, ['events', '--json'])).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Event)
      .filter((event) => event.type === type)

  test('says so, is written down with the line of its source, offers more each time, and is forgotten when it is mended', async () => {
    const card = desktop.getByRole('alert').filter({ hasText: 'Die stopped working' })
    const roll = desktop.getByRole('button', { name: 'Roll 6' })
    const takeBack = card.getByRole('button', { name: 'Undo the change that broke this' })
    await roll.click()
    await card.waitFor()
    await expect.poll(async () => (await events('render.error')).length, SEEN).toBe(1)
    const [first] = await events('render.error')
    expect(first?.data).toMatchObject({ app: 'die', stack: expect.stringContaining(`at Die (${APP}:6)`) as string })
    expect(await takeBack.isVisible()).toBe(false)

    // To come up is not enough: the same error a second time offers more, however soon it is.
    await card.getByRole('button', { name: 'Try again' }).click()
    await roll.waitFor()
    await roll.click()
    await takeBack.waitFor()
    expect(await card.getByRole('button', { name: 'Mend it' }).isVisible()).toBe(false) // There is no model here.
    await takeBack.click()
    await page.getByRole('button', { name: 'Take it back' }).waitFor()
    await page.keyboard.press('Escape')

    // Another version that works: all is forgotten.
    await choirHere(home, ['write', APP], SOURCE.replace('setSides(null)', 'setSides([1])'))
    await roll.waitFor()
    await expect.poll(async () => (await events('render.well')).length, SEEN).toBe(1)
  })
})
