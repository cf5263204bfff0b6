import { APPROVAL_WORDS } from '@choiros/core/everywhere/mood-words.ts'
import { run } from './ask.ts'
import type { ApprovalView, ApprovalWord } from './contract.ts'
import { settle } from './cards.ts'
import { element, fail, textNode } from './page.ts'

/**
 * What a run may do only if the person says so, with what could go wrong. It stands in the frame, because a page of the
 * desktop could press any button that it shows.
 */
const card = element('approval')
/** A wish may be as long as a letter; the risk must be in sight with it. */
const WISH_CHARS_MAX = 200
const WORDS: readonly ApprovalWord[] = ['deny', 'once', 'run', 'computer']
let shown: string | null = null

export const isApproving = () => shown !== null

export async function showApprovals(): Promise<void> {
  const { open } = await run('approval.list', {})
  const [next] = open
  if (next === undefined) return close()
  if (next.approval === shown) return
  shown = next.approval
  const more = open.length - 1
  card.replaceChildren(
    textNode('small', 'The agents ask for this. Only you can allow it.'),
    textNode('p', `For “${shortened(next.text)}”`),
    textNode('p', next.risk),
    buttonsFor(next),
    ...(more === 0 ? [] : [textNode('small', `${more} more ${more === 1 ? 'waits' : 'wait'} after this.`)]),
  )
  card.inert = true
  card.hidden = false
  settle()
}

function shortened(text: string): string {
  return text.length > WISH_CHARS_MAX ? `${text.slice(0, WISH_CHARS_MAX).toWellFormed()}…` : text
}

function buttonsFor({ approval }: ApprovalView): HTMLElement {
  const place = document.createElement('div')
  place.className = 'choices'
  place.append(
    ...WORDS.map((word) => {
      const button = textNode('button', APPROVAL_WORDS[word]) as HTMLButtonElement
      button.type = 'button'
      button.addEventListener('click', () => void answer(approval, word).catch(fail))
      return button
    }),
  )
  return place
}

async function answer(approval: string, word: ApprovalWord): Promise<void> {
  card.inert = true
  try {
    await run('approval.answer', { approval, answer: word })
  } finally {
    close() // Where it was answered elsewhere, too, there is nothing left to say here.
  }
  await showApprovals()
}

function close(): void {
  shown = null
  card.hidden = true
  card.replaceChildren()
  settle()
}
