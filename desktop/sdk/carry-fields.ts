type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** A field that had the focus, and what was in it when it got it. */
interface Visited {
  readonly field: Field
  readonly began: string
  readonly place: string
}

interface Kept {
  visited: Visited[]
  focused: EventTarget | null
  /** When the person last did something that may have removed a field on purpose. */
  actedMs: number
  until: number
  looking: MutationObserver | null
}

/** Files of a new app are loaded one after the other; on a machine under load that takes a while. */
const CARRY_MS = 8000
/** A field that goes so soon after Enter, Escape or a click was removed by that. */
const OWN_DOING_MS = 300
const VISITED_MAX = 50
/** Their value is chosen at once and not typed, or a page may not set it. */
const NOT_TYPED = new Set([
  'checkbox',
  'radio',
  'file',
  'button',
  'submit',
  'reset',
  'image',
  'hidden',
  'range',
  'color',
])

const keptFields = () => ((globalThis as { choirFields?: Kept }).choirFields ??= createKept())

function createKept(): Kept {
  const made: Kept = { visited: [], focused: null, actedMs: -Infinity, until: 0, looking: null }
  addEventListener('focusin', ({ target }) => {
    made.focused = target
    if (!isField(target)) return
    made.visited = made.visited
      .filter(({ field }) => field !== target && (field.isConnected || made.looking !== null))
      .slice(-VISITED_MAX)
    made.visited.push({ field: target, began: target.value, place: placeOf(target) })
  })
  const act = () => (made.actedMs = performance.now())
  addEventListener('pointerdown', act, true)
  // If something is typed after a click, the click did not remove the field.
  addEventListener('input', ({ isTrusted }) => void (isTrusted && (made.actedMs = -Infinity)), true)
  addEventListener('keydown', ({ key }) => void (['Enter', 'Escape', 'Tab'].includes(key) && act()), true)
  return made
}

keptFields()

/**
 * Called when a hot update begins. It may replace a component that somebody is typing into: by another module (a folder
 * was renamed), or by the same one with other hooks. Text that was typed and not sent then moves to the field that
 * takes its place, with the caret. Only if the new field holds what the old one held before the person came to it: what
 * an app restores by itself is better.
 */
export function carryFields(): void {
  const kept = keptFields()
  kept.until = performance.now() + CARRY_MS
  if (kept.looking !== null) return
  kept.looking = new MutationObserver(() => carry(kept))
  kept.looking.observe(document, { childList: true, subtree: true })
  const rest = () => {
    const leftMs = kept.until - performance.now()
    if (leftMs > 0) return void setTimeout(rest, leftMs)
    kept.looking?.disconnect()
    kept.looking = null
    kept.visited = kept.visited.filter(({ field }) => field.isConnected)
  }
  setTimeout(rest, CARRY_MS)
}

function carry(kept: Kept): void {
  const gone = kept.visited.filter(({ field }) => !field.isConnected)
  if (gone.length === 0) return
  const isOwnDoing = performance.now() - kept.actedMs < OWN_DOING_MS
  for (const visited of gone) {
    if (isOwnDoing || moveInto(kept, visited)) kept.visited = kept.visited.filter((one) => one !== visited)
  }
}

/** Whether there is a field in its place. */
function moveInto(kept: Kept, { field: old, began, place }: Visited): boolean {
  const field = [...document.querySelectorAll<Field>(old.localName)].find(
    (one) => isField(one) && placeOf(one) === place,
  )
  if (field === undefined) return false
  const hadFocus = kept.focused === old && (document.activeElement === null || document.activeElement === document.body)
  if (field.value === began && old.value !== began) setValue(field, old.value)
  if (hadFocus) field.focus({ preventScroll: true })
  if (hadFocus && field.value === old.value) placeCaret(old, field)
  // The old field's first value counts for the new field, too.
  kept.visited = [...kept.visited.filter((one) => one.field !== field), { field, began, place }]
  return true
}

function placeCaret(old: Field, field: Field): void {
  if (old instanceof HTMLSelectElement || field instanceof HTMLSelectElement) return
  const { selectionStart: start, selectionEnd: end } = old // Null in a number or a date, which have no caret to set.
  if (start !== null) field.setSelectionRange(start, end)
}

/**
 * By the browser's own setter, without a framework's setter over it, and announced as if it had been typed: only then
 * does the component notice it.
 */
function setValue(field: Field, value: string): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, 'value') ?? {}
  set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event('change', { bubbles: true }))
}

/** The window it is in, its name, and its number among the fields of that name. */
function placeOf(field: Field): string {
  const home = field.closest('[data-window]')
  const within: ParentNode = home ?? document
  const twins = [...within.querySelectorAll<Field>(field.localName)].filter((one) => nameOf(one) === nameOf(field))
  return JSON.stringify([home?.getAttribute('data-window') ?? '', field.localName, nameOf(field), twins.indexOf(field)])
}

function nameOf(field: Field): string {
  const said = field.ariaLabel ?? field.labels?.[0]?.textContent ?? field.getAttribute('placeholder')
  return JSON.stringify([field.type, field.name, said])
}

function isField(target: EventTarget | null): target is Field {
  const isOne =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  return isOne && !NOT_TYPED.has(target.type) && target.dataset['kept'] === undefined
}
