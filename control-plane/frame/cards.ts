import { element } from './page.ts'

/**
 * Where the person is asked to allow something. It lies over the desktop, whose page chooses when it asks, what stands
 * below, and what comes and goes around it. So nothing here can be pressed before it has stood still in sight for a
 * while: a click that was meant for something else must not allow anything.
 */
const place = element('cards')
/** So long that a click already under way has passed, and the second half of a double click. */
const INERT_MS = 700
let turn = 0
let isStill = true

/** Called whenever something is shown here, goes, or moves. */
export function settle(): void {
  const mine = ++turn
  isStill = false
  setInert(true)
  // Counted from when it is in sight: a tab in the background shows nothing.
  requestAnimationFrame(() => setTimeout(() => mine === turn && rest(), INERT_MS))
}

function rest(): void {
  isStill = true
  setInert(false)
}

function setInert(inert: boolean): void {
  for (const card of place.children) (card as HTMLElement).inert = inert
}

// What is inert lets clicks through to the place below it, which keeps them from whatever lies under both. Whoever
// clicks on and on, say in a game that the desktop plays with them, has read nothing yet.
place.addEventListener('pointerdown', () => !isStill && settle())
document.addEventListener('visibilitychange', settle)
// A banner that comes or goes moves the cards: what the person aims at is elsewhere now.
const watch = new ResizeObserver(settle)
for (const moved of [place, document.querySelector('main')]) if (moved !== null) watch.observe(moved)
