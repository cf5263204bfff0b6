import type { MoodName } from '@choiros/contract/policy.ts'
import { pathWords } from '../everywhere/mood-words.ts'
import { MOOD_TABLE } from './moods.ts'

/** What events tell that a mood may move by: what has just happened, not what was known before. */
export interface MoodFacts {
  /** How often verifiers sent work back. */
  readonly refusals?: number
  /** The health check took back what had landed. */
  readonly reverted?: boolean
  /** How many of the last changes the person has taken back, without one between that they kept. */
  readonly undone?: number
  /** How many changes by a model in a row landed, were seen to work and stand. */
  readonly successes?: number
  /** The largest part of a cap that is used, from 0 to 1. */
  readonly spent?: number
  /** A document of the person's, or from elsewhere, is before a model. */
  readonly document?: boolean
  /** Text before a model tries to give orders. */
  readonly hostile?: boolean
  /** A file that would configure tools, by its name. */
  readonly configuration?: string | null
  /** The desktop's own shell was changed. */
  readonly shell?: boolean
  /** The person's words are a question. */
  readonly question?: boolean
  /** They answered one. */
  readonly answered?: boolean
  /** They did not allow something. */
  readonly denied?: boolean
}

interface Guard {
  fires(facts: MoodFacts): boolean
  /** Where it leads from each mood: to the stricter of both, if nothing else is said. */
  readonly to: MoodName
  readonly from?: Partial<Readonly<Record<MoodName, MoodName>>>
  /** The rest of a sentence that begins with "because". */
  why(facts: MoodFacts): string
  /** Holds even where the person has chosen a mood: they chose it for what they knew. */
  readonly binds?: true
}

const REFUSALS_MIN = 2
const SUCCESSES_MIN = 5
const SPENT_MIN = 0.8

const SAME: Readonly<Record<MoodName, MoodName>> = Object.fromEntries(
  Object.keys(MOOD_TABLE).map((mood) => [mood, mood]),
) as Record<MoodName, MoodName>

export const GUARDS = {
  configuration: {
    fires: ({ configuration }) => configuration != null,
    to: 'PARANOID',
    why: ({ configuration }) =>
      `it touched ${configuration == null ? 'a file' : pathWords(configuration)}, a name by which tools are configured`,
    binds: true,
  },
  /** To change the shell is what this computer is for; to do so after reading what others wrote is another matter. */
  shell: {
    fires: ({ shell }) => shell === true,
    to: 'PARANOID',
    from: { ...SAME, SKEPTICAL: 'PARANOID' },
    why: () => 'it changes the desktop’s own shell after reading text that is not yours to vouch for',
    binds: true,
  },
  hostile: {
    fires: ({ hostile }) => hostile === true,
    to: 'SKEPTICAL',
    why: () => 'something it read tries to give it orders',
    binds: true,
  },
  document: {
    fires: ({ document }) => document === true,
    to: 'SKEPTICAL',
    why: () => 'it has read a document, which anyone may have written',
  },
  reverted: {
    fires: ({ reverted }) => reverted === true,
    to: 'CONTRITE',
    why: () => 'the desktop did not work with the last change',
  },
  undone: {
    fires: ({ undone = 0 }) => undone > 0,
    to: 'CONTRITE',
    why: ({ undone = 0 }) =>
      undone > 1 ? `the last ${undone} changes were taken back` : 'the last change was taken back',
  },
  refused: {
    fires: ({ refusals = 0 }) => refusals >= REFUSALS_MIN,
    to: 'CONTRITE',
    why: ({ refusals = 0 }) => `its work did not pass its checks ${refusals} times`,
  },
  denied: {
    fires: ({ denied }) => denied === true,
    to: 'DEFERENTIAL',
    why: () => 'you did not allow something',
  },
  answered: {
    fires: ({ answered }) => answered === true,
    to: 'DEFERENTIAL',
    why: () => 'you told it how',
  },
  spent: {
    fires: ({ spent = 0 }) => spent >= SPENT_MIN,
    to: 'PETTY',
    why: ({ spent = 0 }) => `${Math.floor(Math.min(1, spent) * 100)} % of what may be spent is used`,
  },
  question: {
    fires: ({ question }) => question === true,
    to: 'CURIOUS',
    why: () => 'you asked a question',
  },
  success: {
    fires: ({ successes = 0 }) => successes >= SUCCESSES_MIN,
    to: 'BOLD',
    from: { ...SAME, CALM: 'BOLD' },
    why: ({ successes = 0 }) => `the last ${successes} changes all worked`,
  },
} as const satisfies Record<string, Guard>
export type GuardName = keyof typeof GUARDS

export interface Moved {
  readonly mood: MoodName
  /** Empty: nothing has moved it. */
  readonly why: string
}

/** The mood after what has just happened. Of several guards the strictest wins, and of those the first in the list. */
export function nextMood(mood: MoodName, facts: MoodFacts, pinned = false): Moved {
  let next: Moved | null = null
  for (const guard of Object.values<Guard>(GUARDS)) {
    if ((pinned && guard.binds !== true) || !guard.fires(facts)) continue
    const to = guard.from?.[mood] ?? stricter(mood, guard.to)
    if (to === mood) continue
    if (next === null || strictness(to) > strictness(next.mood)) next = { mood: to, why: guard.why(facts) }
  }
  return next ?? { mood, why: '' }
}

function stricter(one: MoodName, other: MoodName): MoodName {
  return strictness(one) >= strictness(other) ? one : other
}

function strictness(mood: MoodName): number {
  return MOOD_TABLE[mood].strictness
}
