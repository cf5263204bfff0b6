import type { Wish } from '@choiros/contract/events/talk.ts'
import type { MemoryEntry } from '@choiros/contract/memory-view.ts'
import { isAbout, namingWords } from '../find-unit.ts'
import { EVERYTHING } from '../recipes/memory.ts'
import { RECIPES } from '../recipes/recipes.ts'
import { understand } from '../recipes/understand.ts'
import { isWithdrawal } from '../recipes/withdraw.ts'

/** Any day will do: nothing here depends on it. */
const TODAY = '2026-01-01'

/** What a person asks to forget. `last`: what they said right before, as in "forget that". */
export type ToForget = { readonly what: string } | 'last'

/** Read from the person's own words, or from the form they filled in. */
export function toForgetIn(text: string, wishes: readonly Wish[]): ToForget[] {
  if (wishes.length === 0 && isWithdrawal(text)) return /\bforget\b/i.test(text) ? ['last'] : []
  const found = wishes.length > 0 ? wishes : understand(text, RECIPES, TODAY).wishes
  return found.flatMap(({ recipe, parameters }) => {
    const what = recipe === 'forget' ? parameters['what'] : undefined
    return typeof what === 'string' ? [{ what }] : []
  })
}

/** The entries that stand and that the words are about. Every word must fit: better none than the wrong one. */
export function entriesAbout(entries: readonly MemoryEntry[], what: string): MemoryEntry[] {
  const standing = entries.filter(({ state }) => state === 'stands')
  if (what === EVERYTHING) return standing
  const words = namingWords(what)
  return standing.filter(({ text, topic }) => isAbout({ title: text, about: topic, asked: '' }, words))
}
