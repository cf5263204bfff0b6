import { useEffect, useState } from 'react'
import type { App } from '@choiros/sdk/app.ts'
import type { Window } from '@choiros/sdk/contract.ts'
import { isOpenedHere, onShow, settleWindow } from '@choiros/sdk/windows.ts'
import { assignSlots, placeOf, type Device } from './geometry.ts'

/** Which window is on top is this page's own business; it is not in the log. */
export interface Focus {
  readonly order: readonly string[]
  readonly top: string | null
  /** Grows whenever the person at this page goes to a window, so that the focus goes there, too. */
  readonly turn: number
  raise(window: string): void
  /** Raises it, and brings it back if it was minimised. */
  show(window: string): void
}

export function useFocusOrder(windows: readonly Window[], apps: ReadonlyMap<string, App>, device: Device): Focus {
  const [{ order, turn }, setState] = useState<{ order: readonly string[]; turn: number }>({ order: [], turn: 0 })
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  assignSlots(windows)
  const visible = windows.filter((window) => placeOf(window, apps.get(window.app), device).state !== 'minimised')
  const current = arrange(
    order,
    windows.map(({ window }) => window),
  )
  const raise = (window: string) =>
    setState({ order: [...current.filter((other) => other !== window), window], turn: turn + 1 })
  useEffect(() => {
    const fresh = windows.findLast(({ window }) => !shown.has(window) && isOpenedHere(window))
    if (windows.some(({ window }) => !shown.has(window))) setShown(new Set(windows.map(({ window }) => window)))
    if (fresh === undefined) return
    raise(fresh.window)
    // Written down at once: a window that nobody moved must return to the same place after a reload.
    if (fresh[device] === null)
      void settleWindow(fresh.window, device, placeOf(fresh, apps.get(fresh.app), device)).catch(() => {})
    // Only a change of the windows can bring a new one.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [windows])
  const show = (window: string) => {
    const found = windows.find((other) => other.window === window)
    const place = found && placeOf(found, apps.get(found.app), device)
    // It may have been closed by another device meanwhile: then there is nothing to bring back.
    if (place?.state === 'minimised') void settleWindow(window, device, { ...place, state: 'normal' }).catch(() => {})
    raise(window)
  }
  useEffect(() => onShow(show))
  useCycleKeys(current, visible, raise)
  return {
    order: current,
    top: current.findLast((window) => visible.some((other) => other.window === window)) ?? null,
    turn,
    raise,
    show,
  }
}

/** What another device opens goes under the window in use here. */
function arrange(order: readonly string[], open: readonly string[]): string[] {
  const known = order.filter((window) => open.includes(window))
  const others = open.filter((window) => !order.includes(window))
  return [...known.slice(0, -1), ...others, ...known.slice(-1)]
}

/** F6, or Ctrl and the key left of 1, goes to the next window; with Shift to the one before. */
function useCycleKeys(order: readonly string[], visible: readonly Window[], raise: (window: string) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'F6' && !(event.ctrlKey && event.code === 'Backquote')) return
      const ring = order.filter((window) => visible.some((other) => other.window === window))
      const next = event.shiftKey ? ring.at(-2) : ring[0]
      event.preventDefault()
      if (next !== undefined) raise(next)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}
