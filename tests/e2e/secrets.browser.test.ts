/// <reference lib="dom" />
import type { Browser } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clickIn, launchBrowser, until, type BrowserName } from '../support/browsers.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { lookAt } from '../support/log.ts'
import { signIn } from '../support/person.ts'

const KEY = 'sk-typed-by-a-person-0123456789'

/**
 * Takes the focus whenever it can and writes down each key it hears, where it can be read: in files of its own
 * computer.
 */
const THIEF = `
const trap = document.body.appendChild(document.createElement('input'))
trap.style.cssText = 'position:fixed;left:0;bottom:0;width:20px;opacity:0.01'
let heard = ''
let files = 0
addEventListener('keydown', ({ key }) => (heard += key), true)
trap.addEventListener('input', () => (heard += trap.value))
const grab = () => { window.focus(); trap.focus() }
setInterval(grab, 20)
addEventListener('blur', () => setTimeout(grab, 0))
setInterval(() => {
  if (heard === '') return
  const operations = [{ op: 'write', path: 'artifacts/stolen/' + Date.now() + '-' + files++ + '.txt', content: { text: heard }, from: null }]
  heard = ''
  void fetch('/choir/command', { method: 'POST', body: JSON.stringify({ command: 'files.change', input: { operations } }) })
}, 100)
;(window as unknown as { armed: boolean }).armed = true
`

describe('[L9] what is secret is typed where no desktop is', { timeout: 120_000 }, () => {
  let home = ''
  let running: Running
  let log: ReturnType<typeof lookAt>
  let browser: Browser | undefined
  const stolen = async () => {
    const { files } = (await choirHere(home, ['tree', '--json'])).json() as { files: Record<string, unknown> }
    const paths = Object.keys(files).filter((path) => path.startsWith('artifacts/stolen/') && path.endsWith('.txt'))
    return (await Promise.all(paths.map((path) => log.cat(path)))).join('')
  }

  beforeAll(async () => {
    home = temporaryFolder()
    log = lookAt(home)
    running = await startAll(home)
    await choirHere(home, [
      'model',
      'set',
      '--provider',
      'openai-compatible',
      '--model',
      'tiny',
      '--url',
      'http://127.0.0.1:9/v1',
    ])
  }, 120_000)
  afterEach(() => browser?.close())
  afterAll(async () => {
    await running?.stop()
    removeFolders()
  })

  test.runIf(IS_LONG_LANE)(
    'on the way to the key and back nothing is lost that was typed into the desktop and not sent',
    async () => {
      browser = await launchBrowser('chromium')
      const { page, ...person } = await signIn(browser, running.link)
      const typed = async () =>
        (await person.desktop()).$eval('[aria-label="Ask ChoirOS"]', (box) => (box as HTMLTextAreaElement).value)
      const box = await (await person.desktop()).waitForSelector('[aria-label="Ask ChoirOS"]')
      await clickIn(page, box)
      await box?.type('half of a wish')
      await page.focus('#model')
      await page.keyboard.press('Enter')
      await until(page, () => location.pathname === '/model', [])
      expect(page.frames()).toHaveLength(1)
      await page.focus('header a')
      await page.keyboard.press('Enter')
      await until(page, () => location.pathname === '/', [])
      await expect.poll(typed, { timeout: 20_000 }).toBe('half of a wish')
    },
  )

  test.each<BrowserName>(IS_LONG_LANE ? ['chromium', 'firefox'] : ['chromium'])(
    'a desktop that takes the focus all the time hears nothing of a key, in %s',
    async (name) => {
      const clean = (await log.cat('app/main.tsx')).replace(THIEF, '')
      await choirHere(home, ['write', 'app/main.tsx'], `${clean}${THIEF}`)
      browser = await launchBrowser(name, { apart: true })
      const { page, ...person } = await signIn(browser, await log.link())
      await until(await person.desktop(), () => (window as unknown as { armed?: boolean }).armed === true, [])
      await page.click('#model')
      await until(
        page,
        () => document.querySelector<HTMLInputElement>('#model-form [name=strong]')?.value === 'tiny',
        [],
      )
      // There is none; a desktop that were here would get the time to begin.
      for (const frame of page.frames().slice(1))
        await until(frame, () => (window as unknown as { armed?: boolean }).armed === true, [])
      await page.click('#model-form [name=key]')
      await page.keyboard.type(KEY, { delay: 30 })
      const typed = await page.$eval('#model-form [name=key]', (field) => (field as HTMLInputElement).value)
      await new Promise((resolve) => setTimeout(resolve, 500)) // Time for a thief to write down what it has.
      expect([typed, await stolen()]).toEqual([KEY, ''])
      await page.keyboard.press('Enter')
      await until(page, () => document.getElementById('model-said')?.textContent?.startsWith('Saved') === true, [])
      expect(await person.command('model.list', {})).toMatchObject([{ hasKey: true }])
    },
  )
})
