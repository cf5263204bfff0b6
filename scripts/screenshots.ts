import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '@choiros/command-line/client.ts'
import { connect } from '@choiros/command-line/connection.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { launchChromium } from '../tests/support/browser.ts'
import { startAll } from '../tests/support/front-door.ts'

/** The pictures in the README, taken from the running product: `node_modules/.bin/node scripts/screenshots.ts`. */
const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url))
const LETTER = `# Saturday

The computer keeps everything I do in one log. I can take back any one thing and keep what came after it.

- write to Ana about the garden
- print the map before we leave
- ask for a taskbar at the top
`

async function write(client: Client, path: string, text: string): Promise<void> {
  const { entry } = await client.run('files.stat', { path: path as TreePath, at: null })
  await client.run('files.change', {
    operations: [{ op: 'write', path: path as TreePath, content: { text }, from: entry?.object ?? null }],
  })
}

async function arrange(client: Client): Promise<void> {
  await write(client, 'artifacts/garden/plan.md', '# Garden\n\nBeans along the fence.\n')
  await write(client, 'artifacts/letters/ana.md', 'Dear Ana,\n')
  await write(client, 'artifacts/saturday.md', LETTER)
  for (const [window, app, title, x, y, width, height] of [
    ['files', 'files', 'Files', 0.04, 0.07, 0.36, 0.5],
    ['history', 'history', 'History', 0.58, 0.3, 0.38, 0.56],
    ['letter', 'writer', 'artifacts/saturday.md', 0.26, 0.16, 0.42, 0.6],
  ] as const) {
    await client.run('window.open', { window, app, title })
    await client.run('window.settle', { window, device: 'wide', geometry: { x, y, width, height, state: 'normal' } })
  }
}

/** A run at work, its result, and how it would be taken back. */
async function pictureOfRun(client: Client): Promise<void> {
  await write(client, 'artifacts/system/theme.json', '{"theme":"dark"}\n')
  const { url } = await client.run('link.create', {})
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' })
  await page.goto(url ?? '')
  const desktop = page.frameLocator('iframe')
  const box = desktop.getByRole('textbox', { name: 'Ask ChoirOS' })
  const settled = () => page.waitForTimeout(1500)
  const ask = async (text: string, done: RegExp) => {
    await box.fill(text)
    await box.press('Enter')
    await desktop.getByText(done).first().waitFor({ timeout: 30_000 })
  }
  await ask('give me somewhere to keep a shopping list, and a clock', /Shopping list/)
  await desktop.getByRole('toolbar', { name: 'Taskbar' }).getByRole('button', { name: 'Shopping list' }).first().click()
  await desktop.getByRole('dialog', { name: 'Shopping list' }).waitFor()
  await settled()
  await box.fill('an ocean wallpaper and a teal accent please')
  await box.press('Enter')
  await desktop
    .getByText(/Checked|planning|Planning|Landed/)
    .first()
    .waitFor({ timeout: 30_000 })
  await settled()
  await page.screenshot({ path: join(IMAGES, 'run.png') })
  await page.getByRole('button', { name: 'History' }).click()
  await page
    .getByRole('button', { name: /^Take back/ })
    .first()
    .click()
  await settled()
  await page.screenshot({ path: join(IMAGES, 'undo.png') })
  await page.close()
}

const home = mkdtempSync(join(tmpdir(), 'choir-pictures-'))
const running = await startAll(home)
const browser = await launchChromium()
const connection = await connect(home)
try {
  const client = createClient(connection, { user: null, computer: null, progress: () => {} })
  await arrange(client)
  for (const { name, theme, width, height } of [
    { name: 'desktop-dark', theme: 'dark', width: 1440, height: 900 },
    { name: 'desktop-light', theme: 'light', width: 1440, height: 900 },
    { name: 'phone-dark', theme: 'dark', width: 390, height: 844 },
  ] as const) {
    await write(client, 'artifacts/system/theme.json', `{"theme":"${theme}"}\n`)
    const { url } = await client.run('link.create', {})
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme })
    await page.goto(url ?? '')
    await page.frameLocator('iframe').getByRole('toolbar', { name: 'Taskbar' }).waitFor()
    await page.waitForTimeout(1200)
    await page.screenshot({ path: join(IMAGES, `${name}.png`) })
    await page.close()
  }
  await pictureOfRun(client)
} finally {
  await connection.close()
  await browser.close()
  await running.stop()
  rmSync(home, { recursive: true, force: true })
}
