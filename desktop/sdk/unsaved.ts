import { isConnected } from './live.ts'

interface Kept {
  readonly checks: Set<() => boolean>
  keyMs: number
}

/**
 * If something cannot be saved, the page is loaded again after this time all the same; the browser then asks the
 * person.
 */
const HELD_MS_MAX = 8000
const LOOK_EVERY_MS = 50
/** A person who is typing must not lose their place in the middle of a word. */
const REST_MS = 700

const keptUnsaved = () => ((globalThis as { choirUnsaved?: Kept }).choirUnsaved ??= createKept())

function createKept(): Kept {
  const made: Kept = { checks: new Set(), keyMs: 0 }
  addEventListener('keydown', () => (made.keyMs = performance.now()), true)
  // The hot-update client calls this before it loads the page again for another desk.
  Object.assign(globalThis, { choirSettled: settled })
  return made
}

/** While `hasUnsaved`, the page is not loaded again by itself. */
export function holdReload(hasUnsaved: () => boolean): void {
  keptUnsaved().checks.add(hasUnsaved)
}

/** Resolves when there is a connection, everything is saved and the person has paused typing. */
async function settled(): Promise<void> {
  const kept = keptUnsaved()
  const wait = () => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  while (!isConnected()) await wait()
  const isHeld = () => performance.now() - kept.keyMs < REST_MS || [...kept.checks].some((hasUnsaved) => hasUnsaved())
  for (const end = performance.now() + HELD_MS_MAX; performance.now() < end && isHeld();) await wait()
}
