import {
  MemoryForget,
  NoteConjecture,
  NoteHyperthesis,
  NoteHypothesis,
  NoteObservation,
  NoteRequestHelp,
  NoteRequestVerify,
  NoteStatus,
} from '@choiros/contract/events/notes.ts'
import type { Wish } from '@choiros/contract/events/talk.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { labelFrom, NoteId, type Hash, type Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { MemoryEntry, NoteKind, Remembered } from '@choiros/contract/memory-view.ts'
import { pathProblem, type TreePath } from '@choiros/contract/path.ts'
import type { SyscallInput, SyscallOutput } from '@choiros/contract/syscalls.ts'
import { looksHostile } from '@choiros/core/moods/signs.ts'
import { moodWords } from '@choiros/core/everywhere/mood-words.ts'
import { entriesAbout, toForgetIn } from '@choiros/core/memory/forget.ts'
import { projectMemory, rememberedOf, type NoteRow, type NoteRowKind } from '@choiros/core/memory/memory.ts'
import { isSameText } from '@choiros/core/memory/same-matter.ts'
import { clean, sentenceWith } from '@choiros/core/memory/said.ts'
import type { Computer } from '../computer/computer.ts'
import { agentDraft } from '../computer/drafts.ts'
import type { RunAtWork, RunTools } from './run.ts'

type Proposal = SyscallInput<'note.add'>

/** What stands now, as agents are told of it. */
export function remembered({ queries }: Computer): Remembered[] {
  return rememberedOf(projectMemory(queries.notes()))
}

/**
 * Writes down what an agent wants to last, with what it rests on as the supervisor sees it: an agent's word for that
 * would prove nothing.
 */
export async function addNote(
  { computer, machine }: Pick<RunTools, 'computer' | 'machine'>,
  work: RunAtWork,
  by: 'director' | 'associate',
  { kind, text, topic = '', files = [] }: Proposal,
): Promise<SyscallOutput<'note.add'>> {
  const refuse = (why: string) => new ChoirError('syscall.refused', `this is not remembered: ${why}`)
  if (!work.policy.mayWriteMemory())
    throw refuse(`nothing may be kept from this run while it is ${moodWords(work.policy.mood())}`)
  if (work.counts.notes >= LIMITS.notesPerRunMax) throw refuse(`a run may keep at most ${LIMITS.notesPerRunMax} notes`)
  const said = kind === 'belief' || kind === 'aim' ? quoteOf(computer, work, text) : null
  if (said === 'none') throw refuse('of the person only their own words are kept; give them as they stand')
  const words = said?.text ?? clean(text)
  if (words === '') throw refuse('it is empty')
  // A note is read by every later run: an order in it would outlive the text that it came from.
  if (said === null && looksHostile(words)) throw refuse('it reads like an order to agents, not like something noted')
  const entries = projectMemory(computer.queries.notes())
  const known = entries.find((entry) => entry.state === 'stands' && isSameText(entry.text, words))
  if (known !== undefined) return { note: known.note, text: known.text }
  const data = {
    note: NoteId.parse(labelFrom(machine.randomBytes(16))),
    text: words,
    topic: clean(topic).slice(0, LIMITS.topicCharsMax).toWellFormed(),
    by,
    rests: { event: said?.seq ?? null, tree: work.verified?.tree ?? null, files: restingOn(work, files) },
  }
  const ruled = ruledOut(computer, work, kind, data)
  if (ruled !== null) throw refuse(`the person has the last word on it: ${ruled}`)
  work.counts.notes++
  await computer.append(() => ({ draft: draftOf(computer, work, kind, data) }))
  return { note: data.note, text: data.text }
}

/** The sentence of the person's in which the words stand, in this run. */
function quoteOf({ queries }: Computer, { run }: RunAtWork, words: string): { text: string; seq: Seq } | 'none' {
  for (const { seq, text } of queries.saidIn(run)) {
    const sentence = sentenceWith(text, words)
    if (sentence !== null) return { text: sentence, seq: seq as Seq }
  }
  return 'none'
}

type NoteData = {
  note: string
  text: string
  topic: string
  by: 'director' | 'associate'
  rests: { event: Seq | null; tree: Hash | null; files: { path: TreePath; object: Hash | null }[] }
}

/** The files as they stand in the run now. What no tree can hold is left out. */
function restingOn({ base, staged }: RunAtWork, files: readonly string[]): NoteData['rests']['files'] {
  const paths = [...new Set(files)].filter((path) => pathProblem(path) === null) as TreePath[]
  return paths.slice(0, LIMITS.noteFilesMax).map((path) => {
    const change = staged.changes.find((one) => one.path === path)
    const entry = change === undefined ? base.tree.get(path) : change.to
    return { path, object: entry?.object ?? null }
  })
}

/** What the person said on this matter, if that would set the note aside at once. */
function ruledOut({ queries, head }: Computer, { run }: RunAtWork, kind: NoteKind, data: NoteData): string | null {
  const row: NoteRow = {
    ...data,
    seq: (head().seq + 1) as Seq,
    time: 0,
    kind: ROW_KIND[kind],
    run,
    landed: null,
    inEffect: false,
    health: null,
    asked: null,
    imported: null,
    files: [],
    edits: [],
  }
  const entry = projectMemory([...queries.notes(), row]).find(({ note }) => note === data.note)
  return entry?.state === 'aside' ? entry.why : null
}

const ROW_KIND: Readonly<Record<NoteKind, NoteRowKind>> = {
  'observation': 'observation',
  'hypothesis': 'hypothesis',
  'hyperthesis': 'hyperthesis',
  'conjecture': 'conjecture',
  'status': 'status',
  'request.help': 'help',
  'request.verify': 'verify',
  'belief': 'believe',
  'aim': 'drive',
}

const PLAIN = {
  'hypothesis': NoteHypothesis,
  'hyperthesis': NoteHyperthesis,
  'conjecture': NoteConjecture,
  'status': NoteStatus,
  'request.help': NoteRequestHelp,
  'request.verify': NoteRequestVerify,
} as const

function draftOf(computer: Computer, { run }: RunAtWork, kind: NoteKind, data: NoteData) {
  if (kind !== 'observation' && kind !== 'belief' && kind !== 'aim') return agentDraft(computer, run, PLAIN[kind], data)
  const of = kind === 'observation' ? 'computer' : kind === 'belief' ? 'person' : 'aim'
  return agentDraft(computer, run, NoteObservation, { ...data, of })
}

/** Forgets what the person's own words, or the form they filled in, ask to forget. */
export async function obeyForgetting(
  computer: Computer,
  { run }: RunAtWork,
  wishes: readonly Wish[],
): Promise<string[]> {
  const [message] = computer.queries.saidIn(run)
  if (message === undefined) return []
  const entries = projectMemory(computer.queries.notes())
  const before = computer.queries.saidBefore(message.seq)
  const meant = new Map<string, MemoryEntry>()
  for (const wanted of toForgetIn(message.text, wishes))
    for (const entry of wanted === 'last'
      ? entries.filter(({ seq, by, state }) => seq === before && by === 'person' && state === 'stands')
      : entriesAbout(entries, wanted.what))
      meant.set(entry.note, entry)
  const notes = [...meant.keys()].slice(0, LIMITS.memoryEntriesMax)
  if (notes.length === 0) return []
  await computer.append(() => ({ draft: agentDraft(computer, run, MemoryForget, { notes }) }))
  return notes.map((note) => meant.get(note)?.text ?? '')
}
