import { run } from './choir.ts'
import type { Geometry } from './live.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** Opens a window for everyone who looks at this computer. `title` is what the app gets to show: for a document, its path. */
export async function openWindow(app: string, title: string): Promise<string> {
  const window = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => LETTERS[byte % 32]).join('')
  await run('window.open', { window, app, title })
  return window
}

export function closeWindow(window: string): Promise<unknown> {
  return run('window.close', { window })
}

/** Told when a drag ends, in fractions of the screen, once per class of device. */
export function settleWindow(window: string, device: 'wide' | 'narrow', geometry: Geometry): Promise<unknown> {
  return run('window.settle', { window, device, geometry })
}
