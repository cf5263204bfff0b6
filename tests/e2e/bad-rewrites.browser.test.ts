/// <reference lib="dom" />
import { availableParallelism, loadavg } from 'node:os'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunView } from '@choiros/contract/run-view.ts'
import type { Event } from '@choiros/contract/event.ts'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { plant, plantAgents } from '../support/plant.ts'

const GONE_MS = 5000
/**
 * The promise is for a machine that has a core to spare; where more wait for one than there are, everything takes
 * longer, and up to three times as long is no fault of the product.
 */
const allowedMs = () => GONE_MS * Math.min(3, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()))

/** True only in a page that a person has open: elsewhere a verifier would refuse what follows before it lands. */
const LIVE = "'choirWhere' in globalThis"

/** Code that compiles and still leaves the person without a desktop, as a run would write it. */
const BAD: readonly { name: string; isFast?: true; path: string; edit: (text: string) => string; why: RegExp }[] = [
  {
    name: 'throws on render',
    isFast: true,
    path: 'app/shell/taskbar.tsx',
    edit: (text) =>
      text.replace(
        /(export function Taskbar\([^)]*\)[^{]*\{)/,
        `$1\n  if (${LIVE}) throw new Error('planted: no taskbar today')`,
      ),
    why: /no taskbar today/,
  },
  {
    name: 'throws when it is loaded, so that the page keeps the old one',
    path: 'app/shell/desktop.tsx',
    edit: (text) => `${text}\nif (${LIVE}) throw new Error('planted: not even loaded')\n`,
    why: /not even loaded|Failed to reload/,
  },
  {
    name: 'renders in a loop',
    path: 'app/shell/taskbar.tsx',
    edit: (text) =>
      `import { useState as usePlanted } from 'react'\n${text.replace(/(export function Taskbar\([^)]*\)[^{]*\{)/, `$1\n  const [n, setN] = usePlanted(0)\n  if (${LIVE}) setN(n + 1)`)}`,
    why: /re-renders|update depth/i,
  },
  {
    name: 'hides everything',
    path: 'app/shell/desktop.css',
    edit: (text) => `${text}\n* {\n  display: none !important;\n}\n`,
    why: /cannot be (seen|reached)/,
  },
  {
    name: 'covers everything',
    path: 'app/shell/desktop.css',
    edit: (text) =>
      `${text}\nbody::after {\n  content: '';\n  position: fixed;\n  inset: 0;\n  z-index: 2147483647;\n  background: #000;\n}\n`,
    why: /cannot be (seen|reached)/,
  },
  {
    name: 'kills the hot-update client',
    path: 'app/index.html',
    edit: (text) =>
      text.replace(
        '<title>',
        "<script>const Own = WebSocket; WebSocket = function (url, protocol) { if (protocol === 'vite-hmr') url = url.replace('/?', '/nowhere?'); const made = new Own(url, protocol); if (protocol === 'vite-hmr') made.addEventListener = () => {}; return made }</script><title>",
      ),
    why: /no longer reach/,
  },
  {
    name: 'hangs for ever',
    isFast: true,
    path: 'app/shell/taskbar.tsx',
    edit: (text) =>
      text.replace(
        /(export function Taskbar\([^)]*\)[^{]*\{)/,
        `$1\n  if (${LIVE}) for (const start = Date.now(); Date.now() - start < 20_000; ) continue`,
      ),
    why: /stopped answering/,
  },
]

describe('[L8] bad rewrites are gone by themselves', { timeout: 60_000 }, () => {
  let home = ''
  let running: Running
  let browser: Browser
  let page: Page
  let desktop: FrameLocator
  const taskbar = () => desktop.getByRole('toolbar', { name: 'Taskbar' })
  const read = async (path: string) => (await choirHere(home, ['cat', path])).text
  const treeHash = async () => ((await choirHere(home, ['tree', '--json'])).json() as { hash: string }).hash
  const allEvents = async () =>
    (await choirHere(home, ['events', '--json'])).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Event)
  /** From the landing to the event that took it back. */
  const stoodMs = async ({ run }: RunView) => {
    const events = await allEvents()
    const timeOf = (type: string) => events.find((event) => event.run === run && event.type === type)?.time ?? NaN
    return timeOf('run.revert') - timeOf('run.land')
  }
  /** The page has said how it is, and that it works. */
  const isKnown = () =>
    page
      .evaluate(async () => (await (await fetch('/desktop/state')).json()) as { broken: string | null; known: boolean })
      .then(
        ({ broken, known }) => known && broken === null,
        () => false, // It is just being loaded.
      )
  const ask = async (path: string, text: string) =>
    (
      await choirHere(home, [
        'prompt',
        plant({ writes: [], shell: `cat > ${path} <<'PLANTED'\n${text}\nPLANTED` }),
        '--wait',
        '--json',
      ])
    ).json() as RunView

  beforeAll(async () => {
    home = temporaryFolder()
    await plantAgents(home)
    // What hides or covers everything would be refused by a look in a browser before it lands: here it is the open page
    // that must find it.
    process.env['CHOIR_BROWSER'] = 'none'
    running = await startAll(home)
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    desktop = page.frameLocator('iframe[title="Desktop"]')
    await page.goto(running.link)
    await taskbar().waitFor()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await running?.stop()
    delete process.env['CHOIR_BROWSER']
    removeFolders()
  })

  test('a syntax error is refused by a verifier and never seen', async () => {
    const before = await treeHash()
    const run = await ask('app/shell/taskbar.tsx', 'export function Taskbar( {')
    expect(run).toMatchObject({
      status: 'discarded',
      reason: expect.stringContaining('app/shell/taskbar.tsx') as string,
    })
    expect(await treeHash()).toBe(before)
  })

  for (const { name, path, edit, why } of BAD.filter(({ isFast }) => isFast || IS_LONG_LANE)) {
    test(`code that ${name} is taken back within ${GONE_MS / 1000} s, and the frame says why`, async () => {
      const before = await treeHash()
      // When the change is gone, the frame looks whether the page is stuck, and if so gets another one: the next must
      // not land in that moment.
      const looked = page.waitForResponse(/\/desktop\/revive$/, { timeout: 45_000 })
      const run = await ask(path, edit(await read(path)).replace(/\n$/, ''))
      expect(run).toMatchObject({ status: 'reverted', reason: expect.stringMatching(why) as string })
      expect(await stoodMs(run)).toBeLessThan(allowedMs())
      expect(await treeHash()).toBe(before)
      // In the source's own lines, not in those of what was served.
      const line =
        edit(await read(path))
          .split('\n')
          .findIndex((text) => text.includes('planted: no taskbar')) + 1
      const health = (await allEvents()).find(({ type, run: of }) => type === 'health' && of === run.run)
      expect(health?.data.stack).toContain(line === 0 ? '' : `at Taskbar (${path}:${line})`)
      await expect.poll(() => page.getByRole('status').first().textContent(), { timeout: 10_000 }).toMatch(why)
      await looked
      await expect.poll(isKnown, { timeout: 15_000 }).toBe(true)
      await taskbar().waitFor({ timeout: 15_000 })
      await desktop.getByRole('textbox', { name: 'Ask ChoirOS' }).waitFor()
    })
  }
})
