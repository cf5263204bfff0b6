import type { MemoryEntry } from '@choiros/sdk/memory.ts'

export interface Part {
  readonly part: MemoryEntry['part']
  readonly title: string
  /** What it is that stands here. */
  readonly hint: string
}

/** In the order in which a person cares for them. */
export const PARTS: readonly Part[] = [
  { part: 'believe', title: 'About you', hint: 'In your own words. It wins over everything else here.' },
  { part: 'drive', title: 'What you are after', hint: 'And what is still open.' },
  {
    part: 'assert',
    title: 'Known about this computer',
    hint: 'Each speaks of files that landed checked and are as they were.',
  },
  { part: 'hypothesize', title: 'Supposed', hint: 'Nothing that was checked bears it out yet.' },
  { part: 'hyperthesis', title: 'Blind spots', hint: 'What the agents know that they do not know.' },
  { part: 'conjecture', title: 'Guesses', hint: 'Treated as such.' },
]

const STATES: Readonly<Record<Exclude<MemoryEntry['state'], 'stands'>, string>> = {
  forgotten: 'Forgotten',
  fallen: 'No longer holds',
  aside: 'Set aside',
}

export function stateWords({ state }: MemoryEntry): string | null {
  return state === 'stands' ? null : STATES[state]
}

/** Who says so and why it is believed, in one line. */
export function sourceWords({ by, why, was }: MemoryEntry): string {
  const who = { person: 'You', director: 'The Director', associate: 'The Associate' }[by]
  const before = was === null ? '' : `; it said “${was}”`
  if (by === 'person' && why === 'you said so') return 'You said so'
  return `${who === 'You' ? '' : `${who}: `}${who === 'You' ? why.charAt(0).toUpperCase() + why.slice(1) : why}${before}`
}

export function matches({ text, topic, asked }: MemoryEntry, wanted: string): boolean {
  return `${text} ${topic} ${asked ?? ''}`.toLowerCase().includes(wanted)
}

export function dayText(time: number, now: number): string {
  const date = new Date(time)
  const isToday = date.toDateString() === new Date(now).toDateString()
  return isToday
    ? `today ${date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}`
    : date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}
