import type { Browser } from 'puppeteer-core'
import type { Client } from '@choiros/command-line/client.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { DesktopPage } from './page.ts'

/** What a check may look at: the files, what was said, and the page as a person sees it. */
export interface World {
  /** The hash of all files before anything was asked. */
  readonly before: string
  /** What was answered to each prompt. */
  readonly replies: readonly string[]
  read(path: string): Promise<string | null>
  paths(): Promise<string[]>
  /** Documents of the person, by path. */
  documents(): Promise<ReadonlyMap<string, string>>
  treeHash(): Promise<string>
  someCodeHas(wanted: RegExp): Promise<boolean>
  /** The desktop; opened when it is first asked for. */
  page(): Promise<DesktopPage>
}

export async function openWorld(
  browser: Browser,
  client: Client,
  before: string,
  replies: readonly string[],
): Promise<World & { close(): Promise<void> }> {
  let page: DesktopPage | null = null
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
    replies,
    read,
    paths,
    async documents() {
      const own = (await paths()).filter((path) => /^artifacts\/(?!system\/).*\.(md|txt)$/.test(path))
      return new Map(await Promise.all(own.map(async (path) => [path, (await read(path)) ?? ''] as const)))
    },
    treeHash: async () => (await client.run('tree', { at: null })).hash,
    async someCodeHas(wanted) {
      for (const path of await paths())
        if (path.startsWith('app/') && wanted.test((await read(path)) ?? '')) return true
      return false
    },
    async page() {
      page ??= await DesktopPage.open(browser, (await client.run('link.create', {})).url ?? '')
      return page
    },
    async close() {
      await page?.close()
    },
  }
}
