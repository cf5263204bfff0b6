import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { startScriptedModel, type ScriptedModel, type SeenRequest } from '../support/scripted-model.ts'

const SEEN = { timeout: 20_000, interval: 50 }
const turnOf = ({ body }: SeenRequest) => body.messages.filter(({ role }) => role === 'assistant').length

/** The same talk as a person has it, in the open desktop. */
describe('talking with a run in the desktop', { timeout: 90_000 }, () => {
  let home = ''
  let model: ScriptedModel
  let running: Running
  let browser: Browser
  let page: Page
  let desktop: FrameLocator
  let log: ReturnType<typeof lookAt>

  beforeAll(async () => {
    home = temporaryFolder()
    log = lookAt(home)
    model = await startScriptedModel(() => ({ text: 'hello' }))
    running = await startAll(home)
    await choirHere(home, [
      'model',
      'set',
      '--provider',
      'openai-compatible',
      '--url',
      model.url,
      '--model',
      'scripted',
    ])
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(await log.link())
    desktop = page.frameLocator('iframe[title="Desktop"]')
    await desktop.getByRole('toolbar', { name: 'Taskbar' }).waitFor()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    await model?.close()
    removeFolders()
  })

  const ask = async (text: string) => {
    await desktop.getByRole('textbox', { name: 'Ask ChoirOS' }).fill(text)
    await desktop.getByRole('textbox', { name: 'Ask ChoirOS' }).press('Enter')
  }

  test('questions are a form that survives a reload; its answers are heard', async () => {
    model.script = (request) =>
      turnOf(request) === 0
        ? {
            uses: [
              {
                name: 'ask',
                input: {
                  questions: [
                    { question: 'Which city?', default: 'Ghent' },
                    { question: 'Which unit?', choices: ['Celsius', 'Fahrenheit'], default: 'Celsius' },
                  ],
                },
              },
            ],
          }
        : { text: 'I will remember that.' }
    await ask('what does the weather taste like')
    await desktop.getByRole('textbox', { name: 'Which city?' }).waitFor()
    await page.reload()
    await desktop.getByRole('textbox', { name: 'Which city?' }).fill('Bruges')
    await desktop.getByRole('button', { name: 'Fahrenheit' }).click()
    await desktop.getByRole('button', { name: 'Answer', exact: true }).click()
    await desktop.getByText('I will remember that.').waitFor()
    expect(JSON.stringify(model.seen.at(-1)?.body.messages)).toContain(String.raw`\"Which city?\": \"Bruges\"`)
    expect(await desktop.getByRole('textbox', { name: 'Which city?' }).count()).toBe(0)
  })

  test('what it says is read along, and it is told more while it works', async () => {
    const long = `The weather tastes of rain. ${'And of salt. '.repeat(150)}`
    model.script = (request) => {
      if (turnOf(request) === 0)
        return { text: long, uses: [{ name: 'look', input: { question: 'what is there?' } }], pieceMs: 15 }
      return { text: 'That is how it tastes.' }
    }
    await ask('say how the weather tastes')
    await desktop.getByText('The weather tastes of rain.').waitFor()
    await desktop.getByRole('textbox', { name: 'Add to this' }).fill('and of snow')
    await desktop.getByRole('textbox', { name: 'Add to this' }).press('Enter')
    await desktop.getByText('It will hear: and of snow').waitFor()
    await desktop.getByText('That is how it tastes.').waitFor()
    expect(JSON.stringify(model.seen.at(-1)?.body.messages)).toContain(
      String.raw`The person adds, while you work: \"and of snow\"`,
    )
    await desktop.getByRole('toolbar', { name: 'Taskbar' }).getByRole('button', { name: 'Runs', exact: true }).click()
    await expect.poll(() => desktop.getByText('You added: and of snow').count(), SEEN).toBeGreaterThan(0)
  })
})
