/// <reference lib="dom" />
import type { Browser, Frame } from 'puppeteer-core'
import type { Client } from '@choiros/command-line/client.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { signIn, type Person } from '../tests/support/person.ts'

/** What a check may look at: the files, and the page as a person sees it. */
export interface World {
  /** The hash of all files before anything was asked. */
  readonly before: string
  read(path: string): Promise<string | null>
  paths(): Promise<string[]>
  treeHash(): Promise<string>
  someCodeHas(wanted: RegExp): Promise<boolean>
  accent(): Promise<string>
  /** Opens an app from the taskbar; returns what is wrong with it, or null. */
  openApp(title: RegExp): Promise<string | null>
}

const SETTLE_MS = 1500

export async function openWorld(
  browser: Browser,
  client: Client,
  before: string,
): Promise<World & { close(): Promise<void> }> {
  let person: Person | null = null
  const desktop = async (): Promise<Frame> => {
    person ??= await signIn(browser, (await client.run('link.create', {})).url ?? '')
    return person.desktop()
  }
  const paths = async () => Object.keys((await client.run('tree', { at: null })).files)
  const read = async (path: string) => {
    const { entry } = await client.run('files.stat', { path: path as TreePath, at: null })
    if (entry?.kind !== 'file') return null
    let text = ''
    for await (const piece of await client.readFile(path, null)) text += String(piece)
    return text
  }
  return {
    before,
    read,
    paths,
    treeHash: async () => (await client.run('tree', { at: null })).hash,
    async someCodeHas(wanted) {
      for (const path of await paths())
        if (path.startsWith('app/') && wanted.test((await read(path)) ?? '')) return true
      return false
    },
    accent: async () =>
      (await desktop()).evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()),
    async openApp(title) {
      const frame = await desktop()
      const found = await frame.evaluate((source) => {
        const wanted = new RegExp(source, 'i')
        const button = [...document.querySelectorAll<HTMLButtonElement>('[role=toolbar] button')].find((one) =>
          wanted.test(`${one.title} ${one.textContent}`),
        )
        button?.click()
        return button !== undefined
      }, title.source)
      if (!found) return `no app like ${String(title)} is in the taskbar`
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      return frame.evaluate(() => {
        const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1)
        if (dialog === undefined) return 'no window opened'
        const alert = dialog.querySelector('[role=alert]')
        return alert === null ? null : `the app failed: ${alert.textContent?.slice(0, 200) ?? ''}`
      })
    },
    async close() {
      await person?.context.close()
    },
  }
}
