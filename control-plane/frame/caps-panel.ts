import { run } from './ask.ts'
import { bar } from './bar.ts'
import type { BudgetView } from './contract.ts'

/** The part of the model's page that says what models have used on this computer and what they may. */
const bars = document.getElementById('bars') as HTMLElement
const form = document.getElementById('caps-form') as HTMLFormElement
const said = document.getElementById('caps-said') as HTMLElement
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement

/** Draws only the bars, so that what is being typed into the form stays. */
export async function showBudget(): Promise<BudgetView> {
  const budget = await run('budget.get', {})
  draw(budget)
  return budget
}

/** Whether someone has begun to type: a late answer must not overwrite that. */
let isTouched = false

export async function showCaps(): Promise<void> {
  isTouched = false
  said.textContent = ''
  const budget = await showBudget()
  if (!isTouched) fill(budget)
}

function draw({ today, computer, run: atWork, caps, priced }: BudgetView): void {
  const inTokens = (title: string, used: number, limit: number | null) =>
    bar({ title, used, limit, words: (value) => value.toLocaleString(), unit: 'tokens' })
  const money = (value: number) => (value / 1e6).toFixed(2)
  bars.replaceChildren(
    ...(atWork === null ? [] : [inTokens(`This run: ${atWork.text}`, atWork.tokens, caps.run)]),
    inTokens('Today', today.tokens, caps.day),
    ...(priced ? [bar({ title: 'Today, at your prices', used: today.micros, limit: caps.micros, words: money })] : []),
    inTokens('In all', computer.tokens, caps.computer),
  )
}

function fill({ caps, priced }: BudgetView): void {
  field('run').value = caps.run.toLocaleString('en')
  field('day').value = caps.day.toLocaleString('en')
  field('computer').value = caps.computer?.toLocaleString('en') ?? ''
  field('money').value = caps.micros === null ? '' : (caps.micros / 1e6).toFixed(2)
  field('money').placeholder = priced ? 'no limit' : 'needs prices'
}

/**
 * Whole numbers with or without groups. A dot is refused: to some it groups thousands, to others it begins a fraction.
 */
function tokensIn(name: string): number | null {
  const text = field(name).value.replaceAll(/[\s,_’']/g, '')
  if (text === '') return null
  if (!/^\d+$/.test(text)) throw new Error(`“${field(name).value}” is not a whole number.`)
  return Number(text)
}

/** Here a comma begins a fraction, as a dot does. */
function microsIn(name: string): number | null {
  const text = field(name).value.trim().replace(',', '.')
  if (text === '') return null
  if (!/^\d+(\.\d{1,6})?$/.test(text)) throw new Error(`“${field(name).value}” is not an amount: write it like 12.50.`)
  return Math.round(Number(text) * 1e6)
}

async function save(): Promise<void> {
  const micros = microsIn('money')
  const caps = { run: tokensIn('run') ?? 0, day: tokensIn('day') ?? 0, computer: tokensIn('computer'), micros }
  const budget = await run('budget.set', caps)
  draw(budget)
  fill(budget)
  said.textContent =
    micros !== null && !budget.priced
      ? 'Set. The limit in money counts once prices are known: enter them with the model.'
      : 'Set.'
}

form.addEventListener('input', () => (isTouched = true))
form.addEventListener('submit', (event) => {
  event.preventDefault()
  save().catch((error: unknown) => (said.textContent = error instanceof Error ? error.message : String(error)))
})
