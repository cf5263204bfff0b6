import { settle } from './cards.ts'
import { element, fail } from './page.ts'
import { showPreview, type Wanted } from './preview.ts'

const place = element('asked')
/** So long nothing else is asked: what they say next must not be taken for its answer. */
const REST_MS = 700
let busy = false

export function isAsking(): boolean {
  return busy
}

/**
 * Shows what would happen, and does it only when the person says so. One question at a time: another must not take the
 * place of what they are about to answer.
 */
export function askPerson(wanted: Wanted, name: string): void {
  askInPanel(name, (panel, closed) => showPreview(panel, wanted, closed))
}

/** The same with any question. `show` puts it into the panel, and calls `closed` when it is answered. */
export function askInPanel(name: string, show: (panel: HTMLElement, closed: () => void) => Promise<unknown>): void {
  if (busy) return
  busy = true
  const rest = () => {
    settle()
    setTimeout(() => (busy = false), REST_MS)
  }
  place.inert = true
  place.ariaLabel = name
  show(place, rest).then(settle, (error: unknown) => {
    rest()
    fail(error)
  })
}
