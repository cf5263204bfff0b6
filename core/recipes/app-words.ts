import { defaultTitle, foreignTitle, kindOf, titleOf, type AppKind } from './app-titles.ts'
import { ANY_QUOTED, vocabulary, type Clause, type Tag, type Understood } from './intent.ts'
import { titleRules } from './languages/title-rules.ts'
import { endBeforePlace, isIn, placesIn, SAYING } from './places.ts'
import { cleanTitle, titleFromWords } from './titles.ts'

/** What a person does in a place for things: the phrases that say what the place is for. */
const KEEPING = [
  'keep',
  'store',
  'write',
  'write down',
  'put',
  'collect',
  'save',
  'note',
  'note down',
  'jot',
  'jot down',
  'gather',
  'remember',
  'record',
  'log',
  'organise',
  'organize',
  'plan',
  'list',
  'keep track of',
  'track',
  'manage',
  'hold',
  'take',
  'scribble',
  'type',
  'dump',
]
const KEEPING_ING = [
  'keeping',
  'storing',
  'writing',
  'writing down',
  'collecting',
  'saving',
  'noting',
  'jotting',
  'jotting down',
  'gathering',
  'tracking',
  'keeping track of',
  'organising',
  'organizing',
  'planning',
  'managing',
  'listing',
  'recording',
]
const TICKING = ['tick off', 'check off', 'cross off', 'tick', 'cross out']

const prefixed = (prefixes: readonly string[], verbs: readonly string[]) =>
  prefixes.flatMap((prefix) => verbs.map((verb) => `${prefix} ${verb}`))
const TO = [
  'to',
  'where i can',
  'i can',
  'where i could',
  'that lets me',
  'to help me',
  'where we can',
  'in which to',
  'so i can',
]

export const APP_WORDS = vocabulary({
  kind: {
    list: ['list', 'lists'],
    todo: [
      'todo',
      'todos',
      'to do',
      'to dos',
      'to do list',
      'todo list',
      'to do lists',
      'checklist',
      'check list',
      'task list',
      'tasks list',
      'tasks',
      'task manager',
      'list of things to do',
      'list of tasks',
    ],
    book: [
      'notebook',
      'notepad',
      'note pad',
      'journal',
      'diary',
      'scratchpad',
      'scratch pad',
      'logbook',
      'sticky notes',
      'sticky note',
      'memo pad',
    ],
    notes: ['notes', 'note app', 'note taking', 'note taker', 'notes app', 'memos', 'note'],
    timer: ['timer', 'timers', 'count down timer', 'countdown timer'],
    pomodoro: ['pomodoro', 'pomodoro timer'],
  },
  app: ['app', 'application', 'program', 'tool', 'window', 'apps'],
  place: ['place', 'somewhere', 'some place', 'spot', 'someplace', 'a space'],
  thing: ['something', 'thing', 'way', 'a way', 'anything'],
  keeping: [...prefixed(TO, KEEPING), ...KEEPING_ING.map((verb) => `for ${verb}`)],
  ticking: prefixed(TO, TICKING),
  about: ['for', 'of', 'about', 'with', 'on', 'regarding'],
  named: [
    'called',
    'named',
    'titled',
    'call it',
    'name it',
    'with the name',
    'with the title',
    'entitled',
    'labelled',
    'labeled',
    'with name',
    'with title',
    'title',
  ],
  /** An app is made empty: there is nothing to put these words in. */
  saying: SAYING,
  quoted: [ANY_QUOTED],
  /** Said of a timer that is already there; a recipe cannot press its buttons. */
  control: [
    'stop',
    'pause',
    'resume',
    'restart',
    'reset',
    'halt',
    'cancel',
    'unpause',
    'start the',
    'start my',
    'run the',
    'set the',
    'set my',
  ],
  /** Words of a wish for a new app, with which no title starts. */
  glue: ['another', 'one', 'little', 'brand new', 'basic', 'own', 'that i can use', 'which', 'up'],
})

/** Things that are ticked off, as opposed to things that are read again. */
const LISTED =
  /\b(list|lists|to ?dos?|tasks?|chores?|errands?|groceries|shopping|packing|homework|assignments?|goals?|deadlines?|jobs|things to|stuff to|to (buy|do|get|read|watch|visit|pack|cook|call|fix))\b/i

const GENERIC = /^(things|stuff|something|thoughts|anything|it|them|everything|notes?|down|them down)$/i

/** A title holds none of these words: with them the clause is a sentence about something else. */
const NO_TITLE_BEFORE =
  /^(what|which|who|whose|why|how|when|where|is|are|was|were|does|did|has|had|this|that|these|those|and|or|if|it|its|my own|first|last|entire|same|old)\b/i

/** Which small app a clause asks for, and what it is to be called; null if it asks for none. */
export function readApp(clause: Clause): { kind: AppKind; understood: Understood } | null {
  if (clause.has('control') || setsThatTimer(clause)) return controlled(clause)
  if (clause.does('remove') || clause.verbs.has('take') || (clause.verbs.size > 0 && !clause.verbs.has('add')))
    return null
  if (clause.has('saying')) return null
  const named = clause.tag('named')
  const found = byPlace(clause, named) ?? byKind(clause, named)
  if (found === null) return null
  if (clause.has('neg')) return { kind: found.kind, understood: { parameters: {}, negated: 'I made no new app.' } }
  const given = givenTitle(clause, named)
  const title = given ?? found.title
  return {
    kind: found.kind,
    understood: {
      parameters: { title: title === '' ? defaultTitle(found.kind, clause.language) : title },
      taken: found.taken,
      strong: found.strong,
    },
  }
}

/** "Pon el temporizador": the one that is there. */
function setsThatTimer(clause: Clause): boolean {
  const kind = clause.tag('kind')
  return (
    clause.language !== 'en' &&
    kind?.value === 'timer' &&
    clause.verbs.has('set') &&
    clause.english(kind.from - 1, kind.from) === 'the'
  )
}

function controlled(clause: Clause): { kind: AppKind; understood: Understood } | null {
  const isTimer = clause.tags.some(({ role, value }) => role === 'kind' && kindOf(value) === 'timer')
  if (!isTimer || (clause.tag('control')?.from ?? 0) > clause.tag('kind')!.from) return null
  const words = 'I cannot start, stop or set a timer for you. Its own window has buttons for that.'
  return {
    kind: 'timer',
    understood: {
      parameters: {},
      negated: words,
      strong: true,
      taken: clause.tags.filter(({ role }) => role === 'unknown'),
    },
  }
}

/** Things that the computer has and can list: a list of these is an answer, not a list to tick off. */
const LISTABLE =
  /^(?:(?:all|all of|every|each of|of|the|my|our|these|those|your|current|existing)\s+)*(?:documents?|docs|files|apps|applications|programs|widgets|settings)$/i

interface Found {
  readonly kind: AppKind
  readonly title: string
  readonly taken: NonNullable<Understood['taken']>
  readonly strong: boolean
}

/** "Somewhere to keep a shopping list", "a place for my recipes". */
function byPlace(clause: Clause, named: Tag | undefined): Found | null {
  const keeping = clause.tag('keeping') ?? clause.tag('ticking')
  const place = clause.tag('place')
  const holder = place ?? clause.tags.find(({ role }) => role === 'thing' || role === 'app')
  if (holder === undefined) return isTracking(clause) ? placeFor(clause, keeping!, named) : null
  const link =
    keeping !== undefined && keeping.from >= holder.to
      ? keeping
      : place === undefined
        ? undefined
        : clause.tags.find(
            (tag) =>
              tag.role === 'about' && tag.from >= place.to && isPurpose(clause, tag) && !isIn(placesIn(clause), tag),
          )
  if (link === undefined || hasUnknown(clause, clause.tags[0]!.from, link.from)) return null
  return placeFor(clause, link, named)
}

/** "Ein Platz am Fenster" and "ein Platz für zwei" are no places for things. */
function isPurpose(clause: Clause, { value, to }: Tag): boolean {
  return clause.language === 'en' || (value === 'for' && !NUMBER.test(clause.english(to, to + 1)))
}

const NUMBER = /^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)$/

/** "I need to keep track of my homework": this asks for a place without naming one. */
function isTracking(clause: Clause): boolean {
  return (
    clause.has('ask') && /keep track of|^to track/.test(clause.value('keeping') ?? '') && clause.tags[0]?.role === 'ask'
  )
}

function placeFor(clause: Clause, link: Tag, named: Tag | undefined): Found | null {
  const whole = named !== undefined && named.from >= link.to ? named.from : clause.end
  const end = endBeforePlace(clause, placesIn(clause), whole)
  const words = clause.original(link.to, end)
  const label = titleFromWords(words, clause.language)
  if (link.role === 'about' && label === '') return null
  const { listed = LISTED, generic: hollow = GENERIC } = titleRules(clause.language) ?? {}
  const ticks = clause.has('ticking') || listed.test(words)
  const generic = hollow.test(label)
  return {
    kind: ticks ? 'todo' : 'notes',
    title: generic ? '' : label,
    taken: [{ from: link.to, to: clause.end }],
    strong: clause.asks,
  }
}

/** "A todo list for the garden", "shopping list", "a timer for tea", "a diary". */
function byKind(clause: Clause, named: Tag | undefined): Found | null {
  const index = clause.tags.findLastIndex(
    ({ role, from }) => role === 'kind' && (named === undefined || from < named.from),
  )
  const last = clause.tags[index]
  if (last === undefined) return null
  // "A timer app", "a to-do list": several nouns in a row are one thing, and the first says which.
  let first = index
  while (first > 0 && clause.tags[first - 1]!.role === 'kind') first--
  // "A to-do list and a timer" are two things, and each has a clause of its own.
  if (clause.tags.slice(0, first).some(({ role }) => role === 'kind')) return null
  const kindTag = clause.tags[first]!
  // "List the apps" is a question.
  if (first === 0 && kindTag.value === 'list') return null
  const label = labelBefore(clause, first)
  if (label === null) return null
  const places = placesIn(clause)
  const rest = clause.tags.slice(index + 1).filter((tag) => tag.role !== 'app' && !isIn(places, tag))
  const next = rest.find(({ role }) => role !== 'fill' && role !== 'glue' && role !== 'mark' && role !== 'ask')
  const isLinked = next !== undefined && (next.role === 'about' || next.role === 'keeping' || next.role === 'ticking')
  const isDuration = next !== undefined && isTimeSpan(clause.english(next.from, clause.end))
  if (next !== undefined && !isLinked && !isDuration && next.role !== 'named' && next.role !== 'quoted') return null
  if (
    kindTag.value === 'list' &&
    isLinked &&
    next.value === 'of' &&
    LISTABLE.test(clause.english(next.to, clause.end).replace(/(?:[\s.!?,]|please|thanks|thank you)+$/i, ''))
  )
    return null
  const end = endBeforePlace(clause, places, named === undefined ? clause.end : named.from)
  const subject =
    isLinked && !isTimeSpan(clause.english(next.to, end))
      ? titleFromWords(clause.original(next.to, end), clause.language)
      : ''
  const before = titleFromWords(clause.original(label.from, label.to), clause.language)
  if (NO_TITLE_BEFORE.test(clause.original(label.from, label.to)) || /\b(file|document|doc|page)\b/i.test(before))
    return null
  const after = isLinked ? next : named
  const taken = [label, ...(after === undefined ? [] : [{ from: after.to, to: clause.end }])]
  // "Notes" alone may be meant in many ways; "note" nearly always means a document.
  if (
    kindTag.value === 'notes' &&
    !clause.asks &&
    before === '' &&
    !isLinked &&
    named === undefined &&
    !clause.has('app')
  )
    return null
  if (isOneNote(clause, kindTag, index)) return null
  const title =
    clause.language === 'en'
      ? titleOf(kindTag, clause, before, subject)
      : foreignTitle(kindTag, clause, { label, subject, after: isLinked ? next : undefined, end })
  return { kind: kindOf(kindTag.value), title, taken, strong: clause.asks }
}

/** One note is a document; "notes", or a "note app", is an app. */
function isOneNote(clause: Clause, kind: Tag, index: number): boolean {
  return clause.english(kind.from, kind.to) === 'note' && clause.tags[index + 1]?.role !== 'app'
}

function labelBefore(clause: Clause, kind: number): { from: number; to: number } | null {
  let start = kind
  while (start > 0 && ['unknown', 'quoted'].includes(clause.tags[start - 1]!.role) && isLabel(clause, start)) start--
  const from = clause.tags[start]!.from
  return hasUnknown(clause, clause.tags[0]!.from, from) ? null : { from, to: clause.tags[kind]!.from }
}

/** In other languages than English only what is written together with it names a list: "Einkaufsliste". */
function isLabel(clause: Clause, tag: number): boolean {
  const { from, to } = clause.tags[tag - 1]!
  return clause.language === 'en' || !/\s/.test(clause.original(from, to + 1))
}

function hasUnknown(clause: Clause, from: number, to: number): boolean {
  return clause.tags.some(
    (tag) => tag.from >= from && tag.to <= to && ['unknown', 'quoted', 'named'].includes(tag.role),
  )
}

/** "A timer for 5 minutes" is just a timer; the person sets the time in it. */
function isTimeSpan(text: string): boolean {
  return /^\s*((a|an|the|of|for) )?(\d+|one|two|three|five|ten|fifteen|twenty|thirty|half an?|quarter of an)[ -]?(s|sec|seconds?|min|minutes?|h|hours?)\s*$/i.test(
    text,
  )
}

function givenTitle(clause: Clause, named: Tag | undefined): string | null {
  // Among other words of a title, a quoted one is only a part of it.
  const isAlone = named !== undefined || !clause.has('unknown')
  const quoted = isAlone
    ? clause.tags.find(({ role, from }) => role === 'quoted' && (named === undefined || from >= named.to))
    : undefined
  const title =
    quoted !== undefined
      ? cleanTitle(quoted.value)
      : named === undefined
        ? ''
        : cleanTitle(clause.original(named.to, endBeforePlace(clause, placesIn(clause), clause.end)))
  return title === '' ? null : title
}
