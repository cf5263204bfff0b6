import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TreePath } from '@choiros/contract/path.ts'
import { createClient } from '@choiros/command-line/client.ts'
import { connect } from '@choiros/command-line/connection.ts'
import { launchChromium } from '../support/browser.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'

let running: Running
let browser: Browser
let home = ''

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

test('[L8] the person sees what is kept, and makes room after seeing what goes', { timeout: 120_000 }, async () => {
  const connection = await connect(home)
  const client = createClient(connection, { user: null, computer: null, progress: () => {} })
  let from = null
  for (let version = 0; version < 30; version++) {
    const path = 'artifacts/large.txt' as TreePath
    await client.run('files.change', {
      operations: [{ op: 'write', path, content: { text: `${version}`.padEnd(60_000, '.') }, from }],
    })
    from = (await client.run('files.stat', { path, at: null })).entry?.object ?? null
  }
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(running.link)
  const storage = page.getByRole('link', { name: 'Storage' })
  // A click before the page's scripts are there opens nothing.
  const open = async () => {
    if (!(await storage.isVisible())) await page.getByRole('button', { name: 'History' }).click()
    return storage.isVisible()
  }
  await expect.poll(open, { timeout: 30_000, interval: 1000 }).toBe(true)
  await storage.click()
  await page.waitForURL('**/storage')
  expect(await page.locator('iframe').count()).toBe(0)
  const meter = page.getByRole('meter', { name: 'Old versions' })
  await meter.waitFor()
  const used = async () => Number(await meter.getAttribute('aria-valuenow'))
  const before = await used()
  expect(before).toBeGreaterThan(29 * 60_000 - 1)

  const makeRoom = page.getByRole('button', { name: 'Make room…' })
  await makeRoom.click()
  await page.getByText('There is nothing to remove').waitFor() // All of it is younger than 30 days.
  await page.getByLabel('Remove old versions').selectOption('whenever they were replaced')
  await makeRoom.click()
  const sure = page.getByRole('group', { name: 'What would go' })
  expect(await sure.textContent()).toMatch(/\d+ old versions of 1 file would be removed for good/)
  await page.getByRole('button', { name: 'Keep them' }).click()
  expect([await used(), await sure.isVisible()]).toEqual([before, false])
  await makeRoom.click()
  await page.getByRole('button', { name: 'Remove for good' }).click()
  await page.getByText(/old versions removed: room for/).waitFor()
  expect(await used()).toBeLessThan(before)
  expect(await client.run('verify', {})).toMatchObject({ ok: true })
  await page.close()
  await connection.close()
})
