import type { Foreign, Language, TitleData } from './language.ts'
import { listOf } from './lexicon.ts'
import { LEXICON_DATA } from './lexicons.ts'

/** What is known about the words of titles in one language. */
interface TitleRules extends Pick<TitleData, 'timer' | 'usual'> {
  readonly leading: RegExp
  readonly trailing: RegExp
  readonly listed: RegExp
  readonly generic: RegExp
}

const RULES = new Map<Foreign, TitleRules>()

/** Null for English, whose rules stand where they are used. */
export function titleRules(language: Language): TitleRules | null {
  if (language === 'en') return null
  const rules = RULES.get(language) ?? makeRules(LEXICON_DATA[language].titles)
  RULES.set(language, rules)
  return rules
}

function makeRules({ leading, trailing, listed, generic, timer, usual }: TitleData): TitleRules {
  const oneOf = (list: string) =>
    listOf(list)
      // An elided article has no space behind it.
      .map((word) => (/['’]$/.test(word) ? `${word.slice(0, -1)}['’]` : `${word}\\s`))
      .join('|')
  const plain = (list: string) => listOf(list).join('|')
  return {
    timer,
    usual,
    leading: new RegExp(`^(?:(?:${oneOf(leading)})\\s*)+(?=\\S)`, 'iu'),
    trailing: new RegExp(`(?:[\\s,]+(?:${plain(trailing)}))+$`, 'iu'),
    listed: new RegExp(`(?:^|[^\\p{L}])(?:${plain(listed)})`, 'iu'),
    generic: new RegExp(`^(?:${plain(generic)})$`, 'iu'),
  }
}
