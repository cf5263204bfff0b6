/// <reference lib="dom" />
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'

const REWRITES = 50
const SEEN = { timeout: 30_000, interval: 200 }
/** The shell around the writer's hands, and the writer's own window. */
const REWRITTEN = [
  'app/shell/taskbar.tsx',
  'app/shell/window-frame.tsx',
  'app/shell/desktop.tsx',
  'app/apps/writer/writer-window.tsx',
]
const WORDS = 'the quick brown fox jumps over the lazy dog '

let home = ''
let running: Running
let browser: Browser
beforeAll(async () => {
  home = temporaryFolder()
  running = await startAll(home)
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await running?.stop()
  removeFolders()
})

test(`${REWRITES} rewrites of the desktop land while someone types, and not a character is lost`, async () => {
  const log = lookAt(home)
  await choirHere(home, ['write', 'artifacts/letter.md'], '')
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(running.link)
  const desktop = page.frameLocator('iframe[title="Desktop"]')
  await desktop.getByRole('toolbar', { name: 'Taskbar' }).getByRole('button', { name: 'Files', exact: true }).click()
  await desktop.getByRole('dialog', { name: /Files/ }).getByText('letter.md').dblclick()
  const paper = desktop
    .getByRole('dialog', { name: /letter\.md/ })
    .getByRole('textbox')
    .first()
  await paper.click()
  await desktop.locator('html').evaluate(() => Object.assign(globalThis, { choirMark: 'same page' }))

  const originals = new Map<string, string>()
  for (const path of REWRITTEN) originals.set(path, await log.cat(path))
  let over = false
  let typed = ''
  const typing = (async () => {
    while (!over) {
      await page.keyboard.type(WORDS, { delay: 25 })
      typed += WORDS
    }
  })()
  for (let round = 0; round < REWRITES; round++) {
    const path = REWRITTEN[round % REWRITTEN.length] ?? ''
    // Another hook makes React mount the component anew, with everything in it.
    const text = (originals.get(path) ?? '').replace(/^(export function [^\n]*\{\n)/m, `$1  useRewritten(${round})\n`)
    await choirHere(
      home,
      ['write', path],
      `${text}\nfunction useRewritten(round: number): number {\n  return round + ${round}\n}\n`,
    )
  }
  over = true
  await typing
  expect(await paper.inputValue()).toBe(typed)
  await expect.poll(() => log.cat('artifacts/letter.md'), SEEN).toBe(typed)
  expect(await desktop.locator('html').evaluate(() => (globalThis as { choirMark?: string }).choirMark)).toBe(
    'same page',
  )
})
