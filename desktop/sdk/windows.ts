import { run } from './choir.ts'
import type { Geometry } from './contract.ts'
import { openWindows, reached } from './live.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

interface Kept {
  /** A window that this page opened comes to the front; one that another device opened must not take the focus away. */
  readonly openedHere: Set<string>
  readonly opening: Map<string, Promise<string>>
  readonly showers: Set<(window: string) => void>
}

/** Kept across hot updates of this file. */
const kept = ((globalThis as { choirWindows?: Kept }).choirWindows ??= {
  openedHere: new Set(),
  opening: new Map(),
  showers: new Set(),
})

export function isOpenedHere(window: string): boolean {
  return kept.openedHere.has(window)
}

/** For the shell: called when someone asks for a window that is already open. */
export function onShow(shower: (window: string) => void): () => void {
  kept.showers.add(shower)
  return () => void kept.showers.delete(shower)
}

/**
 * Opens a window for everyone who looks at this computer. `title` is given to the app: for a document it is the path. A
 * window that is already open is shown instead: a double click must not open a document twice.
 */
export function openWindow(app: string, title: string): Promise<string> {
  const open = openWindows().findLast((window) => window.app === app && window.title === title)
  if (open !== undefined) {
    for (const show of kept.showers) show(open.window)
    return Promise.resolve(open.window)
  }
  const key = JSON.stringify([app, title])
  const opening = kept.opening.get(key) ?? openNew(app, title).finally(() => kept.opening.delete(key))
  kept.opening.set(key, opening)
  return opening
}

async function openNew(app: string, title: string): Promise<string> {
  // Time first: windows are listed by id, and the taskbar must not shuffle them at a reload.
  const chance = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => LETTERS[byte % 32]).join('')
  const window = `${Date.now().toString(36)}${chance}`
  kept.openedHere.add(window)
  const { seq } = await run('window.open', { window, app, title })
  await reached(seq)
  return window
}

/** The same window under another title: a document keeps its window when it is renamed. */
export function retitleWindow(window: string, app: string, title: string): Promise<unknown> {
  return run('window.open', { window, app, title })
}

export function closeWindow(window: string): Promise<unknown> {
  return run('window.close', { window })
}

/** Called when a drag ends; in fractions of the screen, separately for wide and narrow devices. */
export function settleWindow(window: string, device: 'wide' | 'narrow', geometry: Geometry): Promise<unknown> {
  return run('window.settle', { window, device, geometry })
}
