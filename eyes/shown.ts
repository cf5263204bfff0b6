import type { Finding } from '@choiros/contract/look.ts'

/** What the page shows, as far as it tells whether something is wrong. */
export interface Shown {
  readonly taskbar: 'missing' | 'outside' | 'covered' | 'good'
  /** Widgets that stopped working, and those that show nothing, by their titles. */
  readonly widgets: { readonly stopped: readonly string[]; readonly empty: readonly string[] }
  readonly window: null | {
    readonly failed: string | null
    readonly empty: boolean
    readonly place: 'hidden' | 'none' | 'outside' | 'covered' | 'good'
    readonly button: boolean
    readonly box: Box
  }
}

/** A part of the page, in whole pixels of the screen. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Looks at the page as a person with a mouse would: what stands at a point of the screen is what they would hit.
 * `window`: the one that was opened.
 */
export function lookAtPage(window: string, title: string): string {
  return `(${look.toString()})(${JSON.stringify(window)}, ${JSON.stringify(title)})`
}

/** Sent to the page as text: it uses nothing from outside. */
function look(window: string, title: string): Shown {
  const isSeen = (one: Element) => {
    const { width, height } = one.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(one).visibility !== 'hidden'
  }
  const THINGS =
    'img,svg,canvas,video,input,textarea,select,button,progress,meter,[contenteditable="true"],[role="img"],[aria-label]'
  const isEmpty = (one: Element) =>
    (one as HTMLElement).innerText.trim() === '' && ![...one.querySelectorAll(THINGS)].some(isSeen)
  /** Whether one of nine points of it, as far as they are on the screen, is its own. */
  const isHit = (one: Element, whole: Element) => {
    const { left, top, width, height } = one.getBoundingClientRect()
    const at = [0.1, 0.5, 0.9]
    return at.some((right) =>
      at.some((down) => {
        const hit = document.elementFromPoint(left + width * right, top + height * down)
        return hit !== null && whole.contains(hit)
      }),
    )
  }
  const isOutside = ({ left, top, right, bottom }: DOMRect) =>
    right < 24 || left > innerWidth - 24 || bottom < 8 || top > innerHeight - 8
  const placeOf = (one: Element, grip: Element) => {
    const box = grip.getBoundingClientRect()
    const whole = one.getBoundingClientRect()
    if (getComputedStyle(one).display === 'none' || getComputedStyle(one).visibility === 'hidden') return 'hidden'
    if (Math.min(box.width, box.height, whole.width, whole.height) < 8) return 'none'
    if (isOutside(box) || box.top < -4) return 'outside'
    return isHit(grip, one) && isHit(one, one) ? 'good' : 'covered'
  }
  const bar = document.querySelector('[role="toolbar"]')
  const barPlace = bar === null ? 'missing' : placeOf(bar, bar)
  const widgets = [...document.querySelectorAll('.widgets .widget')]
  const nameOf = (one: Element) => one.getAttribute('title') ?? ''
  const dialog = document.querySelector(`[role="dialog"][data-window="${window}"]`)
  const shown: Shown = {
    taskbar: barPlace === 'hidden' || barPlace === 'none' ? 'missing' : barPlace,
    widgets: {
      stopped: widgets.filter((one) => one.querySelector('.stopped') !== null).map(nameOf),
      empty: widgets.filter((one) => isEmpty(one) || !isSeen(one)).map(nameOf),
    },
    window: null,
  }
  if (dialog === null) return shown
  const content = dialog.querySelector('.content') ?? dialog
  const edges = dialog.getBoundingClientRect()
  const MARGIN = 12
  const [x, y] = [Math.max(0, Math.floor(edges.left - MARGIN)), Math.max(0, Math.floor(edges.top - MARGIN))]
  const box = {
    x,
    y,
    width: Math.min(innerWidth, Math.ceil(edges.right + MARGIN)) - x,
    height: Math.min(innerHeight, Math.ceil(edges.bottom + MARGIN)) - y,
  }
  const grip = dialog.querySelector('header') ?? dialog
  const buttons = [...(bar?.querySelectorAll('button') ?? [])]
  const short = title.slice(title.lastIndexOf('/') + 1)
  const says = (one: Element) => `${one.getAttribute('aria-label') ?? ''} ${one.textContent}`.includes(short)
  return {
    ...shown,
    window: {
      failed: content.querySelector('.failure[role="alert"] pre')?.textContent ?? null,
      empty: isEmpty(content),
      place: placeOf(dialog, grip),
      // One launcher has the app's name as well: the window has a button of its own.
      button: buttons.filter((one) => isSeen(one) && says(one) && one.hasAttribute('aria-pressed')).length > 0,
      box,
    },
  }
}

const TASKBAR: Readonly<Record<Exclude<Shown['taskbar'], 'good'>, string>> = {
  missing: 'the desktop does not come up: there is no taskbar to be seen',
  outside: 'the taskbar cannot be reached: it lies outside of the screen',
  covered: 'the taskbar cannot be reached: something covers it',
}
const WINDOW: Readonly<Record<Exclude<NonNullable<Shown['window']>['place'], 'good'>, string>> = {
  hidden: 'it is hidden',
  none: 'it has no size',
  outside: 'it lies outside of the screen',
  covered: 'something covers it',
}

/** Problems in words. `app`: whose window was opened; null: none was. */
export function wrongWith({ taskbar, widgets, window }: Shown, app: string | null, size: string): Finding[] {
  const say = (message: string): Finding => ({ message: `${message}, at ${size}`.slice(0, 1000), places: [] })
  const desktop = [
    ...(taskbar === 'good' ? [] : [say(TASKBAR[taskbar])]),
    ...widgets.stopped.map((title) => say(`the widget ${title} stopped working`)),
    ...widgets.empty.map((title) => say(`the widget ${title} shows nothing`)),
  ]
  if (app === null || taskbar === 'missing') return desktop
  if (window === null) return [...desktop, say(`the app ${app} has no window`)]
  if (window.failed !== null) return [...desktop, say(`the app ${app} stopped working: ${window.failed.slice(0, 500)}`)]
  return [
    ...desktop,
    ...(window.place === 'good' ? [] : [say(`the window of ${app} cannot be reached: ${WINDOW[window.place]}`)]),
    ...(window.empty ? [say(`the window of ${app} is empty`)] : []),
    ...(window.button ? [] : [say(`the window of ${app} has no button in the taskbar`)]),
  ]
}
