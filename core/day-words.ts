/** A day as 2026-11-18, with the name that people plan by: models count days of the week badly. */
export function dayWords(day: string): string {
  const name = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
  return `${name}, ${day}`
}
