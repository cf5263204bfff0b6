import { ChoirError, DAMAGE, hasCode } from '@choiros/contract/error.ts'
import type { Recovery } from '@choiros/contract/recovery.ts'
import { isOver } from '@choiros/core/everywhere/run-projection.ts'
import { stateWords } from '@choiros/core/everywhere/run-words.ts'
import type { Speaker, SupervisorClient } from './supervisor-client.ts'

/**
 * What the rescue page can do: the last way out where a page is stuck and its frame with it (L8). No script, no
 * desktop, nothing that could hang.
 */
const RESCUE_ACTIONS = ['undo', 'redo', 'stop', 'safe-mode', 'leave-safe-mode', 'recover'] as const
export type RescueAction = (typeof RESCUE_ACTIONS)[number]

/** Whatever was done last, by an agent or by hand: the person may have broken the desktop themselves. */
const UNDO_TARGET = { kind: 'newest', scope: 'any' } as const

export function isRescueAction(name: string): name is RescueAction {
  return (RESCUE_ACTIONS as readonly string[]).includes(name)
}

/** Does it, and says in one sentence what came of it. */
export async function rescue(supervisor: SupervisorClient, as: Speaker, action: RescueAction): Promise<string> {
  switch (action) {
    case 'undo': {
      const { target } = await supervisor.run(as, 'undo', { target: UNDO_TARGET, tree: null })
      return `Took back: ${target.title}`
    }
    case 'redo': {
      const { target } = await supervisor.run(as, 'redo', {})
      return `Redone: ${target.title}`
    }
    case 'stop': {
      const { stopped } = await supervisor.run(as, 'stop', { run: null })
      return stopped.length === 0
        ? 'There was nothing to stop.'
        : stopped.length === 1
          ? 'Stopped it.'
          : `Stopped all ${stopped.length}.`
    }
    case 'recover': {
      const { events, changes } = await supervisor.run(as, 'recover', {})
      return `Your computer goes on. ${foundWords(events, changes.length, 'was', 'were')}`
    }
    case 'safe-mode':
    case 'leave-safe-mode': {
      const { on, healthy } = await supervisor.run(as, 'safe-mode', { on: action === 'safe-mode' })
      if (!on) return 'The desktop is shown as it is again.'
      return `The desktop is now shown as it ${healthy === null ? 'came with ChoirOS' : 'last worked'}.`
    }
  }
}

/** Where the log lost something, the computer does not open, and the ordinary page could say nothing about it. */
export async function rescuePage(supervisor: SupervisorClient, as: Speaker, said: string | null): Promise<string> {
  try {
    return await ordinaryPage(supervisor, as, said)
  } catch (error) {
    if (hasCode(error, 'log.truncated'))
      return lostPage(await supervisor.run(as, 'recover.preview', {}), error.message, said)
    if (error instanceof ChoirError && DAMAGE.has(error.code)) return damagedPage(error.message, said)
    throw error
  }
}

/** A computer that does not open, for its log cannot be read to its end. */
function damagedPage(why: string, said: string | null): string {
  return page(
    'Your computer does not open',
    `<p>Part of its history cannot be read: ${escape(why)}. Nothing has been deleted, and nothing is written until it opens again.</p>
${said === null ? '' : `<p role="status" class="said">${escape(said)}</p>`}
<form method="get" action="/export"><input type="hidden" name="rescue" value="1"><button type="submit">Export what is left</button> <span>One file with the history before the damage and your files as they are now; “choir import” makes a computer of it.</span></form>
<p>“choir verify” says what else is damaged.</p>`,
  )
}

const SHOWN_MAX = 100

function lostPage(
  { head, known, witnesses, events, changes, missing, asked }: Recovery,
  why: string,
  said: string | null,
): string {
  const list = (items: readonly string[]) =>
    `<ul>${items
      .slice(0, SHOWN_MAX)
      .map((item) => `<li>${escape(item)}</li>`)
      .join('')}${items.length > SHOWN_MAX ? `<li>and ${items.length - SHOWN_MAX} more</li>` : ''}</ul>`
  const part = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : `<h2>${title}</h2>${list(items)}`
  const what =
    known > head
      ? `The newest ${known - head === 1 ? 'entry' : `${known - head} entries`} of your computer’s history ${known - head === 1 ? 'is' : 'are'} missing.`
      : why
  const verbs = { create: 'added', change: 'changed', delete: 'deleted', move: 'moved' } as const
  return page(
    'Something is missing',
    `<p>${escape(what)} Nothing more is written until you say how to go on, and nothing has been deleted.</p>
${said === null ? '' : `<p role="status" class="said">${escape(said)}</p>`}
${button('recover', 'Recover', foundWords(events, changes.length, 'is', 'are'))}
<form method="get" action="/export"><input type="hidden" name="rescue" value="1"><button type="submit">Export what is left</button> <span>One file with everything that is still there.</span></form>
${part(
  'What comes back',
  changes.map(({ path, does }) => `${path} (${verbs[does]})`),
)}
${part('What was found nowhere', missing)}
${part('What you had asked for', asked)}
${part(
  'What still knows of it',
  witnesses.map(({ who, seq }) => (seq > head ? `${who} (${many(seq - head, 'entry')} more than there are)` : who)),
)}`,
  )
}

async function ordinaryPage(supervisor: SupervisorClient, as: Speaker, said: string | null): Promise<string> {
  const would = (command: 'undo' | 'redo', plan: Promise<{ target: { title: string } }>) =>
    plan.then(
      ({ target }) => `${command === 'undo' ? 'Takes back' : 'Does again'}: ${target.title}`,
      (error: unknown) =>
        hasCode(error, 'undo.nothing') ? `There is nothing to ${command}.` : (error as Error).message,
    )
  const [back, forth] = await Promise.all([
    would('undo', supervisor.run(as, 'undo.preview', { target: UNDO_TARGET })),
    would('redo', supervisor.run(as, 'redo.preview', {})),
  ])
  const { on } = await supervisor.run(as, 'safe-mode.get', {})
  const runs = await supervisor.run(as, 'run.list', { limit: 10 })
  const open = runs.filter((run) => !isOver(run))
  return page(
    'Rescue',
    `<p>This page works whatever your desktop does. If the browser is slow, close the other tab.</p>
${said === null ? '' : `<p role="status" class="said">${escape(said)}</p>`}
${button('undo', 'Undo', back)}
${button('redo', 'Redo', forth)}
${button('stop', 'Stop', open.length === 0 ? 'Nothing is going on.' : `Stops: ${open.map(({ text }) => text).join('; ')}`)}
${on ? button('leave-safe-mode', 'Leave safe mode', 'Shows the desktop as it is.') : button('safe-mode', 'Safe mode', 'Shows the desktop as it last worked; your files stay as they are.')}
<form method="get" action="/export"><button type="submit">Export</button> <span>Everything in one file: files, history, all of it.</span></form>
<p><a href="/">Back to the desktop</a></p>
<h2>What you asked for last</h2>
<ol>${runs.map((run) => `<li><strong>${escape(run.text)}</strong> <small>${stateWords(run)}${run.reason === null ? '' : `: ${escape(run.reason)}`}</small></li>`).join('') || '<li>Nothing yet.</li>'}</ol>`,
  )
}

function button(action: RescueAction, label: string, hint: string): string {
  return `<form method="post" action="/rescue/${action}"><button type="submit">${label}</button> <span>${escape(hint)}</span></form>`
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Rescue – ChoirOS</title>
<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/frame.css"></head>
<body class="rescue"><main>
<h1>${escape(title)}</h1>
${body}
</main></body></html>`
}

function foundWords(events: number, files: number, is: string, are: string): string {
  const parts = [
    ...(events === 0 ? [] : [`${many(events, 'entry')} of the history ${events === 1 ? is : are} put back as before`]),
    ...(files === 0 ? [] : [`${many(files, 'file')} ${files === 1 ? is : are} brought back`]),
  ]
  return parts.length === 0 ? 'Nothing of what is missing could be found.' : `${parts.join(', ')}.`
}

function many(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
