import { join } from 'node:path'
import type { Client } from '@choiros/command-line/client.ts'
import { median } from './measure.ts'
import { SAMPLES } from './measure.ts'
import type { Row, Section } from './report.ts'
import { startSystem } from './running-system.ts'

const OVERHEAD_MS_MAX = 500
const IN_ALL_MS_MAX = 1500
const NOTES = [
  'From the prompt’s event to the landing’s, by the times in the log: Director, Associate in a fresh sandbox, stage, collection, verifiers, landing. Against it the longest of the run’s verifiers, which run side by side; the difference is the overhead. The Director is warm, as it is when a page is open.',
]

export async function run(folder: string): Promise<Section> {
  const { client, close } = await startSystem(join(folder, 'prompt-home'))
  try {
    return {
      rows: [
        await row(
          client,
          'prompt → landed by a recipe: a look',
          (index) => `make the accent #${(0x100000 + index * 4711).toString(16)}`,
        ),
        await row(client, 'prompt → landed by a recipe: code of the desktop', (index) =>
          index % 2 === 0 ? 'add a clock' : 'remove the clock',
        ),
      ],
      memory: [],
      notes: NOTES,
    }
  } finally {
    await close()
  }
}

async function row(client: Client, promise: string, textOf: (index: number) => string): Promise<Row> {
  const ours: number[] = []
  const raw: number[] = []
  for (let index = -4; index < SAMPLES; index++) {
    const sample = await landed(client, textOf(index + 4))
    if (index < 0) continue
    ours.push(sample.inAllMs)
    raw.push(sample.verifiersMs)
  }
  const overhead = median(ours.map((ms, index) => ms - (raw[index] ?? 0)))
  const met = overhead <= OVERHEAD_MS_MAX && median(ours) <= IN_ALL_MS_MAX
  const also = { text: `overhead ${overhead.toFixed(0)} ms`, met }
  return {
    promise,
    against: 'its verifiers’ own time',
    ours,
    raw,
    target: `overhead ≤ ${OVERHEAD_MS_MAX} ms, in all ≤ ${IN_ALL_MS_MAX} ms`,
    also,
  }
}

async function landed(client: Client, text: string): Promise<{ inAllMs: number; verifiersMs: number }> {
  const asked = await client.run('prompt', { text, wishes: [] })
  let verifiersMs = 0
  let landedMs = 0
  for await (const event of client.events({ after: asked.asked, follow: true })) {
    if (event.run !== asked.run) continue
    if (event.type === 'receipt.verifier') verifiersMs = Math.max(verifiersMs, Number(event.data.tookMs))
    if (event.type === 'run.land') landedMs = event.time
    if (event.type === 'run.discard') throw new Error(`${text}: ${String(event.data.reason)}`)
    if (event.type === 'health') break
  }
  return { inAllMs: landedMs - asked.askedMs, verifiersMs }
}
