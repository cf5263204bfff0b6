import { ANY_DATE, ANY_NUMBER, vocabulary, type Clause, type Tag, type Vocabulary } from './intent.ts'
import { cleanTitle } from './titles.ts'

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** Days without a year, as month and day. */
const FEASTS: Readonly<Record<string, { readonly day: string; readonly names: readonly string[] }>> = {
  'Christmas': { day: '12-25', names: ['christmas', 'xmas', 'christmas day'] },
  'Christmas Eve': { day: '12-24', names: ['christmas eve'] },
  'New Year': { day: '01-01', names: ['new year', 'new years', 'new years day', 'the new year'] },
  "New Year's Eve": { day: '12-31', names: ['new years eve', 'silvester'] },
  'Halloween': { day: '10-31', names: ['halloween'] },
  "Valentine's Day": { day: '02-14', names: ['valentines', 'valentines day'] },
}

export const DATE_WORDS: Vocabulary = new Map([
  [ANY_DATE, { role: 'iso', value: '' }],
  [ANY_NUMBER, { role: 'number', value: '' }],
  ...vocabulary({
    month: Object.fromEntries(
      MONTHS.map((name, index) => [String(index + 1), name === 'may' ? [name] : [name, name.slice(0, 3)]]),
    ),
    weekday: Object.fromEntries(WEEKDAYS.map((name, index) => [String(index), [name]])),
    feast: Object.fromEntries(Object.entries(FEASTS).map(([name, { names }]) => [name, names])),
    day: { 1: ['tomorrow'], 2: ['the day after tomorrow'], 7: ['next week', 'a week from now', 'in a week'] },
    ordinal: ['st', 'nd', 'rd', 'th', 'of'],
    unit: { 1: ['day', 'days'], 7: ['week', 'weeks'] },
  }),
])

const DAY_MS = 86_400_000

/** 2026-12-25 as a person says it. */
export function dayWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const name = MONTHS[month - 1]!
  return `${date} ${name[0]!.toUpperCase()}${name.slice(1)} ${year}`
}

/**
 * The day a clause names, counted from its today, with the feast's own name; null if it names none, or one that does
 * not exist.
 */
export function dateIn(clause: Clause): { day: string; feast: string | null } | null {
  const { today } = clause
  const iso = clause.value('iso')
  if (iso !== undefined) return isDay(iso) ? { day: iso, feast: null } : null
  const feast = clause.tag('feast')
  if (feast !== undefined) return { day: comingDay(today, FEASTS[feast.value]!.day), feast: feastName(clause, feast) }
  const month = clause.value('month')
  const numbers = clause.tags.filter(({ role }) => role === 'number').map(({ value }) => Number(value))
  if (month !== undefined) return monthDay(today, Number(month), numbers)
  const ahead = clause.value('day')
  if (ahead !== undefined) return { day: addDays(today, Number(ahead)), feast: null }
  const weekday = clause.value('weekday')
  if (weekday !== undefined)
    return { day: addDays(today, ((Number(weekday) - weekdayOf(today) + 6) % 7) + 1), feast: null }
  const unit = clause.value('unit')
  const [count] = numbers
  if (unit !== undefined && count !== undefined && count <= DAYS_AHEAD_MAX)
    return { day: addDays(today, count * Number(unit)), feast: null }
  return null
}

/** As the person calls it, in their language. */
function feastName(clause: Clause, { value, from, to }: Tag): string {
  return clause.language === 'en' ? value : cleanTitle(clause.original(from, to))
}

const DAYS_AHEAD_MAX = 10_000

function monthDay(today: string, month: number, numbers: readonly number[]): { day: string; feast: null } | null {
  const day = numbers.find((number) => number >= 1 && number <= 31)
  const year = numbers.find((number) => number >= 1900 && number <= 9999)
  if (day === undefined) return null
  const rest = `${two(month)}-${two(day)}`
  const whole = year === undefined ? comingDay(today, rest) : `${year}-${rest}`
  return isDay(whole) ? { day: whole, feast: null } : null
}

function comingDay(today: string, monthAndDay: string): string {
  const year = Number(today.slice(0, 4))
  return `${today.slice(5) < monthAndDay ? year : year + 1}-${monthAndDay}`
}

export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
