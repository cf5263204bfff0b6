import { hasCode } from '@choiros/contract/error.ts'
import type { RunStatus } from '@choiros/contract/run-view.ts'
import type { Speaker, SupervisorClient } from './supervisor-client.ts'

/** What the rescue page can do: the last way out where a page is stuck and its frame with it (L8). No script, no desktop, nothing that could hang. */
export const RESCUE_ACTIONS = ['undo', 'redo', 'stop', 'safe-mode', 'leave-safe-mode'] as const
export type RescueAction = (typeof RESCUE_ACTIONS)[number]

const STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
  queued: 'waiting',
  running: 'at work',
  landed: 'done',
  answered: 'answered',
  discarded: 'nothing changed',
  cancelled: 'stopped',
  reverted: 'taken back automatically',
}

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
      return stopped.length === 0 ? 'There was nothing to stop.' : stopped.length === 1 ? 'Stopped it.' : `Stopped all ${stopped.length}.`
    }
    case 'safe-mode':
    case 'leave-safe-mode': {
      const { on } = await supervisor.run(as, 'safe-mode', { on: action === 'safe-mode' })
      return on ? 'The desktop is now shown as it last worked.' : 'The desktop is shown as it is again.'
    }
  }
}

export async function rescuePage(supervisor: SupervisorClient, as: Speaker, said: string | null): Promise<string> {
  const would = (command: 'undo' | 'redo', plan: Promise<{ target: { title: string } }>) =>
    plan.then(
      ({ target }) => `${command === 'undo' ? 'Takes back' : 'Does again'}: ${target.title}`,
      (error: unknown) => (hasCode(error, 'undo.nothing') ? `There is nothing to ${command}.` : (error as Error).message),
    )
  const [back, forth] = await Promise.all([
    would('undo', supervisor.run(as, 'undo.preview', { target: UNDO_TARGET })),
    would('redo', supervisor.run(as, 'redo.preview', {})),
  ])
  const { on } = await supervisor.run(as, 'safe-mode.get', {})
  const runs = await supervisor.run(as, 'run.list', { limit: 10 })
  const open = runs.filter(({ status }) => status === 'running' || status === 'queued')
  const button = (action: RescueAction, label: string, hint: string) =>
    `<form method="post" action="/rescue/${action}"><button type="submit">${label}</button> <span>${escape(hint)}</span></form>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Rescue – ChoirOS</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/frame.css"></head>
<body class="rescue"><main>
<h1>Rescue</h1>
<p>This page works whatever your desktop does. If the browser is slow, close the other tab.</p>
${said === null ? '' : `<p role="status" class="said">${escape(said)}</p>`}
${button('undo', 'Undo', back)}
${button('redo', 'Redo', forth)}
${button('stop', 'Stop', open.length === 0 ? 'Nothing is going on.' : `Stops: ${open.map(({ text }) => text).join('; ')}`)}
${on ? button('leave-safe-mode', 'Leave safe mode', 'Shows the desktop as it is.') : button('safe-mode', 'Safe mode', 'Shows the desktop as it last worked; your files stay as they are.')}
<form method="get" action="/export"><button type="submit">Export</button> <span>Everything in one file: files, history, all of it.</span></form>
<p><a href="/">Back to the desktop</a></p>
<h2>What you asked for last</h2>
<ol>${runs.map(({ text, status, undone, reason }) => `<li><strong>${escape(text)}</strong> <small>${undone ? 'undone' : STATUS_WORDS[status]}${reason === null ? '' : `: ${escape(reason)}`}</small></li>`).join('') || '<li>Nothing yet.</li>'}</ol>
</main></body></html>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
