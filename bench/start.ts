import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { launchChromium } from '../tests/support/browser.ts'
import { startAll } from '../tests/support/front-door.ts'
import { time } from './measure.ts'
import type { Section } from './report.ts'
import {
  ownMebibytes,
  processesBelow,
  processesWith,
  proportionalMebibytes,
  startPlainVite,
  startSystem,
} from './running-system.ts'

const STARTS = 30
const START_MS_MAX = 10_000
const IDLE_MS = 100_000

const NOTES = [
  'Start-up is from the process to the printed link, on a home that was used before. Against it: plain Vite until it listens.',
  'The processes are started as `npm start` does, with little room for what is new (`--max-semi-space-size=1`; a hundred callers cost as much user time with 1 MiB as with 16). The toolchain is there already; making it, at the first start of a home, is done by a process of its own: the bundler left 135 MiB in the supervisor.',
  'Idle memory is the share (PSS) of each process, with one page open and nothing going on for 100 seconds: a Director that nobody needs for a minute and a half has ended by then, and starts again when somebody goes to the prompt. A desk is its sandbox with everything in it; plain Vite serves the same files to a page too, in the bench’s own process.',
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
    rows: [
      {
        promise: 'start-up once installed',
        against: 'plain Vite listening',
        ours,
        raw,
        target: 'under 10 s',
        also: { text, met },
      },
    ],
    memory,
    notes: NOTES,
  }
}

/** Null for processes that only hold others; they take almost no memory. */
function nameOf(command: string): string | null {
  const NAMES = {
    'scripts/launch.ts': 'the launcher',
    'supervisor/main.ts': 'the supervisor',
    'control-plane/main.ts': 'the front door',
    'agents/guest.mjs': 'the agent of a sandbox',
    'vite.js': 'Vite',
    'agents/director.mjs': 'the Director',
  }
  if (command.startsWith('bwrap ')) return null
  return Object.entries(NAMES).find(([part]) => command.includes(part))?.[1] ?? command.slice(0, 60)
}

async function idleMemory(home: string, plainFolder: string): Promise<Section['memory']> {
  const { running, client, close } = await startSystem(home)
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(running.link)
    await page.frameLocator('iframe').getByRole('toolbar', { name: 'Taskbar' }).waitFor()
    await client.run('status', {})
    await delay(IDLE_MS)
    const launcher = processesWith(`scripts/launch.ts --home ${home}`)[0] ?? -1
    const alone = processesBelow(launcher).map(({ pid, command }) => ({
      what: nameOf(command),
      mebibytes: ownMebibytes(pid),
    }))
    const whole = alone.reduce((sum, { mebibytes }) => sum + mebibytes, 0)
    const desks = processesWith('--hostname desk').filter((pid) =>
      processesBelow(launcher).some((own) => own.pid === pid),
    )
    const desk = Math.max(...desks.map(proportionalMebibytes))
    const before = proportionalMebibytes(process.pid)
    const plain = await startPlainVite(plainFolder)
    const other = await browser.newPage()
    await other.goto(plain.url)
    await delay(5000)
    const plainMebibytes = proportionalMebibytes(process.pid) - before
    await plain.server.close()
    return [
      { when: 'everything, one page open, idle', mebibytes: whole },
      { when: 'everything but the desk', mebibytes: whole - desk },
      { when: 'one desk (Vite, agent, sandbox)', mebibytes: desk },
      ...alone
        .filter(({ what }) => what !== null)
        .map(({ what, mebibytes }) => ({ when: `of it, ${what} alone`, mebibytes })),
      { when: 'what plain Vite adds to a process that serves the same page', mebibytes: plainMebibytes },
    ]
  } finally {
    await browser.close()
    await close()
  }
}
