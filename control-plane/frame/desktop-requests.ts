import { isApproving } from './approval-card.ts'
import { askInPanel, askPerson, isAsking } from './ask-person.ts'
import { onDesktopMessage } from './desktop-messages.ts'
import { memoryEditOf, showMemoryEdit } from './memory-request.ts'
import type { Wanted } from './preview.ts'

/**
 * A page of the desktop may ask for an undo or a restore; only the person grants it, here, after seeing what would
 * happen. The page names it only by its number: the frame asks the supervisor itself for what it shows.
 */
/**
 * A page that asks again and again must not block everything else: after so many questions no more are shown for a
 * while.
 */
const ASKED_MAX = 8
const QUIET_MS = 30_000
const ID_CHARS_MAX = 64
const askedMs: number[] = []

onDesktopMessage((data) => {
  // What the agents wait for comes first: nothing of the desktop's may move it, or be mistaken for it.
  if (isAsking() || isApproving()) return
  const edit = memoryEditOf(data)
  const wanted = edit === null ? wantedOf(data) : null
  if ((wanted === null && edit === null) || isPestering()) return
  if (edit !== null)
    askInPanel('Your desktop asks to change what is remembered', (panel, closed) => showMemoryEdit(panel, edit, closed))
  if (wanted === null) return
  askPerson(wanted, 'Your desktop asks to take something back')
})

function isPestering(): boolean {
  const now = performance.now()
  while (askedMs.length > 0 && askedMs[0]! < now - QUIET_MS) askedMs.shift()
  if (askedMs.length >= ASKED_MAX) return true
  askedMs.push(now)
  return false
}

function wantedOf(data: unknown): Wanted | null {
  const { takeBack, goBack } = (data ?? {}) as {
    takeBack?: { kind?: unknown; seq?: unknown; run?: unknown } | null
    goBack?: unknown
  }
  const by = { name: null, from: 'Your desktop asks for this. Only you can allow it.' }
  if (isSeq(goBack)) return { command: 'restore', input: { to: goBack }, ...by }
  if (typeof takeBack !== 'object' || takeBack === null) return null
  const { kind, seq, run } = takeBack
  if ((kind === 'unit' || kind === 'event') && isSeq(seq))
    return { command: 'undo', input: { target: { kind, seq } }, ...by }
  if (kind === 'run' && typeof run === 'string' && run.length <= ID_CHARS_MAX)
    return { command: 'undo', input: { target: { kind, run } }, ...by }
  return null
}

function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}
