import { join } from 'node:path'
import { openRunHome } from '../tests/support/run-home.ts'
import { askedOf, startScriptedModel, type Scripted, type SeenRequest } from '../tests/support/scripted-model.ts'
import { median, quantile, SAMPLES } from './measure.ts'
import type { Row, Section, Tokens } from './report.ts'

const STEP_MS_MAX = 300
const LEVELS = [10, 100, 1000]
/** Tools that are used in one answer while the history grows: it grows by one message more than that. */
const GROW = 30
const CHARS_PER_TOKEN = 3

const NOTES = [
  'From the last byte of a model’s answer to the first of our next request: parsing, budget, one tool with its two events, collecting the stage. The model answers at once. A token is counted as three characters; what is kept is the beginning that a request has in common with the one before, letter for letter, which a provider need not read again.',
]

interface Step {
  readonly messages: number
  /** From the model's last byte to our next request's first. */
  readonly ourMs: number
  readonly chars: number
  /** How much of that a provider has seen in the request before. */
  readonly keptChars: number
}

/**
 * What a step of a model costs us: everything between its last byte and our next request. The model answers at once, so
 * nothing of its thinking is in it.
 */
export async function run(folder: string): Promise<Section> {
  const steps: Step[] = []
  const last = { endMs: 0, words: '' }
  const model = await startScriptedModel((request) => answer(request, steps, last))
  const home = openRunHome(join(folder, 'step-home'), {
    modelUrl: model.url,
    modelLimits: { tokensPerRun: 1_000_000_000, tokensPerDay: 1_000_000_000 },
  })
  try {
    const computer = await home.addComputer('desk')
    const ended = await home.prompt(computer, 'I want to read a lot')
    if (ended.status !== 'answered' && ended.status !== 'discarded')
      throw new Error(`the run ended otherwise: ${ended.status}`)
  } finally {
    await home.close()
    await model.close()
  }
  return {
    rows: LEVELS.map((level) => row(level, at(steps, level))),
    memory: [],
    tokens: LEVELS.map((level) => tokensAt(level, at(steps, level))),
    notes: NOTES,
  }
}

function answer(request: SeenRequest, steps: Step[], last: { endMs: number; words: string }): Scripted {
  const { role, turn } = askedOf(request)
  const arrivedMs = performance.now()
  if (role === 'director')
    return turn === 0
      ? { uses: [{ name: 'edit', input: { instruction: 'read a lot' } }], pieceMs: 0 }
      : { text: 'That was a lot.', pieceMs: 0 }
  const words = JSON.stringify([request.body.tools, request.body.messages])
  const messages = request.body.messages.length
  if (last.endMs > 0)
    steps.push({
      messages,
      ourMs: arrivedMs - last.endMs,
      chars: words.length,
      keptChars: commonStart(words, last.words),
    })
  last.words = words
  const isMeasured = LEVELS.some(
    (level) => at(steps, level).length <= SAMPLES && messages >= level && messages < level * 10,
  )
  const done = messages >= (LEVELS.at(-1) ?? 0) && at(steps, LEVELS.at(-1) ?? 0).length > SAMPLES
  const uses = Array.from({ length: isMeasured ? 1 : GROW }, (_, index) => ({
    name: 'search',
    input: { text: `word ${turn}-${index}`, folder: 'app/apps' },
  }))
  last.endMs = performance.now()
  return done ? { text: 'I have read a lot.', pieceMs: 0 } : { uses, pieceMs: 0 }
}

/** Steps of one tool at about so many messages. */
function at(steps: readonly Step[], level: number): Step[] {
  return steps.filter(({ messages }) => messages >= level && messages < level + 2 * (SAMPLES + 5))
}

function row(level: number, steps: readonly Step[]): Row {
  const ours = steps.slice(1, SAMPLES + 1).map(({ ourMs }) => ourMs)
  return {
    promise: `our own time per step of a model, at ${level.toLocaleString('en')} messages of history`,
    against: '—',
    ours,
    raw: [],
    target: `p95 ≤ ${STEP_MS_MAX} ms`,
    also: { text: `p95 ${quantile(ours, 0.95).toFixed(0)} ms`, met: quantile(ours, 0.95) <= STEP_MS_MAX },
  }
}

function commonStart(one: string, other: string): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return same
}

function tokensAt(level: number, steps: readonly Step[]): Tokens {
  const tokens = (of: (step: Step) => number) => median(steps.map(of)) / CHARS_PER_TOKEN
  return {
    when: `an Associate, at ${level.toLocaleString('en')} messages of its talk`,
    sent: tokens(({ chars }) => chars),
    kept: tokens(({ keptChars }) => keptChars),
  }
}
