/// <reference lib="dom" />
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, until } from '../support/browsers.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { signIn } from '../support/person.ts'

describe('the page for the language model', { timeout: 60_000 }, () => {
  let running: Running
  let browser: Browser
  let page: Page
  const said = () => page.$eval('#model-said', (one) => one.textContent)
  const isRemovable = () => page.$eval('#model-remove', (button) => !(button as HTMLButtonElement).disabled)
  const example = () => page.$eval('#model-form [name=strong]', (field) => (field as HTMLInputElement).placeholder)

  beforeAll(async () => {
    running = await startAll(temporaryFolder())
    browser = await launchBrowser('chromium')
    ;({ page } = await signIn(browser, running.link))
    await page.goto(`http://localhost:${running.port}/model`)
    await until(
      page,
      () => document.querySelector<HTMLInputElement>('#model-form [name=strong]')?.placeholder !== '',
      [],
    )
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  test('with nothing set there is nothing to test or to remove, and each provider has its example', async () => {
    expect(await isRemovable()).toBe(false)
    await page.click('#model-test')
    expect(await said()).toBe('Nothing was tested: fill in the form first.')
    const first = await example()
    await page.select('#model-form [name=provider]', 'openai-compatible')
    expect([
      first.startsWith('such as '),
      (await example()).startsWith('such as '),
      (await example()) === first,
    ]).toEqual([true, true, false])
  })

  test('an answer goes when the form changes, and what was set can be removed', async () => {
    await page.type('#model-form [name=url]', 'http://127.0.0.1:9/v1')
    await page.type('#model-form [name=strong]', 'tiny')
    await page.click('#model-test')
    await expect.poll(said, { timeout: 20_000 }).toMatch(/^It does not work: /)
    expect(await isRemovable()).toBe(true)
    await page.type('#model-form [name=strong]', 'x')
    expect(await said()).toBe('')
    await page.click('#model-remove')
    await expect.poll(isRemovable).toBe(false)
    expect(await said()).toBe('No model is used now.')
  })
})
