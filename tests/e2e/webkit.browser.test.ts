import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { launchWebKit, type WebDriver } from '../support/webdriver.ts'

const SEEN = { timeout: 30_000, interval: 200 }
const TEAL = '#008080'

/** A third engine, in short: what the gate shows in the others is there in WebKit too. */
describe('WebKit', { timeout: 120_000 }, () => {
  let home = ''
  let running: Running
  let browser: WebDriver
  const accent = () =>
    browser.run<string>("return getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()")

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    browser = await launchWebKit()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  test('sign-in, a sentence that changes the open desktop, and its undo', async () => {
    await browser.open(running.link)
    await expect.poll(() => browser.run("return document.querySelector('iframe') !== null"), SEEN).toBe(true)
    await browser.intoFrame()
    await expect
      .poll(() => browser.run("return document.querySelector('[role=toolbar][aria-label=Taskbar]') !== null"), SEEN)
      .toBe(true)
    const before = await accent()
    await browser.run("window.choirMark = 'same page'")
    const box = await browser.find('[aria-label="Ask ChoirOS"]')
    await box.click()
    await box.type('make the accent teal\uE007')
    await expect.poll(accent, SEEN).toBe(TEAL)
    await expect
      .poll(async () => (await lookAt(home).runs())[0], SEEN)
      .toMatchObject({ status: 'landed', health: 'ok' })

    await browser.outOfFrame()
    await expect.poll(() => browser.run("return document.querySelector('#undo').disabled"), SEEN).toBe(false)
    await (await browser.find('#undo')).click()
    await browser.intoFrame()
    await expect.poll(accent, SEEN).toBe(before)
    expect(await browser.run('return window.choirMark')).toBe('same page')
  })
})
