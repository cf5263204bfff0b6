import { MOODS, moodWords, placeWords } from '@choiros/core/everywhere/mood-words.ts'
import { run } from './ask.ts'
import type { ApprovalView, LeaseView, MoodName, MoodView } from './contract.ts'
import { element, fail, fill, textNode } from './page.ts'

/** The part of the drawer that says how the agents work, what they may do right now, and what they always may. */
const choice = document.getElementById('mood') as HTMLSelectElement

const LEASE_WORDS: Readonly<Record<LeaseView['kind'], string>> = {
  read: 'Read',
  write: 'Write',
  verify: 'Have its work checked',
  net: 'Use the network',
  export: 'Export',
  publish: 'Publish',
}
const APPROVAL_KINDS: Readonly<Record<ApprovalView['kind'], string>> = {
  scope: 'Write',
  deletion: 'Delete documents in',
  trust: 'Change, even on guard,',
}

export async function refreshAgents(): Promise<void> {
  const [mood, leases, { standing }] = await Promise.all([
    run('mood.get', {}),
    run('lease.list', {}),
    run('approval.list', {}),
  ])
  showMood(mood)
  fill(element('leases'), leases.map(leaseRow), 'Nothing is at work.')
  element('standing-title').hidden = element('standing').hidden = standing.length === 0
  fill(element('standing'), standing.map(standingRow), '')
}

function showMood({ pinned, now }: MoodView): void {
  if (document.activeElement !== choice) choice.value = pinned ?? ''
  element('mood-now').textContent = `Your agents are ${moodWords(now)}`
  element('mood-says').textContent = MOODS[now.mood].says
}

function leaseRow({ lease, kind, scope, used, uses }: LeaseView): HTMLElement {
  const words = kind === 'verify' ? LEASE_WORDS[kind] : `${LEASE_WORDS[kind]} ${placeWords(scope)}`
  return row(words, `used ${used} of ${uses} times`, () => run('lease.revoke', { lease }))
}

function standingRow({ approval, kind, scope }: ApprovalView): HTMLElement {
  return row(`${APPROVAL_KINDS[kind]} ${placeWords(scope)}`, '', () => run('approval.revoke', { approval }))
}

function row(title: string, small: string, revoke: () => Promise<unknown>): HTMLElement {
  const item = document.createElement('li')
  const words = document.createElement('div')
  words.append(textNode('strong', title), ...(small === '' ? [] : [textNode('small', small)]))
  const button = textNode('button', 'Revoke') as HTMLButtonElement
  button.type = 'button'
  button.setAttribute('aria-label', `Revoke: ${title}`)
  button.addEventListener('click', () => void revoke().then(refreshAgents).catch(fail))
  item.append(words, button)
  return item
}

async function choose(): Promise<void> {
  showMood(
    choice.value === '' ? await run('mood.unpin', {}) : await run('mood.pin', { mood: choice.value as MoodName }),
  )
}

for (const [mood, { word }] of Object.entries(MOODS)) {
  const option = textNode('option', `Always ${word}`) as HTMLOptionElement
  option.value = mood
  choice.append(option)
}
choice.addEventListener('change', () => void choose().catch(fail))
