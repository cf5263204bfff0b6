import { expect, test } from 'vitest'
import { RunId } from '@choiros/contract/ids.ts'
import { createLiveText } from './live-text.ts'
import { sayingTo } from './saying.ts'

const run = RunId.parse('run-1')
const tool = (name: string) => ({ name, description: '', input: {} })
const DIRECTOR = { tools: [tool('edit'), tool('read')] }
const REVIEWER = { tools: [tool('read'), tool('verdict')] }
const RETELLING = { tools: [] }

/** A text that keeps at once what is shown by now. */
function screen() {
  const live = createLiveText()
  let text = ''
  const shown: typeof live = {
    ...live,
    begin: () => void (text = ''),
    add: (_, piece) => void (text += piece),
  }
  return { live: shown, text: () => text }
}

test('only what the Director itself says is shown: no reviewer and no retelling speaks in its name', () => {
  const { live, text } = screen()
  sayingTo(live, run, DIRECTOR).text('I make it.')
  for (const other of [REVIEWER, RETELLING]) sayingTo(live, run, other).text('Criterion 1 is not met.')
  expect(text()).toBe('I make it.')
  sayingTo(live, run, DIRECTOR).text('Done.')
  expect(text()).toBe('Done.')
})

test('why the person waits is said as it is, whoever asked, and goes when words come', () => {
  const { live, text } = screen()
  for (const request of [DIRECTOR, REVIEWER]) {
    const listener = sayingTo(live, run, request)
    listener.waits(2000)
    expect(text()).toBe('The model’s server is busy. It is asked again in 2 s.')
    listener.asksAgain()
    expect(text()).toBe('The model has been silent for too long. It is asked once more.')
    listener.text('So.')
    expect(text()).toBe(request === DIRECTOR ? 'So.' : '')
  }
})
