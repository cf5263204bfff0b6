import type { RunId, Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { MemoryEntry, MemoryPart, Remembered } from '@choiros/contract/memory-view.ts'
import { createLikeness, type Likeness } from './same-matter.ts'

/** A note as the tables have it, with what is known of what it rests on. */
export interface NoteRow {
  readonly note: string
  readonly seq: Seq
  readonly time: number
  readonly kind: NoteRowKind
  readonly by: 'person' | 'director' | 'associate'
  readonly run: RunId | null
  readonly text: string
  readonly topic: string
  /** The landing of its run; null: it did not land. */
  readonly landed: Seq | null
  /** Whether that landing is in effect now. */
  readonly inEffect: boolean
  readonly health: string | null
  /** What was asked for in its run. */
  readonly asked: string | null
  /** The event by which it came with an import; null: it was noted here. */
  readonly imported: Seq | null
  /** `same`: the file is as it was. */
  readonly files: readonly { readonly path: string; readonly same: boolean }[]
  /** What the person did to it, oldest first; `back`: taken back since. */
  readonly edits: readonly NoteEdit[]
}

export interface NoteEdit {
  readonly seq: Seq
  readonly kind: 'add' | 'correct' | 'forget'
  readonly text: string | null
  readonly back: boolean
}

export type NoteRowKind =
  | 'observation'
  | 'hypothesis'
  | 'hyperthesis'
  | 'conjecture'
  | 'status'
  | 'help'
  | 'verify'
  | 'believe'
  | 'drive'

const PART: Readonly<Record<NoteRowKind, MemoryPart>> = {
  observation: 'hypothesize', // Unless it names files of a run that has landed.
  hypothesis: 'hypothesize',
  hyperthesis: 'hyperthesis',
  conjecture: 'conjecture',
  status: 'drive',
  help: 'drive',
  verify: 'drive',
  believe: 'believe',
  drive: 'drive',
}

/**
 * What is remembered now, newest first. An agent's word is an assertion only where it names files, and while these are
 * as they were and the verified change it was made in stands; the person's own words need no proof and win over it.
 */
export function projectMemory(rows: readonly NoteRow[]): MemoryEntry[] {
  const entries = rows.toSorted((a, b) => b.seq - a.seq || (a.note < b.note ? -1 : 1)).map(judge)
  const rulings = entries.filter(({ entry, isRuling }) => isRuling && entry.state !== 'fallen')
  const standing: MemoryEntry[] = []
  const likeness = createLikeness()
  return entries.map((judged) => {
    const entry = judged.entry.state === 'stands' ? weighed(judged, { rulings, standing, likeness }) : judged.entry
    if (entry.state === 'stands') standing.push(entry)
    return entry
  })
}

interface Judged {
  readonly row: NoteRow
  readonly entry: MemoryEntry
  /** The person has said the last word on this: they added, corrected or forgot it. */
  readonly isRuling: boolean
}

function judge(row: NoteRow): Judged {
  const counting = row.edits.filter(({ back }) => !back)
  const last = counting.at(-1)
  // Whoever wrote an imported log was perhaps somebody else: only what is done to it here is this person's word.
  const own = last !== undefined && last.seq > (row.imported ?? 0)
  const corrected = counting.findLast(({ kind }) => kind === 'correct')?.text ?? null
  const isForgotten = last?.kind === 'forget'
  const { state, part, why } = isForgotten
    ? { state: 'forgotten' as const, part: PART[row.kind], why: 'you asked to forget it' }
    : corrected !== null && own
      ? {
          state: 'stands' as const,
          part: PART[row.kind] === 'drive' ? ('drive' as const) : ('believe' as const),
          why: corrected === row.text ? 'you said that it is so' : 'you corrected it',
        }
      : row.imported === null
        ? standingOf(row)
        : asImported(standingOf(row))
  const entry: MemoryEntry = {
    note: row.note,
    part,
    text: corrected ?? row.text,
    topic: row.topic,
    state,
    why,
    by: row.by,
    time: row.time,
    seq: row.seq,
    run: row.run,
    asked: row.asked,
    files: row.files.map(({ path }) => path),
    was: corrected === null || corrected === row.text ? null : row.text,
    edit: counting.findLast(({ kind }) => kind !== 'add')?.seq ?? null,
    imported: row.imported !== null && !own,
  }
  return { row, entry, isRuling: own }
}

/** What a file from anywhere says of its person or its proofs is supposed, until this person says that it is so. */
function asImported({ state, part, why }: Standing): Standing {
  if (state !== 'stands') return { state, part, why }
  const isClaim = part === 'believe' || part === 'drive' || part === 'assert'
  return { state, part: isClaim ? 'hypothesize' : part, why: 'it came with what was imported' }
}

type Standing = Pick<MemoryEntry, 'state' | 'part' | 'why'>

/** Without the person's own edits. */
function standingOf({ kind, by, landed, inEffect, health, files }: NoteRow): Standing {
  const part = PART[kind]
  if (by === 'person') return { state: 'stands', part, why: 'you said so' }
  if (part === 'believe' || kind === 'drive') return { state: 'stands', part, why: 'these are your own words' }
  if (landed !== null && (!inEffect || health === 'bad'))
    return { state: 'fallen', part, why: 'the change it rests on was taken back' }
  const changed = files.find(({ same }) => !same)
  if (changed !== undefined) return { state: 'fallen', part, why: `${changed.path} is not as it was` }
  if (kind !== 'observation') return { state: 'stands', part, why: WHY[kind] ?? 'it is supposed, not proven' }
  // Verifiers read files, not notes: one that names none speaks of nothing they have seen.
  if (landed === null || files.length === 0)
    return { state: 'stands', part, why: 'nothing that was checked bears it out' }
  const why = health === 'ok' ? 'it was checked, seen to work, and still stands' : 'it was checked and still stands'
  return { state: 'stands', part: 'assert', why }
}

const WHY: Partial<Readonly<Record<NoteRowKind, string>>> = {
  hyperthesis: 'the agents know that they do not know it',
  conjecture: 'it is a guess',
  status: 'so the work stood',
  help: 'the agents would need help with it',
  verify: 'it should be checked',
}

interface Scales {
  readonly rulings: readonly Judged[]
  /** All newer entries that stand. */
  readonly standing: readonly MemoryEntry[]
  readonly likeness: Likeness
}

/** What the person or newer words say of the same matter. */
function weighed({ row, entry, isRuling }: Judged, { rulings, standing, likeness }: Scales): MemoryEntry {
  const aside = (why: string): MemoryEntry => ({ ...entry, state: 'aside', why })
  if (isRuling) return entry
  if (row.by !== 'person' || row.imported !== null) {
    const ruling = rulings.find(({ row: theirs, entry: said }) =>
      [said.text, theirs.text].some((text) => likeness.isSameMatter(row, { text, topic: theirs.topic })),
    )
    if (ruling !== undefined)
      return aside(ruling.entry.state === 'forgotten' ? 'you asked to forget this' : `you said: “${ruling.entry.text}”`)
  }
  const again = standing.find(({ part, text }) => part === entry.part && likeness.isSameText(text, entry.text))
  if (again !== undefined) return aside('it was said again since')
  const newer = OPEN.has(row.kind) ? standing.find((other) => answers(other, row)) : undefined
  return newer === undefined ? entry : aside(`since then: “${newer.text}”`)
}

/** These hold until something newer is known of their topic. */
const OPEN: ReadonlySet<NoteRowKind> = new Set(['status', 'help', 'verify'])

function answers({ topic, part }: MemoryEntry, row: NoteRow): boolean {
  const isSame = topic.trim() !== '' && topic.trim().toLowerCase() === row.topic.trim().toLowerCase()
  return isSame && (part === 'assert' || part === 'believe' || part === 'drive')
}

const ORDER: readonly MemoryPart[] = ['believe', 'drive', 'assert', 'hyperthesis', 'hypothesize', 'conjecture']
const ASKED_CHARS_MAX = 120

/** What agents are told: only what stands, the person's own words first, and no more than they can take in. */
export function rememberedOf(entries: readonly MemoryEntry[]): Remembered[] {
  const told: Remembered[] = []
  let bytes = 0
  const ordered = entries
    .filter(({ state }) => state === 'stands')
    .toSorted((a, b) => ORDER.indexOf(a.part) - ORDER.indexOf(b.part))
  for (const { part, text, topic, by, asked } of ordered) {
    const entry = { part, text, topic, by, asked: (asked ?? '').slice(0, ASKED_CHARS_MAX).toWellFormed() }
    bytes += byteLength(JSON.stringify(entry))
    if (told.length === LIMITS.rememberedMax || bytes > LIMITS.rememberedBytesMax) break
    told.push(entry)
  }
  return told
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
