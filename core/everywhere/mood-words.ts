import type { ApprovalWord, MoodName, RunMood } from './contract.ts'

/** Each mood as a person would say it, and what it means for them. */
export const MOODS: Readonly<Record<MoodName, { readonly word: string; readonly says: string }>> = {
  CALM: { word: 'calm', says: 'Works as usual.' },
  BOLD: { word: 'bold', says: 'Goes ahead: asks little, and nobody else looks over its changes.' },
  CURIOUS: { word: 'curious', says: 'Looks around to answer; runs no commands and deletes nothing.' },
  PETTY: { word: 'sparing', says: 'Small steps with the smaller model, to spend little.' },
  DEFERENTIAL: { word: 'at your word', says: 'Does what you said and no more; asks before it deletes a document.' },
  CONTRITE: { word: 'careful', says: 'Thinks longer, and every change is looked over.' },
  SKEPTICAL: { word: 'wary', says: 'Runs no commands, remembers nothing, and asks you before it writes documents.' },
  PARANOID: { word: 'on guard', says: 'Few, small steps; asks you before it touches what keeps the desktop safe.' },
}

/** “careful, because the last change was taken back”. */
export function moodWords({ mood, why, by }: RunMood): string {
  const { word } = MOODS[mood]
  if (by === 'person') return `${word}, as you chose`
  return why === '' ? word : `${word}, because ${why}`
}

/** What is worth saying of a run; null for the usual. */
export function notableMood(mood: RunMood | null): string | null {
  return mood === null || (mood.mood === 'CALM' && mood.by === 'rules') ? null : moodWords(mood)
}

const PLACES: Readonly<Record<string, string>> = {
  'app/': 'the desktop (app/)',
  'artifacts/': 'your documents (artifacts/)',
}
const PLACES_SHOWN_MAX = 5

/** Folders and files as a person knows them. */
export function placeWords(scope: readonly string[]): string {
  const more = scope.length > PLACES_SHOWN_MAX ? ` and ${scope.length - PLACES_SHOWN_MAX} more` : ''
  const shown = scope.slice(0, PLACES_SHOWN_MAX).map((part) => PLACES[part] ?? pathWords(part))
  return `${shown.join(', ')}${more}`
}

const PATH_CHARS_MAX = 100

/**
 * A path in the middle of a sentence. It was named by an agent or a file: one that reads like a sentence itself stands
 * in quotes, so that it cannot pass for ours.
 */
export function pathWords(path: string): string {
  const end = path.length > PATH_CHARS_MAX ? `…${path.slice(-PATH_CHARS_MAX).toWellFormed()}` : path
  return /^[\p{L}\p{M}\p{N}…_./-]*$/u.test(end) ? end : `“${end.replaceAll(/[“”"\p{C}\p{Z}]/gu, ' ')}”`
}

export const APPROVAL_WORDS: Readonly<Record<ApprovalWord, string>> = {
  once: 'Allow this once',
  run: 'Allow in this run',
  computer: 'Always on this computer',
  deny: 'Don’t allow',
}
