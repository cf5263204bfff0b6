import type { Clause, Tag } from './intent.ts'
import type { Language } from './languages/language.ts'
import { titleRules } from './languages/title-rules.ts'
import { capitalise, cleanTitle, titleFromWords } from './titles.ts'

export type AppKind = 'notes' | 'todo' | 'timer'

export function kindOf(value: string): AppKind {
  return value === 'list' || value === 'todo' ? 'todo' : value === 'timer' || value === 'pomodoro' ? 'timer' : 'notes'
}

export function titleOf(kind: Tag, clause: Clause, before: string, subject: string): string {
  const noun = clause.original(kind.from, kind.to).toLowerCase()
  const together = (label: string) => capitalise(cleanTitle(`${label} ${noun.replace(/ app$/, '')}`))
  switch (kind.value) {
    case 'timer':
    case 'pomodoro':
      return subject !== ''
        ? capitalise(cleanTitle(`${subject} timer`))
        : before !== ''
          ? together(before)
          : kind.value === 'pomodoro'
            ? 'Pomodoro timer'
            : ''
    case 'list':
      return subject !== '' ? subject : before === '' ? '' : together(before)
    case 'book':
      return subject !== '' ? subject : before === '' ? capitalise(noun) : together(before)
    default:
      return subject !== '' ? subject : before === '' ? '' : kind.value === 'notes' ? together(before) : before
  }
}

interface Named {
  readonly label: { readonly from: number; readonly to: number }
  readonly subject: string
  readonly after: Tag | undefined
  readonly end: number
}

/** "Einkaufsliste" and "liste de courses" are titles as they are; "Liste für den Garten" is called "Garten". */
export function foreignTitle(kind: Tag, clause: Clause, { label, subject, after, end }: Named): string {
  const whole = (from: number, to: number) => capitalise(cleanTitle(clause.original(from, to)))
  if (label.to > label.from) return whole(label.from, kind.to)
  if (kindOf(kind.value) === 'timer')
    return subject === ''
      ? ''
      : titleRules(clause.language)!.timer.replace('{}', () => uncapitalised(clause, after!, end))
  if (subject !== '') return after?.value === 'of' && clause.language !== 'de' ? whole(kind.from, end) : subject
  return kind.value === 'book' ? whole(kind.from, kind.to) : ''
}

/** What a timer is for, with its own first letter. */
function uncapitalised(clause: Clause, link: Tag, end: number): string {
  const title = titleFromWords(clause.original(link.to, end), clause.language)
  const said = clause.original(link.to, end)
  const small = title.slice(0, 1).toLowerCase() + title.slice(1)
  return said.includes(title) ? title : said.includes(small) ? small : title
}

export function defaultTitle(kind: AppKind, language: Language): string {
  return (titleRules(language)?.usual ?? { notes: 'Notes', todo: 'To do', timer: 'Timer' })[kind]
}
