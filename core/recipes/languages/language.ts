/** The languages whose sentences recipes understand. Each is read by being brought into the words of English. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type Language = (typeof LANGUAGES)[number]
export type Foreign = Exclude<Language, 'en'>

/** What a lexicon is written as. Commas part phrases; the marks at their ends are explained in `lexicon.ts`. */
export interface LexiconData {
  readonly language: Foreign
  /** English words that recipes know, each with the phrases that mean them; `?` for what means no wish. */
  readonly words: Readonly<Record<string, string>>
  /** Colours by their English name, as adjectives. */
  readonly colours: Readonly<Record<string, string>>
  /** What makes a colour dark or light; `{}` is the colour. */
  readonly shades: Readonly<Record<string, string>>
  readonly endings: { readonly adjective: readonly string[]; readonly verb: readonly string[] }
  /** Verbs whose second part stands at the end ("mach … weg"): particle, then verbs, with what both mean. */
  readonly brackets: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Verbs that stand at the end of a clause, and belong to its beginning. */
  readonly final: string
  /** Ends of words that are things of their own: an "Einkaufsliste" is a list. */
  readonly heads: string
  /** What a phrase means if a sentence begins with it. */
  readonly first: Readonly<Record<string, string>>
  /** What a phrase means if nothing but manners follows it: "le" at the end is "it". */
  readonly last: Readonly<Record<string, string>>
  /** Words that may follow the end of a wish and change nothing. */
  readonly manners: string
  /** Everyday words that are no slip of the hand, however near they are to a word above. */
  readonly ordinary: string
  /** What takes back a wish, always or as an answer. */
  readonly withdrawals: { readonly always: string; readonly asked: string }
  /** How titles are made: words before and after one, which are not part of it. */
  readonly titles: TitleData
}

export interface TitleData {
  readonly leading: string
  readonly trailing: string
  /** Stems of things that are ticked off. */
  readonly listed: string
  /** Words that say nothing of what is kept. */
  readonly generic: string
  /** `{}` is what the timer is for. */
  readonly timer: string
  readonly usual: { readonly notes: string; readonly todo: string; readonly timer: string }
}
