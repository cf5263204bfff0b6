import type { ChoirError } from '@choiros/contract/error.ts'
import type { LeaseKind, MoodName, RunMood } from '@choiros/contract/policy.ts'
import { moodWords } from '../everywhere/mood-words.ts'
import { quoted } from '../quote.ts'

/**
 * What the person reads says "you" to them. An agent that reads the same sentence takes itself for the one who said no:
 * agents have words of their own.
 */

/** Each mood as what it means for whoever works in it. */
const SAYS: Readonly<Record<MoodName, string>> = {
  CALM: 'Work as usual.',
  BOLD: 'Go ahead, and ask little.',
  CURIOUS: 'Look around to answer; commands and deletions are refused.',
  PETTY: 'Take small steps: little is left to spend.',
  DEFERENTIAL: 'Do what the person said and no more; they are asked before a document is deleted.',
  CONTRITE: 'Take your time; every change is looked over.',
  SKEPTICAL:
    'Commands and notes for the memory are refused; the person is asked before documents are written, unless this run was given them before.',
  PARANOID:
    'Take few, small steps; the person is asked before anything changes on which it depends that they can see and stop what happens.',
}

export function moodForAgent(mood: RunMood): string {
  return `This run is in the mood ${mood.mood}. ${SAYS[mood.mood]} The person is told that it is ${quoted(moodWords(mood))}.`
}

const GO_ON =
  'Do not try it another way. Say in your answer that it was not done, and offer what is possible without it.'
const SHOWN_MAX = 5

/** After the person was asked, and refused. */
export function deniedForAgent(what: 'write' | 'change' | 'delete', paths: readonly string[]): string {
  const more = paths.length > SHOWN_MAX ? ` and ${paths.length - SHOWN_MAX} more` : ''
  return `The person was asked, and said no: this run may not ${what} ${paths.slice(0, SHOWN_MAX).map(quoted).join(', ')}${more}. ${GO_ON}`
}

const LEASE_WORDS: Readonly<Record<LeaseKind, string>> = {
  read: 'read files',
  write: 'write',
  verify: 'have work checked',
  net: 'use the network',
  export: 'export',
  publish: 'publish',
}

/** After the person took back what was allowed before. */
export function takenBackForAgent(kind: LeaseKind): string {
  return `The person has taken back that this run may ${LEASE_WORDS[kind]}. ${GO_ON}`
}

/** What an agent is told of a refusal. */
export function refusalForAgent({ message, details }: ChoirError): string {
  const { forAgent } = details
  return typeof forAgent === 'string' ? forAgent : message
}
