import { run } from './ask.ts'
import { showBudget, showCaps } from './caps-panel.ts'
import type { ModelProvider } from './contract.ts'
import { nameComputer } from './own-computer.ts'

/**
 * The page for the language model: the key is typed here, where no desktop can take the focus, and is never shown
 * again.
 */
const form = document.getElementById('model-form') as HTMLFormElement
const said = document.getElementById('model-said') as HTMLElement
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement

function tell(text: string): void {
  said.textContent = text
}

const fail = (error: unknown) => tell(error instanceof Error ? error.message : String(error))

const removeButton = document.getElementById('model-remove') as HTMLButtonElement
const OWN_ADDRESS = 'the provider’s own'
const EXAMPLES: Readonly<Record<string, { readonly model: string; readonly url: string }>> = {
  'anthropic': { model: 'such as claude-sonnet-4-5', url: OWN_ADDRESS },
  'bedrock': { model: 'such as anthropic.claude-sonnet-4-5-20250929-v1:0', url: OWN_ADDRESS },
  'openai-compatible': { model: 'such as qwen3-coder', url: 'such as http://localhost:11434/v1' },
}
let isSet = false

/** Whether someone has begun to type: a late answer must not overwrite that. */
let isTouched = false

async function show(): Promise<void> {
  isTouched = false
  const [model] = await run('model.list', {})
  isSet = model !== undefined
  removeButton.disabled = !isSet
  if (model !== undefined && !isTouched) {
    field('provider').value = model.provider
    field('url').value = model.url ?? ''
    field('strong').value = model.tiers.strong
    field('fast').value = model.tiers.fast === model.tiers.strong ? '' : model.tiers.fast
    // Prices that are not shown would be lost with the next Save, and with them the cap in money.
    field('prices').value = model.prices === null ? '' : `${model.prices.input}, ${model.prices.output}`
    field('key').placeholder = model.hasKey ? 'set; leave empty to keep it' : 'none'
  }
  showExamples()
}

/** Names and addresses look different for each provider. */
function showExamples(): void {
  const { model, url } = EXAMPLES[field('provider').value] ?? { model: '', url: '' }
  field('strong').placeholder = model
  field('url').placeholder = url
}

const BUDGET_EVERY_MS = 2000

async function save(): Promise<void> {
  tell('Saving…')
  const text = (name: string) => field(name).value.trim()
  const [input, output] = text('prices').split(',').map(Number)
  await run('model.set', {
    provider: field('provider').value as ModelProvider,
    url: text('url') === '' ? null : text('url'),
    key: field('key').value === '' ? null : field('key').value,
    strong: text('strong'),
    fast: text('fast') === '' ? text('strong') : text('fast'),
    prices: input === undefined || output === undefined ? null : { input, output },
  })
  field('key').value = ''
  isTouched = false
  tell('Saved. “Test this” sees whether it answers.')
  await show()
}

/** Saves first, so that the form's content is what is tested. */
async function test(): Promise<void> {
  if (isTouched || !isSet) {
    if (!form.reportValidity()) return tell('Nothing was tested: fill in the form first.')
    await save()
  }
  tell('Asking…')
  const { ok, message, tookMs } = await run('model.test', { tier: 'strong' })
  tell(`${ok ? 'It works' : 'It does not work'}: ${message} (${tookMs} ms)`)
}

form.addEventListener('input', () => {
  isTouched = true
  tell('') // The last message was about what stood here before.
  showExamples()
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  save().catch(fail)
})
document.getElementById('model-test')?.addEventListener('click', () => void test().catch(fail))
removeButton.addEventListener('click', () => {
  const remove = async () => {
    await run('model.remove', {})
    form.reset()
    field('key').placeholder = 'none'
    tell('No model is used now.')
    await show()
  }
  remove().catch(fail)
})
setInterval(() => void showBudget().catch(() => {}), BUDGET_EVERY_MS) // One missed answer is not worth a message.
Promise.all([show(), showCaps(), nameComputer()]).catch(fail)
