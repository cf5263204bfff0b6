import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { launchChromium } from '../tests/support/browser.ts'
import { startAll } from '../tests/support/front-door.ts'
import { time } from './measure.ts'
import type { Section } from './report.ts'
import { processesWith, proportionalMebibytes, startPlainVite, startSystem } from './running-system.ts'

const STARTS = 30
const START_MS_MAX = 10_000

const NOTES = [
  'Start-up is from the process to the printed link, on a home that was used before. Against it: plain Vite until it listens.',
  'Idle memory is the share (PSS) of each process, with one page open and nothing going on for five seconds. A desk is its sandbox with everything in it; plain Vite serves the same files to a page too, in the bench’s own process.',
]

export async function run(folder: string): Promise<Section> {
  const home = join(folder, 'start-home')
  const memory = await idleMemory(home, join(folder, 'start-plain'))
  const ours: number[] = []
  const raw: number[] = []
  for (let index = 0; index < STARTS; index++) {
    let running: Awaited<ReturnType<typeof startAll>> | undefined
    ours.push(await time(async () => (running = await startAll(home))))
    await running?.stop()
    let plain: Awaited<ReturnType<typeof startPlainVite>> | undefined
    raw.push(await time(async () => (plain = await startPlainVite(join(folder, `start-plain-${index}`)))))
    await plain?.server.close()
  }
  const met = ours.every((ms) => ms < START_MS_MAX)
  const text = `longest ${(Math.max(...ours) / 1000).toFixed(1)} s`
  return {
    rows: [{ promise: 'start-up once installed', against: 'plain Vite listening', ours, raw, target: 'under 10 s', also: { text, met } }],
    memory,
    notes: NOTES,
  }
}

async function idleMemory(home: string, plainFolder: string): Promise<Section['memory']> {
  const { running, client, close } = await startSystem(home)
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(running.link)
    await page.frameLocator('iframe').getByRole('toolbar', { name: 'Taskbar' }).waitFor()
    await client.run('status', {})
    await delay(5000)
    const of = (text: string) => proportionalMebibytes(processesWith(text)[0] ?? -1)
    const desk = processesWith('--hostname desk').map(proportionalMebibytes)
    const supervisor = processesWith(`supervisor/main.ts --home ${home}`)[0] ?? -1
    const sandboxes = processesWith('bwrap --unshare-all').reduce((sum, pid) => Math.max(sum, proportionalMebibytes(pid)), 0)
    const before = proportionalMebibytes(process.pid)
    const plain = await startPlainVite(plainFolder)
    const other = await browser.newPage()
    await other.goto(plain.url)
    await delay(5000)
    const plainMebibytes = proportionalMebibytes(process.pid) - before
    await plain.server.close()
    return [
      { when: 'supervisor and everything it runs, one page open, idle', mebibytes: proportionalMebibytes(supervisor) },
      { when: 'the largest of its sandboxes', mebibytes: sandboxes },
      { when: 'front door', mebibytes: of(`control-plane/main.ts --home ${home}`) },
      { when: 'one desk (Vite, agent, sandbox)', mebibytes: Math.max(...desk) },
      { when: 'what plain Vite adds to a process that serves the same page', mebibytes: plainMebibytes },
    ]
  } finally {
    await browser.close()
    await close()
  }
}
