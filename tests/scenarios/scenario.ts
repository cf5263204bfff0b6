import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { askedOf, isTalk, type Script, type Scripted, type SeenRequest } from '../support/scripted-model.ts'

export const SCENARIOS = fileURLToPath(new URL('.', import.meta.url))

/**
 * A long text is easier to read as lines: `{ "lines": ["a", "b"] }` is "a\nb\n", wherever a tool is given something.
 */
const Lines = z.strictObject({ lines: z.array(z.string()) })

const Use = z.union([
  z.strictObject({ name: z.string(), input: z.record(z.string(), z.unknown()) }),
  /** Sent as it is, also where it is no JSON. */
  z.strictObject({ name: z.string(), raw: z.string() }),
])

/** One answer of the model. */
const Answer = z
  .strictObject({
    text: z.string().optional(),
    uses: z.array(Use).optional(),
    /** A refusal instead of an answer. */
    status: z.number().int().min(400).max(599).optional(),
    /** Headers, and then nothing, for ever. */
    hang: z.literal(true).optional(),
    /** The connection ends in the middle. */
    cut: z.literal(true).optional(),
    /** It thinks for so long before the first word. */
    pauseMs: z.number().int().min(0).max(60_000).optional(),
    /** And shows in between, by a byte each time, that it is alive. */
    pulseMs: z.number().int().min(1).optional(),
    usage: z.strictObject({ input: z.number().int().min(0), output: z.number().int().min(0) }).optional(),
    /** Every `{n}` in what the tools are given is the number of this answer, so that no two are alike. */
    numbered: z.literal(true).optional(),
  })
  .refine(
    (answer) => ['text', 'uses', 'status', 'hang'].some((key) => key in answer),
    'it says nothing: give it text, uses, status or hang',
  )

/** What one talk with the model consists of, turn by turn. The last one is said again for as long as it is asked. */
const Talk = z.array(Answer).min(1)

const pattern = z.string().refine(isPattern, 'it is no regular expression')

/**
 * What a scripted model does with one wish, and what must become of it. A file of these is data: nothing in it depends
 * on what the model hears.
 */
export const Scenario = z.strictObject({
  /** What this is a scenario of, in one sentence. */
  about: z.string().min(1),
  wish: z.string().min(1),
  /** What the person has in the computer before. */
  files: z.record(z.string(), z.string()).default({}),
  director: Talk,
  /** One talk for each Associate, in the order in which they are called; the last one is repeated. */
  associates: z.array(Talk).default([]),
  /** One talk for each review of what was made; without any, nobody judges it. */
  reviewers: z.array(Talk).default([]),
  /** Missing in what was just recorded: somebody has to say what should become of it. */
  ends: z
    .strictObject({
      status: z.enum(['landed', 'answered', 'discarded']),
      reason: pattern.default('.'),
      reply: pattern.default('.'),
      /** How often the model is asked. */
      calls: z.number().int().optional(),
      /** What is used on the stage, in order. */
      tools: z.array(z.string()).optional(),
      /** What a landing changes. */
      changes: z.array(z.string()).optional(),
      /** Verifiers that say no on the way. */
      refusedBy: z.array(z.string()).default([]),
      /** What must have been told to the model. */
      told: z.array(z.strictObject({ to: z.enum(['director', 'associate', 'reviewer']), says: pattern })).default([]),
    })
    .optional(),
})
export type Scenario = z.infer<typeof Scenario>
export type ScenarioAnswer = z.infer<typeof Answer>

export function scenarioNames(): string[] {
  return readdirSync(SCENARIOS)
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'))
    .sort()
}

export function readScenario(name: string, folder = SCENARIOS): Scenario {
  return parseScenario(readFileSync(join(folder, `${name}.json`), 'utf8'), `${name}.json`)
}

/** Rejects with the file and the place in it: whoever wrote it has to find the mistake. */
export function parseScenario(text: string, file: string): Scenario {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new Error(`the scenario ${file} is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
  const parsed = Scenario.safeParse(json)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
  throw new Error(`the scenario ${file} does not fit:\n${issues.join('\n')}`)
}

/** Which talk a request belongs to. A server that was busy is asked the same again; that is no new talk. */
export function createTalks() {
  const talks = { director: 0, associate: 0 }
  let isRetry = false
  return {
    place(request: SeenRequest): { role: 'director' | 'associate'; talk: number; begins: boolean } {
      const { role, isOpening } = askedOf(request)
      const begins = isOpening && !isRetry
      if (begins && role === 'director') talks.associate = 0
      if (begins) talks[role]++
      isRetry = false
      return { role, talk: talks[role] - 1, begins }
    },
    answered(status: number): void {
      isRetry = status >= 400
    },
  }
}

/** A script that says what the scenario says. */
export function play({ director, associates }: Scenario): Script {
  const talks = createTalks()
  let given = { director: 0, associate: 0 }
  return (request) => {
    if (!isTalk(request)) return { text: 'ready' }
    const { role, talk, begins } = talks.place(request)
    if (begins) given = { ...given, [role]: 0 }
    const answers =
      role === 'director'
        ? director
        : (associates[Math.min(talk, associates.length - 1)] ?? [{ text: 'I know nothing of this.' }])
    const turn = given[role]++
    const answer = answers[Math.min(turn, answers.length - 1)]
    if (answer === undefined) throw new Error('a talk has at least one answer')
    talks.answered(answer.status ?? 200)
    return toScripted(answer, turn)
  }
}

/** What the scenario's reviewers say, in turn. */
export function playReviews({ reviewers }: Scenario): Script | null {
  if (reviewers.length === 0) return null
  let review = -1
  return (request) => {
    const { turn } = askedOf(request)
    if (turn === 0) review++
    const answers = reviewers[Math.min(review, reviewers.length - 1)] ?? []
    const answer = answers[Math.min(turn, answers.length - 1)]
    if (answer === undefined) throw new Error('a talk has at least one answer')
    return toScripted(answer, turn)
  }
}

function toScripted({ numbered, uses = [], ...answer }: ScenarioAnswer, turn: number): Scripted {
  const number = (text: string) => (numbered === true ? text.replaceAll('{n}', String(turn)) : text)
  const fill = (value: unknown): unknown => {
    const lines = Lines.safeParse(value)
    if (lines.success) return number(`${lines.data.lines.join('\n')}\n`)
    if (typeof value === 'string') return number(value)
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one)]))
  }
  return { ...answer, uses: uses.map((use) => ('raw' in use ? use : { name: use.name, input: fill(use.input) })) }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}
