import { changesOf } from '@choiros/core/everywhere/changes.ts'
import { run } from './ask.ts'
import { isApproving, showApprovals } from './approval-card.ts'
import type { EventLine, LiveEvent } from './contract.ts'
import { reviveSoon, showSafeMode } from './health-banner.ts'
import { refreshHistory } from './history-drawer.ts'
import { element, fail, say, waitForChoir } from './page.ts'
import { inWords, LOOKED_BACK, remember } from './recent-events.ts'
import { isMoreTyping, showNext, startUndoButtons } from './undo-buttons.ts'

/**
 * The frame's own script. It never touches the desktop's page: the two are different sites, and the frame asks the
 * supervisor for everything it shows.
 */
const RETRY_MS = [250, 500, 1000]

/** One request for everything that the bar shows. */
async function refresh(): Promise<void> {
  const next = await run('next', {})
  showNext(next)
  showSafeMode(next.safe)
  element('stop').disabled = next.open.length === 0
  element('stop').title =
    next.open.length === 0
      ? 'Nothing is going on'
      : `Stop: ${next.open.map(({ text }) => text).join('; ')} (Alt+Shift+S)`
  if (next.open.length > 0 || isApproving()) await showApprovals()
  await refreshHistory()
}

function hear(event: LiveEvent): void {
  const words = inWords(event)
  if (words !== null) say(words)
  if (event.type === 'run.revert') reviveSoon()
  if (changesOf(event).some(({ path }) => path === 'artifacts/system/theme.json')) void wearTheme()
}

async function wearTheme(): Promise<void> {
  const { theme } = (await (await fetch('/look')).json()) as { theme: string }
  document.body.dataset['theme'] = theme
}

/** Signed out in another tab: here, too, nothing stays on the screen. */
async function leaveIfSignedOut(): Promise<void> {
  if ((await fetch('/computer')).status === 401) location.replace('/sign-in')
}

const LOG_ENDED = 1011

/** Follows the log, so that the buttons are right no matter who changed something; connects again by itself. */
function follow(from: number, head: number, attempt = 0): void {
  let position = from
  let timer: number | undefined
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/events?after=${position}`)
  socket.addEventListener('open', () => {
    waitForChoir(false)
    attempt = 0
    refresh().catch(fail)
  })
  socket.addEventListener('message', (message) => {
    const event = JSON.parse(String(message.data)) as EventLine
    if ('live' in event) return
    if ('damaged' in event) return void (position = Math.max(position, event.damaged))
    position = event.seq
    remember(event)
    if (event.seq <= head) return // Told before this page was here.
    hear(event)
    if (isMoreTyping(event)) return
    clearTimeout(timer)
    timer = setTimeout(() => void refresh().catch(fail), 100)
  })
  socket.addEventListener('close', ({ code }) => {
    // A log that cannot be read on: asking at once would hear the same.
    if (code === LOG_ENDED) attempt = RETRY_MS.length
    waitForChoir(true)
    leaveIfSignedOut().catch(() => {})
    setTimeout(() => follow(position, head, attempt + 1), RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)])
  })
}

function begin(): void {
  run('next', {}).then(
    ({ seq }) => follow(Math.max(0, seq - LOOKED_BACK), seq),
    (error: unknown) => {
      fail(error)
      setTimeout(begin, RETRY_MS.at(-1))
    },
  )
}

startUndoButtons(refresh)
element('stop').addEventListener('click', () => void run('stop', { run: null }).catch(fail))
element('sign-out').addEventListener(
  'click',
  () => void fetch('/sign-out', { method: 'POST' }).then(() => location.replace('/sign-in')),
)
refresh().catch(fail)
begin()
