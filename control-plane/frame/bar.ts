/** From this part of its limit on, a bar warns. */
const NEAR = 0.8

export interface Bar {
  readonly title: string
  readonly used: number
  /** Null: there is no limit, and the number stands alone. */
  readonly limit: number | null
  readonly words: (value: number) => string
  /** Said after the numbers. */
  readonly unit?: string
}

/** How much of something is used, as a row of a list. */
export function bar({ title, used, limit, words, unit = '' }: Bar): HTMLElement {
  const row = document.createElement('li')
  const name = document.createElement('span')
  const text = document.createElement('small')
  name.textContent = title
  text.textContent = `${limit === null ? words(used) : `${words(used)} of ${words(limit)}`} ${unit}`.trim()
  row.append(name, text)
  if (limit === null) return row
  const meter = document.createElement('div')
  const filled = document.createElement('i')
  const part = Math.min(1, limit === 0 ? 1 : used / limit)
  filled.style.width = `${part * 100}%`
  meter.className = part < NEAR ? 'meter' : 'meter near'
  for (const [attribute, value] of Object.entries({
    'role': 'meter',
    'aria-label': title,
    'aria-valuetext': text.textContent,
  }))
    meter.setAttribute(attribute, value)
  for (const [attribute, value] of Object.entries({ min: 0, max: limit, now: Math.min(used, limit) }))
    meter.setAttribute(`aria-value${attribute}`, `${value}`)
  meter.append(filled)
  row.append(meter)
  return row
}
