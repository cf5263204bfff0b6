/// <reference lib="dom" />
import { renameSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { Frame } from 'playwright-core'
import { launchChromium } from '../tests/support/browser.ts'
import { interleave, time } from './measure.ts'
import type { Section } from './report.ts'
import { startPlainVite, startSystem } from './running-system.ts'

const FILE = 'shell/tokens.css'
const NOTES = [
  'Ours is a write of one style file by command: log, fsync, projector, the desk’s Vite in its sandbox, gateway, hot update, computed style. Raw is the same file written beside plain Vite outside of any sandbox. Both pages are open in one Chromium and asked once per frame.',
]

export async function run(folder: string): Promise<Section> {
  const { running, client, close } = await startSystem(join(folder, 'pixel-home'))
  const plain = await startPlainVite(join(folder, 'pixel-plain'))
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(running.link)
    await page.frameLocator('iframe').getByRole('toolbar', { name: 'Taskbar' }).waitFor()
    const ours = page.frames().find((frame) => frame.url().includes('.localhost')) as Frame
    const other = await browser.newPage()
    await other.goto(plain.url)
    await other.waitForFunction(() => getComputedStyle(document.documentElement).getPropertyValue('--ground') !== '')
    const path = `app/${FILE}` as TreePath
    const text = readFileSync(join(plain.app, FILE), 'utf8')
    const marked = (mark: string) => `${text}\n:root {\n  --bench: ${mark};\n}\n`
    let count = 0
    const seenBy = (frame: Frame, mark: string) =>
      frame.waitForFunction(
        (wanted) => getComputedStyle(document.documentElement).getPropertyValue('--bench').trim() === wanted,
        mark,
        {
          polling: 'raf',
        },
      )
    const pair = await interleave(
      async () => {
        const mark = `a${count++}`
        const { entry } = await client.run('files.stat', { path, at: null })
        await page.bringToFront()
        return time(() =>
          Promise.all([
            client.run('files.change', {
              operations: [{ op: 'write', path, content: { text: marked(mark) }, from: entry?.object as Hash }],
            }),
            seenBy(ours, mark),
          ]),
        )
      },
      async () => {
        const mark = `a${count++}`
        await other.bringToFront()
        return time(() => {
          writeFileSync(join(plain.app, `${FILE}.new`), marked(mark))
          renameSync(join(plain.app, `${FILE}.new`), join(plain.app, FILE))
          return seenBy(other.mainFrame(), mark)
        })
      },
    )
    return {
      rows: [
        {
          promise: 'write → pixel through log, projector, gateway and hot update',
          against: 'plain Vite',
          ...pair,
          timeAtMost: 1.25,
        },
      ],
      memory: [],
      notes: NOTES,
    }
  } finally {
    await browser.close()
    await plain.server.close()
    await close()
  }
}
