import { z } from 'zod'
import { Seq } from '../ids.ts'
import { LIMITS } from '../limits.ts'

/**
 * Who sends a command. The gateway speaks for itself only to redeem links and say where it is; otherwise it speaks for
 * the frame or the desktop.
 */
export const Caller = z.enum(['frame', 'desktop', 'cli', 'gateway'])
export type Caller = z.infer<typeof Caller>

/**
 * What somebody is to a computer, each with all that the ones before may do. Today everybody is the owner of their own
 * and nothing to any other.
 */
export const ROLES = ['viewer', 'editor', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** What a command is counted as: looking costs time, a change an event, a wish agents and verifiers as well. */
export type RateClass = 'look' | 'change' | 'wish'

/** Everything about a command that is not its doing. */
export interface Command {
  /** A caller that is not listed is refused before the input is looked at. */
  readonly from: readonly Caller[]
  /** The least that somebody must be to the computer, or to the home; null: it is the gateway's own business. */
  readonly role: Role | null
  /** Whether it is about one computer. */
  readonly computer: boolean
  /** Whether it adds events to that computer. */
  readonly writes: boolean
  readonly rate: RateClass
  /** How many of the cheapest of its class it is worth. */
  readonly cost: number
  readonly input: z.ZodType
  readonly output: z.ZodType
}

export const everyone = ['frame', 'desktop', 'cli'] as const
export const owner = ['frame', 'cli'] as const

/** Makes a plan, or reads the whole of something. */
export const HEAVY = 50

/** A lone surrogate has no UTF-8 form: no event could hold it. */
export const unicode = z.string().refine((text) => text.isWellFormed(), 'the text is not valid Unicode')
export const shortText = unicode.min(1).max(LIMITS.nameCharsMax)

/** A page of a list: at most `limit`, only what is older than `before`. */
export const page = { limit: z.number().int().min(1).max(LIMITS.runsListedMax), before: Seq.optional() }
