import { z } from 'zod'
import { LIMITS } from '@choiros/contract/limits.ts'
import { namingWords } from '../find-unit.ts'
import { undoWords } from './history.ts'
import { ANY_QUOTED, vocabulary, type Clause, type Understood } from './intent.ts'
import type { Recipe } from './recipe.ts'
import { cleanTitle } from './titles.ts'

const name = z.string().trim().min(1, 'say which one').max(LIMITS.nameCharsMax, 'the name is too long')
const NAME_CHARS_MAX = 120

const namedWords = vocabulary({
  act: ['undo', 'revert', 'roll back', 'rollback', 'take back', 'reverse', 'bring back', 'get back', 'unmake'],
  back: ['back'],
  quoted: [ANY_QUOTED],
})

/** "Undo the wallpaper": the newest thing that was done to it. */
export const undoNamedRecipe: Recipe = {
  name: 'undo-change',
  title: 'Undo one thing',
  group: 'History',
  hint: 'Takes back the newest change of what you name, and keeps everything else.',
  example: 'undo the wallpaper',
  fields: [{ name: 'what', label: 'What', kind: 'text', choices: [], fallback: null, required: true }],
  parameters: z.strictObject({ what: name }),
  single: true,
  intent: { words: namedWords, open: true, read: readNamed },
  work: { kind: 'git', action: 'undo' },
}

function readNamed(clause: Clause): Understood | null {
  const after = afterAct(clause)
  const between = betweenTakeAndBack(clause)
  const range = after ?? between
  if (range === null) return null
  const { from, to } = range
  // What plain undo understands is plain undo: "undo the last change" names nothing.
  if (!clause.tags.some((tag) => tag.from >= from && tag.to <= to && isUnknownToUndo(clause, tag.from))) return null
  const what = cleanName(clause.original(from, to))
  if (
    what === null ||
    /^(the |my |that )?(what|whatever|everything|all|undo|redo)\b/i.test(what) ||
    namingWords(what).length === 0
  )
    return null
  if (clause.has('neg')) return { parameters: {}, negated: 'I took nothing back.' }
  return { parameters: { what }, strong: true, whole: after === null, taken: [{ from, to }] }
}

const POLITE = /[\s,]+(please|thanks|thank you|again|now|for me)$/i
/** "List.txt" is one name; "the list. Thanks" is more than a name. */
const JOINED = /[.,;:!?…]\s|\s(and|then|but|also|plus)\s/i

function cleanName(said: string): string | null {
  const cleaned = cleanTitle(said.replace(POLITE, ''), NAME_CHARS_MAX)
  return cleaned === '' || JOINED.test(cleaned) ? null : cleaned
}

function isUnknownToUndo(clause: Clause, at: number): boolean {
  const token = clause.token(at)
  return token !== undefined && (token.kind === 'quoted' || (token.kind === 'word' && !undoWords.has(token.word)))
}

/** "Take back the green accent". */
function afterAct(clause: Clause): { from: number; to: number } | null {
  const index = clause.tags.findIndex(({ role }) => role === 'act')
  const act = clause.tags[index]
  if (act === undefined || clause.tags.slice(0, index).some(({ role }) => !BESIDE.has(role))) return null
  // "Revert to friday" goes to a point.
  if (/^(to|undo|undid|undone)$/.test(clause.token(act.to)?.word ?? '')) return null
  return act.to < clause.end ? { from: act.to, to: clause.end } : null
}

/** "Put the wallpaper back". */
function betweenTakeAndBack(clause: Clause): { from: number; to: number } | null {
  const content = clause.tags.filter(({ role }) => role !== 'fill' && role !== 'ask')
  const [first] = content
  const last = content.at(-1)
  if (
    first === undefined ||
    last?.role !== 'back' ||
    !/^(take|put|change|bring|get|turn|set|switch)$/.test(clause.token(first.from)?.word ?? '')
  )
    return null
  return last.from > first.to ? { from: first.to, to: last.from } : null
}

const BESIDE = new Set(['fill', 'ask', 'neg', 'mark', 'glue'])

const restoreWords = vocabulary({
  act: [
    'restore',
    'restore to',
    'go back to',
    'return to',
    'revert to',
    'roll back to',
    'rollback to',
    'take me back to',
    'jump back to',
  ],
  point: [
    'checkpoint',
    'check point',
    'snapshot',
    'save point',
    'savepoint',
    'restore point',
    'backup',
    'milestone',
    'saved point',
  ],
  named: ['called', 'named', 'titled'],
  quoted: [ANY_QUOTED],
})

/**
 * "Restore friday". A name without a checkpoint may still be something that was changed: "restore the old wallpaper".
 */
export const restoreRecipe: Recipe = {
  name: 'restore',
  title: 'Go back to a checkpoint',
  group: 'History',
  hint: 'Puts files and windows back as they were when you saved that checkpoint. It can be undone.',
  example: 'restore before the party',
  fields: [{ name: 'name', label: 'Checkpoint', kind: 'text', choices: [], fallback: null, required: true }],
  parameters: z.strictObject({ name }),
  single: true,
  intent: { words: restoreWords, open: true, read: readRestore },
  work: { kind: 'git', action: 'restore' },
  complete: (answer) => `restore ${answer}`,
}

const WHICH = {
  field: 'name',
  question: 'Which checkpoint? History in the frame above lists them by name.',
  choices: [],
}

function readRestore(clause: Clause): Understood | null {
  const index = clause.tags.findIndex(({ role }) => role === 'act')
  const act = clause.tags[index]
  if (act === undefined || clause.tags.slice(0, index).some(({ role }) => !BESIDE.has(role))) return null
  if (clause.has('neg')) return { parameters: {}, negated: 'I did not go back.' }
  const quoted = clause.tag('quoted')
  const rest = clause.tags.slice(index + 1)
  const isNamed = quoted !== undefined || rest.some(({ role }) => role === 'unknown' || role === 'verb')
  if (!isNamed) return clause.has('point') ? { parameters: {}, ask: WHICH } : null
  const said = cleanName(quoted?.value ?? nameAfter(clause, act.to))
  return said === null ? null : { parameters: { name: said }, strong: true, taken: [{ from: act.to, to: clause.end }] }
}

function nameAfter(clause: Clause, from: number): string {
  if (clause.language === 'en')
    return clause.original(from, clause.end).replace(KIND_FIRST, '').replace(KIND_LAST, '$2')
  const first = clause.tags.find((tag) => tag.from >= from && !['fill', 'point', 'named', 'it'].includes(tag.role))
  return first === undefined ? '' : clause.original(first.from, clause.end)
}

/** "… the checkpoint called friday", "… the friday checkpoint". */
const KIND_FIRST =
  /^(the |my |to )*(checkpoint|check point|milestone|snapshot|save point|restore point|saved point|backup)\s+((that is )?(called|named|titled)\s+)?/i
const KIND_LAST = /^(the |my )?(.+)\s+(checkpoint|check point|milestone|snapshot|save point|restore point|backup)$/i
