/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Browser, Frame, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const

/** Serious and critical violations only, each with the elements it is about. */
async function violations(frame: Page | Frame): Promise<string[]> {
  await frame.evaluate(AXE)
  return frame.evaluate(async () => {
    const { violations: found } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      iframes: false,
      resultTypes: ['violations'],
    })
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} (${any[0]?.message ?? ''})`),
      )
  })
}

describe('nobody is kept out: axe finds nothing serious', { timeout: 90_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page
  let desktop: FrameLocator
  const inner = () => page.frames()[1] as Frame
  /** On a phone most windows are in the menu; a bar that has just been made narrow may still be making room. */
  const bringToFront = async (title: string) => {
    const taskbar = desktop.getByRole('toolbar', { name: 'Taskbar' })
    const button = taskbar.getByRole('button', { name: `Window ${title}` }).first()
    if (await button.isVisible()) return await button.click()
    await taskbar.getByRole('button', { name: 'More windows' }).click()
    await desktop.getByRole('menuitem', { name: title, exact: true }).or(button).first().click()
  }

  beforeAll(async () => {
    home = temporaryFolder()
    running = await startAll(home)
    browser = await launchChromium()
    const context = await browser.newContext({ viewport: SIZES.wide, reducedMotion: 'reduce' })
    page = await context.newPage()
    desktop = page.frameLocator('iframe[title="Desktop"]')
    await choirHere(home, ['write', 'artifacts/letter.md'], '# Dear reader\n')
    await choirHere(home, ['memory', 'add', 'I work at night'])
    await choirHere(home, ['prompt', 'I prefer green tea', '--wait'])
    await page.goto(running.link)
    const taskbar = desktop.getByRole('toolbar', { name: 'Taskbar' })
    for (const app of ['History', 'Runs', 'Writer', 'Memory', 'Files'])
      await taskbar.getByRole('button', { name: app, exact: true }).click()
    await desktop.getByRole('dialog', { name: /Files/ }).getByText('letter.md').dblclick()
    await desktop
      .getByRole('dialog', { name: /letter\.md/ })
      .getByRole('textbox')
      .first()
      .waitFor()
    await desktop.getByRole('textbox', { name: 'Ask ChoirOS' }).fill('make the accent teal')
    await desktop.getByRole('textbox', { name: 'Ask ChoirOS' }).press('Enter')
    await desktop.locator('.progress:not(.busy)').getByRole('status').filter({ hasText: /teal/ }).waitFor()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    removeFolders()
  })

  for (const theme of ['dark', 'light'] as const) {
    for (const size of ['wide', 'narrow'] as const) {
      test.runIf((theme === 'light' && size === 'narrow') || IS_LONG_LANE)(
        `the frame and the desktop, ${theme} and ${size}`,
        async () => {
          const found: Record<string, string[]> = {}
          const look = async (what: string, where: Page | Frame) => {
            const here = await violations(where)
            if (here.length > 0) found[what] = here
          }
          await choirHere(home, ['write', 'artifacts/system/theme.json'], JSON.stringify({ theme }))
          await page.setViewportSize(SIZES[size])
          await desktop.locator(`html[data-theme=${theme}]`).waitFor()
          await page.locator(`body[data-theme=${theme}]`).waitFor()
          await look('Writer', inner())
          for (const app of ['Files', 'History', 'Memory']) {
            await bringToFront(app)
            await look(app, inner())
          }
          await bringToFront('Runs')
          const runs = desktop.getByRole('dialog', { name: 'Runs' })
          if ((await runs.getByRole('table').count()) === 0) {
            await runs.getByRole('group').locator('summary').focus()
            await page.keyboard.press('Enter') // By hand alone it must open, too.
          }
          await runs.getByRole('table', { name: 'Changes of artifacts/system/accent.json' }).waitFor()
          await look('Runs', inner())
          await desktop.getByRole('button', { name: 'What can I ask for?' }).click()
          const menu = desktop.getByRole('dialog', { name: 'What can I ask for?' })
          await menu.getByRole('searchbox').waitFor()
          await look('menu', inner())
          await menu.getByRole('searchbox').fill('accent')
          await menu.getByRole('button', { name: 'Accent' }).first().click()
          await menu.getByRole('radio').first().waitFor({ state: 'attached' })
          await look('form', inner())
          await page.keyboard.press('Escape')
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'History', exact: true }).click()
          await page.getByRole('complementary').getByText('make the accent teal').first().waitFor()
          await look('frame', page)
          await page.getByRole('complementary').getByRole('button', { name: 'Take back' }).first().click()
          await page.getByRole('group', { name: 'Preview' }).waitFor()
          await look('preview', page)
          await page.getByRole('button', { name: 'Cancel' }).click()
          await page.getByRole('button', { name: 'Close panel' }).click()
          await page.getByRole('link', { name: 'Model', exact: true }).click()
          await page.getByRole('meter', { name: 'Today' }).waitFor()
          await look('model', page)
          await page.getByRole('link', { name: 'Back to the desktop' }).click()
          await desktop.getByRole('toolbar', { name: 'Taskbar' }).waitFor()
          expect(found).toEqual({})
        },
      )
    }
  }

  test('caps are set on the page of the model, shown as bars, and refused where they are no numbers', async () => {
    await page.setViewportSize(SIZES.wide)
    await page.getByRole('link', { name: 'Model', exact: true }).click()
    const day = page.getByRole('textbox', { name: 'Tokens in a day' })
    const said = page.locator('#caps-said')
    await page.getByRole('meter', { name: 'Today' }).waitFor()
    expect(await day.inputValue()).toBe('10,000,000')
    await day.fill('400.000')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await said.filter({ hasText: 'not a whole number' }).waitFor()
    await day.fill('250 000')
    await page.getByRole('textbox', { name: 'Money in a day' }).fill('2,50')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await said.filter({ hasText: 'Set. The limit in money counts once prices are known' }).waitFor()
    expect(await page.getByRole('meter', { name: 'Today' }).getAttribute('aria-valuetext')).toBe('0 of 250,000 tokens')
    const { text } = await choirHere(home, ['model', 'caps', '--total', '9_000_000'])
    expect(text).toContain(
      'today:     0 of 250,000 tokens\nin all:    0 of 9,000,000 tokens\nmoney:     0.00 today, of 2.50, not kept: no prices are known',
    )
    await page.getByRole('meter', { name: 'In all' }).waitFor()
    await page.getByRole('link', { name: 'Back to the desktop' }).click()
    await desktop.getByRole('toolbar', { name: 'Taskbar' }).waitFor()
  })

  test('the rescue page and the sign-in page', async () => {
    const other = await page.context().newPage()
    const stranger = await browser.newPage()
    for (const colorScheme of ['dark', 'light'] as const) {
      for (const size of ['wide', 'narrow'] as const) {
        for (const [one, path] of [
          [other, '/rescue'],
          [stranger, '/sign-in'],
        ] as const) {
          await one.emulateMedia({ colorScheme })
          await one.setViewportSize(SIZES[size])
          await one.goto(`http://localhost:${running.port}${path}`)
          expect([path, colorScheme, size, await violations(one)]).toEqual([path, colorScheme, size, []])
        }
      }
    }
  })
})
