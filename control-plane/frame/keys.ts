import { onDesktopMessage } from './desktop-messages.ts'
import { element, say } from './page.ts'

/**
 * The keys that work wherever the focus is. Pressed in the frame, they act. The desktop's page can only claim that a
 * key was pressed, and any code there can claim it: that may open History or close what is on top, a few times, but not
 * undo, redo or stop. For these the focus moves here, and the person presses once more.
 */
const ACTIONS: Readonly<Record<string, 'undo' | 'redo' | 'stop' | 'history'>> = {
  KeyU: 'undo',
  KeyR: 'redo',
  KeyS: 'stop',
  KeyH: 'history',
}
const LETTERS = { undo: 'U', redo: 'R', stop: 'S' } as const
/** What can be open, topmost first, and the button that closes it. */
const CLOSERS = [
  ['asked', '#asked button'],
  ['preview', '#preview button'],
  ['drawer', '#close-drawer'],
  ['outside', '#outside-close'],
] as const
/** A page that claims keys again and again must not open or close panels while the person uses them. */
const HEARD_MAX = 4
const QUIET_MS = 20_000

const desktop = document.querySelector('iframe')
const heardMs: number[] = []

function goToDesktop(go: 'prompt' | 'prompt-first'): void {
  if (desktop === null) return
  desktop.focus()
  desktop.contentWindow?.postMessage({ go }, new URL(desktop.src).origin)
}

function closeTop(): boolean {
  const open = CLOSERS.find(([id]) => !element(id).hidden && element(id).offsetParent !== null)
  if (open === undefined) return false
  document.querySelector<HTMLElement>(open[1])?.click()
  return true
}

addEventListener('keydown', (event) => {
  const { altKey, shiftKey, ctrlKey, metaKey, code, key } = event
  if (event.isComposing || event.repeat) return
  const action = altKey && shiftKey && !ctrlKey && !metaKey ? ACTIONS[code] : undefined
  if (action !== undefined) element(action).click()
  else if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey) goToDesktop('prompt')
  else if (key !== 'Escape' || !closeTop()) return
  event.preventDefault()
})

onDesktopMessage((data) => {
  const { key } = (data ?? {}) as { key?: unknown }
  // A person who is at work in the frame is not disturbed by what a page claims.
  if (typeof key !== 'string' || document.activeElement !== desktop || isPestering()) return
  if (key === 'escape') closeTop()
  else if (key === 'history') element('history').click()
  else if (key === 'undo' || key === 'redo' || key === 'stop') askOnceMore(key)
})

/** Moves the focus to a place where no other key does anything: a person who goes on typing must not press a button. */
function askOnceMore(action: 'undo' | 'redo' | 'stop'): void {
  const button = element(action)
  if (button.disabled) return say(action === 'stop' ? 'Nothing is going on.' : `There is nothing to ${action}.`)
  element('bar').focus()
  say(`Press Alt+Shift+${LETTERS[action]} once more: ${button.title}`)
}

function isPestering(): boolean {
  const now = performance.now()
  while (heardMs.length > 0 && heardMs[0]! < now - QUIET_MS) heardMs.shift()
  if (heardMs.length >= HEARD_MAX) return true
  heardMs.push(now)
  return false
}

document.getElementById('skip-to-prompt')?.addEventListener('click', () => goToDesktop('prompt'))
// Only once: a desktop that loads again later must not catch what is being typed elsewhere. On a touch screen the focus
// would bring up the keyboard unasked.
const isFinger = matchMedia('(pointer: coarse)').matches
desktop?.addEventListener(
  'load',
  () => !isFinger && document.activeElement === document.body && goToDesktop('prompt-first'),
  { once: true },
)
element('history').title = 'History (Alt+Shift+H)'
