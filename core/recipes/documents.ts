import { z } from 'zod'
import { ANY_QUOTED, vocabulary, type Clause, type Tag, type Understood } from './intent.ts'
import { endBeforePlace, isIn, placesIn, SAYING } from './places.ts'
import { alreadySo, did, edit, type Recipe } from './recipe.ts'
import { capitalise, cleanTitle, fileSlugOf, freeSlug, titleFromWords } from './titles.ts'

const TITLE_CHARS_MAX = 80
const TEXT_CHARS_MAX = 16_000

const shape = z.strictObject({
  title: z.string().optional(),
  text: z.string().max(TEXT_CHARS_MAX, `a document made here has at most ${TEXT_CHARS_MAX} characters`).optional(),
})

const words = vocabulary({
  noun: ['document', 'documents', 'doc', 'note', 'text file', 'markdown file', 'text document', 'page', 'memo', 'file'],
  /** One with words on it is a document; one without is a place for notes. */
  sticky: ['sticky note', 'sticky', 'post it', 'post it note'],
  write: ['write', 'write me', 'draft', 'compose', 'write up', 'type', 'start writing', 'writing', 'save'],
  /** Everything after these is the text. */
  note: [
    'make a note of',
    'note to self',
    'make a note that',
    'make a note to',
    'make a note',
    'take a note',
    'take a note that',
    'take a note of',
    'note down',
    'note down that',
    'note that',
    'write down',
    'write down that',
    'jot down',
    'jot down that',
    'put down that',
    'remember that',
    'remember to',
    'please note that',
    'write this down',
    'note this down',
    'write that down',
    'keep in mind that',
  ],
  named: ['called', 'named', 'titled', 'with the title', 'entitled', 'call it', 'name it', 'with the name'],
  about: ['about', 'for', 'on', 'regarding'],
  saying: [...SAYING, 'reading', 'says', 'say', 'and put', 'and write'],
  quoted: [ANY_QUOTED],
  glue: ['empty', 'blank', 'another', 'one', 'in it', 'inside'],
})

/** A new Markdown document. It never takes the place of another: where the name is taken, it gets a number. */
export const documentRecipe: Recipe = {
  name: 'document',
  title: 'A document',
  group: 'Documents',
  hint: 'A new document with a title and, if you like, its first words.',
  example: 'write a document called Trip plan saying pack the tent',
  fields: [
    { name: 'title', label: 'Title', kind: 'text', choices: [], fallback: 'Untitled', required: false },
    { name: 'text', label: 'Text', kind: 'long', choices: [], fallback: null, required: false },
  ],
  parameters: shape,
  intent: { words, open: true, read },
  complete: (said) => `make a note of ${said}`,
  work: edit(shape, ['artifacts/'], (parameters, files) => {
    const text = (parameters.text ?? '').toWellFormed().replaceAll('\r\n', '\n').replaceAll('\0', '').trim()
    const given = cleanTitle(parameters.title ?? '', TITLE_CHARS_MAX)
    const title = given !== '' ? given : text === '' ? 'Untitled' : capitalise(cleanTitle(text.split('\n')[0]!, 40))
    // Whoever wrote its title above its text would have it there twice.
    const [first = '', ...rest] = text.split('\n')
    const body = first.replace(/^#\s+/, '').trim() === title && first.startsWith('#') ? rest.join('\n').trim() : text
    const content = `# ${title}\n${body === '' ? '' : `\n${body}\n`}`
    const slug = fileSlugOf(title, 'document')
    const pathOf = (name: string) => `artifacts/${name}.md`
    if (files.read(pathOf(slug)) === content)
      return alreadySo(`The document “${title}” is already there, with the same words.`)
    const path = pathOf(
      freeSlug(slug, (name) =>
        files.list('artifacts').some((taken) => taken === pathOf(name) || taken.startsWith(`${pathOf(name)}/`)),
      ),
    )
    const only = text === '' ? 'It has only its title so far.' : ''
    return did(`Made the document “${title}” (${path}).`, [{ path, text: content }], [], only)
  }),
}

function read(clause: Clause): Understood | null {
  if (removesBeforeNaming(clause)) return null
  return readNote(clause) ?? readWords(clause) ?? readDocument(clause)
}

/** "Delete the document"; in a text of its own, the same words are only words. */
function removesBeforeNaming({ tags }: Clause): boolean {
  const first = tags.findIndex(({ role }) => role === 'noun' || role === 'note' || role === 'write')
  return tags.some(({ role, value }, index) => role === 'verb' && value === 'remove' && index < Math.max(first, 1))
}

/** "Make a note of the gate code 4711": the words are the document, whatever they say. */
function readNote(clause: Clause): Understood | null {
  const note = clause.tags.find(({ role }) => role === 'note')
  if (
    note === undefined ||
    !isOnlyManners(clause, note.from) ||
    clause.tags.some(({ role, to }) => role === 'verb' && to <= note.from)
  )
    return null
  const following = clause.tags.find(({ from }) => from >= note.to)
  if (following !== undefined && isIn(placesIn(clause), following)) return null
  if (following?.role === 'named' || following?.role === 'saying' || following?.role === 'about') return null
  const text = textFrom(clause, note.to)
  if (text === '') return askText()
  if (clause.tags.some(({ role, to }) => role === 'neg' && to <= note.from))
    return { parameters: {}, negated: 'I wrote nothing down.' }
  return {
    parameters: { text: capitalise(text) },
    taken: [{ from: note.to, to: clause.end }],
    whole: true,
    strong: true,
  }
}

function askText(): Understood {
  return { parameters: {}, ask: { field: 'text', question: 'What should I write down?', choices: [] } }
}

/** 'Write "hello" in a new document.' */
function readWords(clause: Clause): Understood | null {
  const [write, quoted, ...rest] = clause.tags.filter(
    ({ role }) => role !== 'fill' && role !== 'ask' && role !== 'glue',
  )
  if (write?.role !== 'write' || quoted?.role !== 'quoted' || rest.length !== 1 || rest[0]!.role !== 'noun') return null
  return { parameters: { text: quoted.value }, taken: [quoted], whole: true, strong: true }
}

function readDocument(clause: Clause): Understood | null {
  const index = clause.tags.findIndex(
    ({ role, value }, at) =>
      role === 'noun' ||
      role === 'sticky' ||
      (role === 'note' &&
        (value === 'make a note' || (value === 'make a note that' && clause.tags[at + 1]?.role === 'saying'))),
  )
  const noun = clause.tags[index]
  if (noun === undefined || !isOnlyManners(clause, noun.from)) return null
  const makes =
    clause.has('write') ||
    noun.role === 'note' ||
    clause.verbs.has('add') ||
    (clause.has('ask') && clause.verbs.size === 0) ||
    hasNew(clause, noun) ||
    isLabel(clause, index)
  if (!makes) return null
  const places = placesIn(clause)
  const after = clause.tags.slice(index + 1).filter((tag) => !isIn(places, tag))
  const named = after.find(({ role }) => role === 'named')
  const saying = after.find(({ role, from }) => role === 'saying' && (named === undefined || from > named.to))
  const about =
    named === undefined
      ? after.find(({ role, from }) => role === 'about' && (saying === undefined || from < saying.from))
      : undefined
  const firstQuoted = after.find(({ role, from }) => role === 'quoted' && (saying === undefined || from < saying.from))
  const colon = after.find(({ value, role }) => role === 'glue' && value === ':')
  const bodyAt = saying?.to ?? colon?.to
  const head = after.filter(({ from }) => bodyAt === undefined || from < bodyAt - 1)
  const link = named ?? about
  // Words that are neither a title nor a text: the sentence is about something else.
  if (head.some(({ role, from }) => role === 'unknown' && (link === undefined || from < link.to))) return null
  if (clause.has('neg') && clause.tag('neg')!.to <= noun.from) return { parameters: {}, negated: 'I made no document.' }
  const end = endBeforePlace(clause, places, (saying ?? colon)?.from ?? clause.end)
  // "Document: Travel" names it; "note: buy milk" says what is in it.
  const isTitle =
    saying === undefined && colon !== undefined && link === undefined && noun.value !== 'note' && isLabel(clause, index)
  const title = isTitle
    ? cleanTitle(clause.original(colon.to, clause.end), TITLE_CHARS_MAX)
    : titleOf(clause, link, named !== undefined, firstQuoted, end)
  const text = bodyAt === undefined || isTitle ? '' : textFrom(clause, bodyAt)
  if (noun.role === 'sticky' && text === '') return null
  if (places.length > 0 && title === '' && text === '') return askText()
  const taken = [{ from: link?.to ?? firstQuoted?.from ?? bodyAt ?? clause.end, to: clause.end }]
  return {
    parameters: { ...(title === '' ? {} : { title }), ...(text === '' ? {} : { text: capitalise(text) }) },
    taken,
    whole: text !== '',
    strong: clause.asks || clause.has('write'),
  }
}

function titleOf(
  clause: Clause,
  link: Tag | undefined,
  isNamed: boolean,
  quoted: Tag | undefined,
  end: number,
): string {
  if (quoted !== undefined) return cleanTitle(quoted.value, TITLE_CHARS_MAX)
  if (link === undefined) return ''
  const said = clause.original(link.to, end)
  return isNamed ? cleanTitle(said, TITLE_CHARS_MAX) : titleFromWords(said, clause.language, TITLE_CHARS_MAX)
}

function textFrom(clause: Clause, from: number): string {
  const first = clause.token(from)
  if (first?.kind === 'quoted') return first.word
  return clause.text(from).replace(/^[\s:,-]+/, '')
}

function hasNew(clause: Clause, noun: Tag): boolean {
  return clause.tags.some(({ role, value, to }) => role === 'fill' && value === 'new' && to <= noun.from)
}

/** "Note: buy milk". */
function isLabel(clause: Clause, index: number): boolean {
  return index === 0 && clause.tags[1]?.value === ':'
}

/** Only politeness, verbs of making and articles come before. */
function isOnlyManners(clause: Clause, before: number): boolean {
  return clause.tags.every(
    ({ role, to }) => to > before || ['fill', 'ask', 'verb', 'write', 'glue', 'neg', 'mark'].includes(role),
  )
}
