import { hasCode } from '@choiros/contract/error.ts'
import type { TaskOutcome, WorkOrder } from '@choiros/contract/syscalls.ts'
import type { DirectorTask } from '@choiros/contract/tasks.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { problemWords, readVerdict } from '@choiros/contract/verdict.ts'
import { exampleIn } from '@choiros/core/recipes/languages/examples.ts'
import type { Language } from '@choiros/core/recipes/languages/language.ts'
import { nearestWishes } from '@choiros/core/recipes/nearest.ts'
import { findRecipe, RECIPES } from '@choiros/core/recipes/recipes.ts'
import { languageOf, type Found } from '@choiros/core/recipes/understand.ts'

export interface Ended {
  readonly task: DirectorTask
  readonly outcome: TaskOutcome
}

/** The language of the person's words; the forms of the menu are in English. */
export function languageIn({ text, wishes }: Pick<WorkOrder, 'text' | 'wishes'>): Language {
  return wishes.length > 0 ? 'en' : languageOf(text, RECIPES)
}

/** What must be said about a text besides what is done. */
export function notesOf({ says, negated, overruled, leftovers }: Found): string[] {
  const both =
    overruled.length === 0
      ? []
      : [`I went by what you said last, not by ${overruled.map((text) => `“${text}”`).join(', ')}.`]
  const unclear =
    leftovers.length === 0 ? [] : [`I did not understand: ${leftovers.map((text) => `“${text}”`).join(', ')}.`]
  return [...both, ...negated, ...says, ...unclear]
}

/**
 * For a text that was not understood, without a model that could: one sentence with the nearest wishes, each of which
 * can be asked for as it is.
 */
export function notUnderstood(text: string): { reply: string; offers: string[] } {
  const offers = nearestWishes(text, RECIPES, LIMITS.offersMax)
  const said = offers.map((offer) => `“${offer}”`)
  const known =
    'My own recipes, which know some English, German, French and Spanish, have nothing for that; a language model (Model, at the top) could do more'
  return { reply: `${known} – or did you mean ${said.slice(0, -1).join(', ')} or ${said.at(-1)}?`, offers }
}

/** For "never mind" when no run is at work. */
export const NOTHING_TO_STOP = 'There is nothing to stop right now. To take back the last change, say “undo that”.'

/** For "thanks", "hello" and the like. */
export function mannersWords(text: string): string {
  if (/\b(thanks?|thx|cheers|danke|dankeschön|dank|merci|gracias)\b/i.test(text)) return 'You’re welcome.'
  const hello = /\b(hi|hello|hey|dear|hallo|guten|moin|bonjour|bonsoir|salut|coucou|hola|buen[oa]s)\b/i.test(text)
    ? 'Hello! '
    : ''
  return `${hello}Tell me what you would like, or press ? for ideas.`
}

/**
 * What can be asked for: a few words, and one clickable example of each kind. The full list is in the menu; a small
 * card has no room for it.
 */
export function helpWords(language: Language): { reply: string; offers: string[] } {
  const offers = HELP_EXAMPLES.flatMap((name) => {
    const recipe = findRecipe(name)
    return recipe === undefined ? [] : exampleIn(recipe, language)
  })
  const said = offers.map((offer) => `“${offer}”`).join(', ')
  const rest = 'I also write documents, tell you what you have and what changed, and take back whatever I did.'
  return {
    reply: `Just say it in your own words, for example: ${said}. ${rest} The ? menu has all of it, with forms to fill in.`,
    offers,
  }
}

/** As many examples as may be offered. */
const HELP_EXAMPLES = ['accent', 'todo', 'clock']

export function replyTo(notes: readonly string[], ended: readonly Ended[], checkpoint: string | null): string {
  const results = ended.map(({ task, outcome }) => (isLog(task, outcome) ? logWords(outcome) : outcomeWords(outcome)))
  // With changes it waits for the page's verdict: a checkpoint must be a healthy point, and that is not known yet.
  const changed = ended.some(({ outcome }) => outcome.status === 'changed')
  const saved =
    checkpoint === null
      ? []
      : [
          changed
            ? `Once the desktop is seen to work, this point will be saved as “${checkpoint}”.`
            : `I saved this point as “${checkpoint}”.`,
        ]
  return [...results, ...saved, ...notes].filter((text) => text !== '').join('\n') || 'There was nothing to do.'
}

function isLog(task: DirectorTask, outcome: TaskOutcome): boolean {
  return task.git_action === 'log' && outcome.status === 'done'
}

/** One change per line. */
function logWords({ summary }: TaskOutcome): string {
  return summary === '' ? 'Nothing has changed so far.' : `Here is what changed lately, newest first:\n${summary}`
}

function outcomeWords(outcome: TaskOutcome): string {
  switch (outcome.status) {
    case 'changed':
      return outcome.result?.reply || outcome.result?.summary || sentence(outcome.summary)
    case 'done':
      return doneWords(outcome)
    case 'refused':
      return outcome.kind === 'git' ? `I could not do that: ${withStop(outcome.summary)}` : refusedWords(outcome)
    case 'needs_input':
      return [sentence(outcome.summary), ...(outcome.result?.questions ?? [])].join(' ')
    case 'failed':
      return `That did not work. ${sentence(outcome.summary)}`
  }
}

const PROBLEMS_SHOWN_MAX = 3

function refusedWords({ reports, summary }: TaskOutcome): string {
  const red = reports.filter((report) => !report.ok)
  const problems = red.flatMap((report) => report.problems.map(problemWords))
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX)
  const more = problems.length > shown.length ? ` (and ${problems.length - shown.length} more)` : ''
  const why = shown.length > 0 ? `${shown.join('; ')}${more}` : summary
  return `I tried it on a copy, and it did not pass the checks. ${sentence(why)}`
}

function doneWords({ kind, summary, result }: TaskOutcome): string {
  if (kind === 'git') return sentence(summary)
  if (kind === 'run') return checkWords(result?.commands_run ?? [])
  return result?.summary ?? sentence(summary)
}

/** The last line of a check's output is its verdict; a check without one has not said yes. */
function checkWords(runs: readonly { readonly exit_code: number | null; readonly log: string }[]): string {
  const verdicts = runs.map(({ log }) => readVerdict(log))
  if (verdicts.includes(null) || runs.length === 0)
    return 'I could not check everything: one check ended without an answer.'
  const problems = verdicts.flatMap((verdict) => verdict?.problems ?? []).map(problemWords)
  if (problems.length === 0) return 'I looked through the desktop’s code and found nothing wrong.'
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX)
  const more = problems.length > shown.length ? `\n(and ${problems.length - shown.length} more)` : ''
  return `I found ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${shown.join('\n')}${more}`
}

export function failureWords(error: unknown): string {
  // A cap is no mishap: the person set it, and can raise it.
  if (hasCode(error, 'budget.spent')) return `I stopped: ${sentence(error.message)}`
  if (hasCode(error, 'model.failed')) return `The model could not be used: ${sentence(error.message)}`
  return `Something went wrong on my side: ${sentence(error instanceof Error ? error.message : String(error))}`
}

/** Starts with a capital and ends with a stop, whoever wrote it. */
function sentence(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  // A path keeps its small letter: it would be another path with a capital one.
  const capital = /^\p{Ll}+[\s,.:]/u.test(trimmed) ? trimmed[0]!.toUpperCase() + trimmed.slice(1) : trimmed
  return withStop(capital)
}

/** Ends with a full stop; one inside a quotation at the end counts. */
function withStop(text: string): string {
  return /[.!?…]”?$/.test(text) ? text : `${text}.`
}
