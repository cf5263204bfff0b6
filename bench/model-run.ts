import { join } from 'node:path'
import { Message } from '@choiros/contract/events/talk.ts'
import type { Draft } from '@choiros/contract/event.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { openRunHome, type RunHome } from '../tests/support/run-home.ts'
import { askedOf, startScriptedModel, type Scripted, type SeenRequest } from '../tests/support/scripted-model.ts'
import { inTurns, quantile } from './measure.ts'
import type { Row, Section } from './report.ts'

const LEVELS = [10, 100, 1000] as const
const TIMES_MAX = 1.5
const NOTES = [
  'A wish by a model that answers at once: the Director gives a task, the Associate writes one document, verifiers, landing, last word. From asking to the end of the run, less the longest of its verifiers, which run side by side: that is all our own time, several steps of it, and two sandboxes. Against it the same in a computer with 10 messages. No page is open, so nobody waits for one.',
]

/** What a run costs beside the model's thinking, in computers in which much or little has been said. */
export async function run(folder: string): Promise<Section> {
  const model = await startScriptedModel(answer)
  const home = openRunHome(join(folder, 'model-run-home'), {
    modelUrl: model.url,
    modelLimits: { tokensPerRun: 1_000_000_000, tokensPerDay: 1_000_000_000 },
  })
  try {
    const computers = await Promise.all(LEVELS.map((level) => talkative(home, level)))
    const [few = [], ...more] = await inTurns(computers.map((computer) => () => ownMs(home, computer)))
    const rows = [row(LEVELS[0], few, []), ...more.map((ours, index) => row(LEVELS[index + 1] ?? 0, ours, few))]
    return { rows, memory: [], notes: NOTES }
  } finally {
    await home.close()
    await model.close()
  }
}

/** A computer in which so many messages were said. */
async function talkative(home: RunHome, messages: number): Promise<Computer> {
  const computer = await home.addComputer(`said-${messages}`)
  for (let index = 0; index < messages; index++) await computer.append(() => ({ draft: said(computer, index) }))
  return computer
}

function said({ user }: Computer, index: number): Draft {
  const isPerson = index % 2 === 0
  const text = `What was said as number ${index}, about a list of things for the day after.`
  return {
    type: Message.type,
    version: Message.version,
    data: { role: isPerson ? 'user' : 'director', text, object: null, signature: null, wishes: [], offers: [] },
    user,
    source: isPerson ? 'user' : 'agent',
    via: isPerson ? 'cli' : 'agent',
    run: null,
    cause: null,
  }
}

async function ownMs(home: RunHome, computer: Computer): Promise<number> {
  const start = performance.now()
  const ended = await home.prompt(computer, `I want to know what the ${Math.round(start)}th sea tastes like`)
  const inAllMs = performance.now() - start
  if (ended.status !== 'landed') throw new Error(`the run ended otherwise: ${ended.status}, ${ended.reply}`)
  if (!ended.reply?.startsWith(SAID)) throw new Error('a recipe did it, not the model')
  const receipts = (await home.events(computer)).filter(
    ({ type, run: of }) => type === 'receipt.verifier' && of === ended.run,
  )
  return inAllMs - Math.max(...receipts.map(({ data }) => Number(data['tookMs'])))
}

const SAID = 'The model has written it down.'
let made = 0

function answer(request: SeenRequest): Scripted {
  const { role, turn } = askedOf(request)
  if (turn > 0) return { text: SAID, pieceMs: 0 }
  const path = `artifacts/thought-${++made}.md`
  return role === 'director'
    ? { uses: [{ name: 'edit', input: { instruction: 'write it down', may_write: ['artifacts/'] } }], pieceMs: 0 }
    : { uses: [{ name: 'write', input: { path, text: `Thought ${made}\n` } }], pieceMs: 0 }
}

function row(level: number, ours: number[], raw: number[]): Row {
  return {
    promise: `our own time per run of a model, at ${level.toLocaleString('en')} messages of history`,
    against: raw.length === 0 ? '—' : 'the same at 10 messages',
    ours,
    raw,
    ...(raw.length === 0 ? {} : { timeAtMost: TIMES_MAX }),
    also: { text: `p95 ${quantile(ours, 0.95).toFixed(0)} ms`, met: true },
  }
}
