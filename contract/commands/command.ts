import { z } from 'zod'
import { Seq } from '../ids.ts'
import { LIMITS } from '../limits.ts'

/**
 * Who sends a command. The gateway speaks for itself only about links, its own address and the health of pages;
 * otherwise it speaks for the frame or the desktop.
 */
export const Caller = z.enum(['frame', 'desktop', 'cli', 'gateway'])
export type Caller = z.infer<typeof Caller>

/**
 * What somebody is to a computer. Each role may do all that the ones before it may. Today everybody is the owner of
 * their own computers and nothing to any other.
 */
export const ROLES = ['viewer', 'editor', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** How a command is counted: a look costs time, a change also an event, a wish also agents and verifiers. */
export type RateClass = 'look' | 'change' | 'wish'

/** Everything about a command except how it is carried out. */
export interface Command {
  /** A caller that is not listed is refused before the input is looked at. */
  readonly from: readonly Caller[]
  /** The lowest role to the computer, or to the home, that may send it; null: only the gateway's own business. */
  readonly role: Role | null
  /** Whether it is about one computer. */
  readonly computer: boolean
  /** Whether it adds events to that computer. */
  readonly writes: boolean
  readonly rate: RateClass
  /** How many of the cheapest commands of its class it counts for. */
  readonly cost: number
  readonly input: z.ZodType
  readonly output: z.ZodType
}

export const everyone = ['frame', 'desktop', 'cli'] as const
export const owner = ['frame', 'cli'] as const

/** What most commands have in common: those that ask, … */
export const look = {
  from: everyone,
  role: 'viewer',
  computer: true,
  writes: false,
  rate: 'look',
  cost: 1,
} as const satisfies Partial<Command>
/** … those that change the computer, … */
export const change = { ...look, role: 'editor', writes: true, rate: 'change' } as const
/** … those that set agents to work, … */
export const wish = { ...change, rate: 'wish' } as const
/** … those about the home, which its owner alone may send, … */
export const homeLook = { ...look, from: owner, role: 'owner', computer: false } as const
export const homeChange = { ...homeLook, rate: 'change' } as const
/** … and the gateway's own business. */
export const ofGateway = { ...look, from: ['gateway'], role: null, computer: false } as const

/** The cost of a command that makes a plan or reads the whole of something. */
export const HEAVY = 50

/** A lone surrogate has no UTF-8 form: no event could hold it. */
export const unicode = z.string().refine((text) => text.isWellFormed(), 'the text is not valid Unicode')
export const shortText = unicode.min(1).max(LIMITS.nameCharsMax)

/** A page of a list: at most `limit` items, all of them older than `before`. */
export const page = { limit: z.number().int().min(1).max(LIMITS.runsListedMax), before: Seq.optional() }
