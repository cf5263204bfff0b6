import { run } from './choir.ts'
import type { Geometry } from './live.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** Kept across hot updates. A window that this page opened comes to the front; one that another device opened must not take the keys away. */
const openedHere = ((globalThis as { choirOpened?: Set<string> }).choirOpened ??= new Set<string>())

export function isOpenedHere(window: string): boolean {
  return openedHere.has(window)
}

/** Opens a window for everyone who looks at this computer. `title` is what the app gets to show: for a document, its path. */
export async function openWindow(app: string, title: string): Promise<string> {
  // Time first: windows are listed by id, and the taskbar must not shuffle them at a reload.
  const chance = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => LETTERS[byte % 32]).join('')
  const window = `${Date.now().toString(36)}${chance}`
  openedHere.add(window)
  await run('window.open', { window, app, title })
  return window
}

/** The same window under another title: a document keeps its window when it is renamed. */
export function retitleWindow(window: string, app: string, title: string): Promise<unknown> {
  return run('window.open', { window, app, title })
}

export function closeWindow(window: string): Promise<unknown> {
  return run('window.close', { window })
}

/** Told when a drag ends, in fractions of the screen, once per class of device. */
export function settleWindow(window: string, device: 'wide' | 'narrow', geometry: Geometry): Promise<unknown> {
  return run('window.settle', { window, device, geometry })
}
