import type { Foreign, Language } from './language.ts'
import { listOf } from './lexicon.ts'
import { LEXICON_DATA } from './lexicons.ts'
import { PHRASES_OF_RECIPES } from './phrases-of-recipes.ts'
import { PHRASES_OF_TALK } from './phrases-of-talk.ts'

interface Template {
  readonly pattern: RegExp
  readonly names: readonly string[]
  readonly said: Readonly<Record<Foreign, string>>
}

/** Those with most words of their own first: of two that fit a sentence, they say more. */
const TEMPLATES: readonly Template[] = Object.entries({ ...PHRASES_OF_RECIPES, ...PHRASES_OF_TALK })
  .toSorted(([a], [b]) => b.replaceAll(/\{\w+\}/g, '').length - a.replaceAll(/\{\w+\}/g, '').length)
  .map(([english, [de, fr, es]]) => ({
    pattern: patternOf(english),
    names: [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    said: { de, fr, es },
  }))

/** Between quotation marks anything but their end; elsewhere as little as fits. */
function patternOf(english: string): RegExp {
  const source = english
    .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/“\{\w+\}”/g, '“([^”]*)”')
    .replaceAll(/\{\w+\}/g, '(.+?)')
  return new RegExp(`^${source}(?=\\s|$)`, 'u')
}

/** More sentences than a line of a reply has. */
const SENTENCES_MAX = 40

/** A reply of the recipes in the person's language, sentence by sentence; what has no translation stays in English. */
export function inLanguage(text: string, language: Language): string {
  return language === 'en'
    ? text
    : text
        .split('\n')
        .map((line) => logLineIn(line, language) ?? lineIn(line, language))
        .join('\n')
}

const LOG_LINE = /^(.+) \((?:(just now)|an? (minute|hour|day) ago|(\d+) (minute|hour|day)s ago)(, taken back since)?\)$/

const TIMES: Readonly<Record<string, readonly [de: string, fr: string, es: string]>> = {
  now: ['gerade eben', "à l'instant", 'ahora mismo'],
  minute: ['vor einer Minute', 'il y a une minute', 'hace un minuto'],
  hour: ['vor einer Stunde', 'il y a une heure', 'hace una hora'],
  day: ['vor einem Tag', 'il y a un jour', 'hace un día'],
  minutes: ['vor {} Minuten', 'il y a {} minutes', 'hace {} minutos'],
  hours: ['vor {} Stunden', 'il y a {} heures', 'hace {} horas'],
  days: ['vor {} Tagen', 'il y a {} jours', 'hace {} días'],
  since: [', seither zurückgenommen', ', annulé depuis', ', deshecho desde entonces'],
}

/** "Made the desktop light (5 minutes ago)". */
function logLineIn(line: string, language: Foreign): string | null {
  const [, title, now, one, count, many, since] = LOG_LINE.exec(line) ?? []
  if (title === undefined) return null
  const words = (key: string) => TIMES[key]![COLUMN[language]]
  const when = now !== undefined ? words('now') : one !== undefined ? words(one) : words(`${many!}s`)
  const ago = when.replace('{}', count ?? '') + (since === undefined ? '' : words('since'))
  return `${titleIn(title, language)} (${ago})`
}

/** What was done is named by its sentence, without the stop. */
function titleIn(title: string, language: Foreign): string {
  const said = lineIn(`${title}.`, language)
  return said.replace(/\.$/, '')
}

function lineIn(line: string, language: Foreign): string {
  const said: string[] = []
  let rest = line
  for (let count = 0; rest !== '' && count < SENTENCES_MAX; count++) {
    const found = longestMatch(rest)
    if (found === null) break
    const [whole, ...values] = found.match
    const given = new Map(found.template.names.map((name, index) => [name, values[index] ?? '']))
    said.push(
      found.template.said[language].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const value = given.get(name) ?? ''
        if (name !== 'titles') return valueIn(value, language)
        return value
          .split('; ')
          .map((title) => titleIn(title, language))
          .join('; ')
      }),
    )
    rest = rest.slice(whole.length).trimStart()
  }
  return [...said, rest].filter((piece) => piece !== '').join(' ')
}

function longestMatch(text: string): { template: Template; match: RegExpExecArray } | null {
  let longest: { template: Template; match: RegExpExecArray } | null = null
  for (const template of TEMPLATES) {
    const match = template.pattern.exec(text)
    if (match !== null && match[0].length > (longest?.match[0].length ?? 0)) longest = { template, match }
  }
  return longest
}

/** Names of things that recipes put into their sentences. */
const VALUES: Readonly<Record<string, readonly [de: string, fr: string, es: string]>> = {
  'light': ['hell', 'clair', 'claro'],
  'dark': ['dunkel', 'sombre', 'oscuro'],
  'top': ['oben', 'haut', 'arriba'],
  'bottom': ['unten', 'bas', 'abajo'],
  'bigger': ['größer', 'plus grand', 'más grande'],
  'smaller': ['kleiner', 'plus petit', 'más pequeño'],
  'clock': ['eine Uhr', 'une horloge', 'un reloj'],
  'clock with seconds': ['eine Uhr mit Sekunden', 'une horloge avec les secondes', 'un reloj con segundos'],
  '12-hour clock': ['eine 12-Stunden-Uhr', 'une horloge sur 12 heures', 'un reloj de 12 horas'],
  '12-hour clock with seconds': [
    'eine 12-Stunden-Uhr mit Sekunden',
    'une horloge sur 12 heures avec les secondes',
    'un reloj de 12 horas con segundos',
  ],
  'date': ['das Datum', 'la date', 'la fecha'],
  'countdown': ['ein Countdown', 'un compte à rebours', 'una cuenta atrás'],
  'greeting': ['eine Begrüßung', 'une salutation', 'un saludo'],
  'plain': ['schlicht', 'uni', 'liso'],
  'dusk': ['Dämmerung', 'crépuscule', 'crepúsculo'],
  'aurora': ['Polarlicht', 'aurore boréale', 'aurora boreal'],
  'dunes': ['Dünen', 'dunes', 'dunas'],
  'grid': ['Raster', 'grille', 'cuadrícula'],
  'paper': ['Papier', 'papier', 'papel'],
  'ocean': ['Ozean', 'océan', 'océano'],
  'forest': ['Wald', 'forêt', 'bosque'],
  'christmas': ['Weihnachten', 'Noël', 'Navidad'],
  'new year': ['Neujahr', 'Nouvel An', 'Año Nuevo'],
  'crimson': ['karmesinrot', 'cramoisi', 'carmesí'],
  'violet': ['violett', 'violet', 'violeta'],
}

const COLUMN: Readonly<Record<Foreign, 0 | 1 | 2>> = { de: 0, fr: 1, es: 2 }
const OR: Readonly<Record<Foreign, readonly [or: string, and: string]>> = {
  de: ['oder', 'und'],
  fr: ['ou', 'et'],
  es: ['o', 'y'],
}

/** A value as it is said in the person's language; names and titles stay as they are. */
export function valueIn(value: string, language: Language): string {
  if (language === 'en') return value
  const known = VALUES[value.toLowerCase()]?.[COLUMN[language]] ?? colourIn(value.toLowerCase(), language)
  if (known !== undefined) return /^\p{Lu}/u.test(value) ? known[0]!.toUpperCase() + known.slice(1) : known
  const day = /^(\d{1,2}) (\p{L}+) (\d{4})$/u.exec(value)
  if (day !== null) return dayIn(day[1]!, day[2]!, day[3]!, language)
  const [or, and] = OR[language]
  return value.replaceAll('” or “', `” ${or} “`).replaceAll('” and “', `” ${and} “`)
}

function colourIn(name: string, language: Foreign): string | undefined {
  const { colours, shades, endings } = LEXICON_DATA[language]
  const plain = (colour: string) => {
    const [first] = listOf(colours[colour] ?? '')
    return first?.endsWith('*') === true ? first.slice(0, -1) + endings.adjective[0]! : first
  }
  const direct = plain(name)
  if (direct !== undefined) return direct
  const [shade = '', ...rest] = name.split(' ')
  const base = plain(rest.join(' '))
  const [pattern] = listOf(shades[shade] ?? '')
  return base === undefined || pattern === undefined ? undefined : pattern.replace('{}', base)
}

function dayIn(day: string, month: string, year: string, language: Foreign): string {
  const [name = month] = listOf(LEXICON_DATA[language].words[month.toLowerCase()] ?? month)
  if (language === 'de') return `${day}. ${name[0]!.toUpperCase()}${name.slice(1)} ${year}`
  return language === 'es' ? `${day} de ${name} de ${year}` : `${day} ${name} ${year}`
}
