import { run } from './ask.ts'
import type { Next } from './contract.ts'
import { element, fail, isWaiting, outagesSoFar, say } from './page.ts'
import { recent } from './recent-events.ts'

/** What the frame says and offers in safe mode, when a desktop does not work, and when a page is stuck (L8). */
/**
 * After a change was taken back the page should recover by itself; if it is stuck after this time, it is loaded anew.
 */
const STUCK_AFTER_MS = 3000
const STATE_EVERY_MS = 2000
const STATE_TRIES = 8
let stateTimer: number | undefined
let lastSeen: string | null = null
/** The outages that the desktop's page has outlived. One that is being loaded in an outage is the browser's error. */
let outlived = 0
let culprit: { readonly seq: number; readonly title: string } | null = null
let askedAt: number | undefined

export function showSafeMode({ on, healthy }: Next['safe']): void {
  element('safe').hidden = !on
  element('safe-text').textContent =
    `Safe mode: this is the desktop as it ${healthy === null ? 'came with ChoirOS' : 'last worked'}. Your files stay as they are.`
  element('enter-safe').disabled = on
}

export async function setSafeMode(on: boolean): Promise<void> {
  say(on ? 'Going into safe mode…' : 'Leaving safe mode…')
  await run('safe-mode', { on })
  await loadAnew()
}

/**
 * Works even if the desktop's page is stuck: the page gets another address, because the browser would wait for a stuck
 * page before leaving it.
 */
export async function loadAnew(): Promise<void> {
  await fetch('/desktop/revive', { method: 'POST' })
  document.querySelector('iframe')?.remove()
  location.reload()
}

/**
 * Tells of a desktop that came up broken by a person's own edit, with the two ways out. What a run broke is taken back
 * without asking.
 */
async function watchState(tries = 0): Promise<void> {
  if (isWaiting()) return forgetState() // Nobody can tell how it is: the line above says why.
  const state = (await (await fetch('/desktop/state')).json()) as { broken: string | null; known: boolean }
  const { known } = state
  if (known) outlived = outagesSoFar()
  if (outlived < outagesSoFar() && tries >= STATE_TRIES) return loadAgain()
  const seen = state.broken ?? (!known && tries >= STATE_TRIES ? 'it does not answer' : null)
  const broken = seen === lastSeen ? seen : null // Seen twice: a machine that wakes up needs a moment.
  lastSeen = seen
  element('broken').hidden = broken === null
  const text = `The desktop is not working: ${broken ?? ''}.`
  // The same text set again would be read aloud again and again.
  if (element('broken-text').textContent !== text) element('broken-text').textContent = text
  if (broken !== null) await offerToTakeBack()
  clearTimeout(stateTimer)
  // If there is no connection, the line above says so.
  const again = () => void watchState(known ? 0 : tries + 1).catch(watchLater)
  stateTimer = setTimeout(again, STATE_EVERY_MS)
}

/** What Undo would name if only the desktop's own files counted. Asked again when something has happened since. */
async function offerToTakeBack(): Promise<void> {
  const newest = recent.at(-1)?.seq
  if (askedAt === newest) return
  culprit = await run('undo.preview', { target: { kind: 'newest', scope: 'desktop' } }).then(
    ({ target }) => target,
    () => null, // There is none, or it cannot be taken back by itself: the other way out is beside it.
  )
  askedAt = newest
  const back = element('broken-back')
  back.hidden = culprit === null
  back.textContent = `Take back: ${culprit?.title ?? ''}`
}

/** Once only: a desktop that does not come up then either is said not to work. */
function loadAgain(): void {
  outlived = outagesSoFar()
  const desktop = document.querySelector('iframe')
  desktop?.setAttribute('src', desktop.src)
  watchLater()
}

function forgetState(): void {
  lastSeen = null
  element('broken').hidden = true
  watchLater()
}

function watchLater(): void {
  clearTimeout(stateTimer)
  stateTimer = setTimeout(() => void watchState().catch(watchLater), STATE_EVERY_MS)
}

async function takeBack(): Promise<void> {
  if (culprit === null) return
  await run('undo', { target: { kind: 'unit', seq: culprit.seq }, tree: null })
  await loadAnew()
}

/**
 * A page that is stuck cannot even be loaded anew: it gets another address, and with it another process of the browser.
 */
async function reviveIfStuck(): Promise<void> {
  const response = await fetch('/desktop/revive', { method: 'POST' })
  const { revived } = (await response.json()) as { revived?: boolean }
  if (revived === true) await loadAnew()
}

/** Called when a landing was taken back without the person asking. */
export function reviveSoon(): void {
  setTimeout(() => void reviveIfStuck().catch(fail), STUCK_AFTER_MS)
}

element('enter-safe').addEventListener('click', () => void setSafeMode(true).catch(fail))
element('leave-safe').addEventListener('click', () => void setSafeMode(false).catch(fail))
element('broken-safe').addEventListener('click', () => void setSafeMode(true).catch(fail))
element('broken-back').addEventListener('click', () => void takeBack().catch(fail))
// Safe mode may also be switched elsewhere: then the desktop loads again, and this notices it.
document.querySelector('iframe')?.addEventListener('load', () => void run('safe-mode.get', {}).then(showSafeMode, fail))
document.querySelector('iframe')?.addEventListener('load', watchLater)
