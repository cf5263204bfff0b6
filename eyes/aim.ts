/** Where something can be clicked. */
export interface Aim {
  /** Null: nowhere. */
  readonly at: { readonly x: number; readonly y: number } | null
  /** What a click at its centre would hit in its place, in words; null: the centre is its own. */
  readonly inTheWay: string | null
}

/** A function of an element or a text, to be called in the page. */
export function aimAt(): string {
  return aim.toString()
}

/**
 * Looks for a point at which a person would hit this: the centre, or one of eight around it where something lies over
 * the centre. Sent to the page as text: it uses nothing from outside.
 */
function aim(this: Node): Aim {
  const own = this.nodeType === Node.ELEMENT_NODE ? (this as Element) : this.parentElement
  if (own === null || !this.isConnected) return { at: null, inTheWay: 'it is not there any more' }
  const range = document.createRange()
  range.selectNode(this)
  const { left, top, width, height } = own === this ? own.getBoundingClientRect() : range.getBoundingClientRect()
  if (width === 0 || height === 0) return { at: null, inTheWay: 'it has no size on the screen' }
  const root = own.getRootNode() as Document | ShadowRoot
  const letsThrough = getComputedStyle(own).pointerEvents === 'none' || own instanceof SVGElement
  const isOwn = (hit: Element) =>
    own.contains(hit) ||
    // A click on its label is a click on it.
    hit.closest('label')?.control === own ||
    // What lets clicks through gives them to what it lies in; the page itself takes none.
    (letsThrough && hit.contains(own) && hit !== document.body && hit !== document.documentElement)
  const wordsFor = (hit: Element | null) => {
    if (hit === null) return 'it lies outside of the screen'
    const kind = `${hit.localName}${[...hit.classList].map((name) => `.${name}`).join('')}`.slice(0, 100)
    const label = hit.getAttribute('aria-label') ?? hit.textContent.replaceAll(/\s+/g, ' ').trim()
    const said = label === '' ? '' : ` ${JSON.stringify(label.slice(0, 60).toWellFormed())}`
    return hit.contains(own) ? `nothing of it is there, but ${kind} around it` : `${kind}${said} lies over it`
  }
  const parts = [0.5, 0.2, 0.8]
  const points = parts.flatMap((down) => parts.map((right) => ({ x: left + width * right, y: top + height * down })))
  const hits = points.map((at) => ({ at, hit: root.elementFromPoint(at.x, at.y) }))
  const found = hits.find(({ hit }) => hit !== null && isOwn(hit))
  const [centre] = hits
  return {
    at: found?.at ?? null,
    inTheWay: found !== undefined && found === centre ? null : wordsFor(centre?.hit ?? null),
  }
}

/** Whether a text that is typed now would arrive somewhere. */
export const TAKES_TEXT = `(${takesText.toString()})()`

/** Sent to the page as text: it uses nothing from outside. */
function takesText(): boolean {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement != null) focused = focused.shadowRoot.activeElement
  if (focused instanceof HTMLTextAreaElement) return !focused.disabled && !focused.readOnly
  if (focused instanceof HTMLInputElement) {
    const textless = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']
    return !focused.disabled && !focused.readOnly && !textless.includes(focused.type)
  }
  // What is inside of a frame is not known here.
  return focused instanceof HTMLIFrameElement || (focused instanceof HTMLElement && focused.isContentEditable)
}
