import { z } from 'zod'
import { LIMITS } from '@choiros/contract/limits.ts'
import { ANY_QUOTED, vocabulary, type Clause, type Tag, type Understood } from './intent.ts'
import type { Recipe } from './recipe.ts'
import { cleanTitle } from './titles.ts'

const checkpointShape = z.strictObject({
  name: z.string().trim().min(1).max(LIMITS.nameCharsMax, 'the name is too long').optional(),
})

const checkpointWords = vocabulary({
  save: ['save', 'remember', 'keep', 'mark', 'bookmark', 'freeze', 'store', 'take', 'record', 'saving'],
  point: [
    'checkpoint',
    'check point',
    'snapshot',
    'save point',
    'savepoint',
    'restore point',
    'backup',
    'back up',
    'milestone',
  ],
  state: [
    'state',
    'version',
    'moment',
    'point',
    'desktop',
    'computer',
    'how it is',
    'how it is now',
    'how it looks',
    'how it looks now',
    'as it is',
    'as it is now',
    'the way it is',
    'the way it is now',
    'setup',
    'everything',
    'current',
    'present',
    'it',
    'this',
    'that',
  ],
  named: [
    'as',
    'called',
    'named',
    'under the name',
    'with the name',
    'call it',
    'name it',
    'titled',
    'and call it',
    'name',
    'for',
  ],
  quoted: [ANY_QUOTED],
  glue: ['of', 'off', 'all', 'looks', 'is'],
})

export const checkpointRecipe: Recipe = {
  name: 'checkpoint',
  title: 'Save a checkpoint',
  group: 'History',
  hint: 'Gives this moment a name that you can come back to in History.',
  example: 'save this state as before the party',
  fields: [{ name: 'name', label: 'Name', kind: 'text', choices: [], fallback: 'Saved by hand', required: false }],
  parameters: checkpointShape,
  single: true,
  intent: { words: checkpointWords, open: true, read: readCheckpoint },
  work: { kind: 'git', action: 'checkpoint' },
}

function readCheckpoint(clause: Clause): Understood | null {
  const { isMeant, point } = meaning(clause)
  if (!isMeant || clause.verbs.has('remove')) return null
  const named = clause.tags.find(({ role }, index) => role === 'named' && index > 0)
  const quoted = clause.tag('quoted')
  // "Checkpoint before surgery": what follows is the name.
  const following =
    named === undefined && quoted === undefined && point !== undefined
      ? clause.tags.find(({ from }) => from >= point.to)
      : undefined
  const nameFrom = named?.to ?? quoted?.from ?? (following?.role === 'unknown' ? following.from : clause.end)
  if (clause.tags.some(({ role, from }) => role === 'unknown' && from < nameFrom)) return null
  if (clause.has('neg')) return { parameters: {}, negated: 'I saved no checkpoint.' }
  const name = cleanTitle(
    quoted?.value ?? clause.original(nameFrom, clause.end).replace(KIND_FIRST, ''),
    NAME_CHARS_MAX,
  )
  return {
    parameters: name === '' ? {} : { name },
    strong: true,
    taken: [{ from: nameFrom, to: clause.end }],
    // "Write a letter and keep it as a document": this is about the letter.
    ofIt: point === undefined && clause.values('state').every((value) => PRONOUNS.has(value)) && clause.has('state'),
  }
}

const NAME_CHARS_MAX = 80

/** "… as a milestone called release". */
const KIND_FIRST =
  /^(an? |the )?(checkpoint|milestone|snapshot|save point|restore point|backup)\s+(called|named|titled)\s+/i

/** "Keep this" and "remember that" can mean many things; "save this" means the computer. */
function meaning(clause: Clause): { isMeant: boolean; point: Tag | undefined } {
  const point = clause.tag('point')
  const saves = clause.values('save')
  if (point !== undefined)
    return { isMeant: saves.length > 0 || clause.verbs.has('add') || clause.verbs.size === 0, point }
  const isPlain = saves.includes('save') || saves.includes('bookmark')
  const isBare = isPlain && clause.tags.every(({ role }) => ['save', 'fill', 'ask'].includes(role))
  const isThis = clause.has('state') && (isPlain || clause.has('named') || clause.has('quoted'))
  const isState =
    saves.some((value) => value !== 'take') &&
    clause.tags.some(({ role, value }) => role === 'state' && !PRONOUNS.has(value))
  return { isMeant: isBare || (saves.some((value) => value !== 'take') && isThis) || isState, point }
}

const PRONOUNS = new Set(['it', 'this', 'that', 'everything'])
