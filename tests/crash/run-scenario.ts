import { writeSync } from 'node:fs'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { plant } from '../support/plant.ts'
import { openRunHome } from '../support/run-home.ts'
import { crashAt } from './crash-at.ts'

/**
 * A computer's life in runs, with an open page that judges them: landed, refused, taken back, undone, stopped. Told run
 * by run on standard output; the crash table of runs kills it somewhere else each time.
 */
const [homeFolder = '', toolchainOf = '', point = 'none', times = '1'] = process.argv.slice(2)
const crash = point === 'none' ? () => {} : crashAt(point, Number(times))
const home = openRunHome(homeFolder, { toolchainOf, machine: { reached: crash, warn: () => {} } })

/** The page's verdict on everything that lands, as the gateway brings it. */
async function judgeAll(computer: Computer, verdict: (landing: number) => { ok: boolean; why: string }): Promise<void> {
  const pages = (visible: number) => home.run('health.pages', { visible }, { computer: computer.id, caller: 'gateway' })
  await pages(1)
  const look = async () => {
    const { pending } = await pages(1)
    if (pending !== null)
      await home.run(
        'health.report',
        { land: pending, ...verdict(pending) },
        { computer: computer.id, caller: 'gateway' },
      )
  }
  const timer = setInterval(() => void look().catch(() => {}), 10) // What fails is being closed.
  timer.unref()
}

async function tell(computer: Computer, step: string, text: string): Promise<void> {
  const { status } = await home.prompt(computer, text)
  const { hash, seq } = await home.run('tree', { at: null }, { computer: computer.id })
  writeSync(1, `${JSON.stringify({ step, status, seq, tree: hash })}\n`)
}

const computer = await home.addComputer('one')
await tell(computer, 'nobody looks', 'make the accent teal')
let isGood = true
await judgeAll(computer, () => ({ ok: isGood, why: isGood ? '' : 'planted: the page is blank' }))
await tell(computer, 'good', plant({ writes: [{ path: 'app/good.ts', text: 'export const good = 1\n' }] }))
isGood = false
await tell(computer, 'taken back', plant({ writes: [{ path: 'app/good.ts', text: 'export const good = 2\n' }] }))
isGood = true
await tell(computer, 'refused', plant({ writes: [{ path: 'app/bad.ts', text: 'export const bad: number = "no"\n' }] }))
const first = await home.ask(
  computer,
  plant({ writes: [{ path: 'app/waits.ts', text: 'export const waits = 1\n' }], waitMs: 60_000 }),
)
const second = await home.ask(computer, 'make it light')
await home.run('stop', { run: null }, { computer: computer.id })
await home.ended(computer, first)
await home.ended(computer, second)
await tell(computer, 'undone', 'undo that')
isGood = false
await tell(computer, 'taken back again', 'make the font bigger')
await home.close()
writeSync(1, `${JSON.stringify({ step: 'end' })}\n`)
