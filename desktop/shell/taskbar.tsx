import type { ReactNode } from 'react'
import type { App } from '@choiros/sdk/app.ts'
import type { Window } from '@choiros/sdk/contract.ts'
import { openWindow, settleWindow } from '@choiros/sdk/windows.ts'
import { placeOf } from './geometry.ts'
import { Launchers } from './launchers.tsx'
import { Widgets } from './widgets.tsx'
import { WindowButtons } from './window-buttons.tsx'
import type { LayerProps } from './window-layer.tsx'

/**
 * At least so many windows have room beside the apps, however many apps there are; windows that do not fit are in a
 * menu.
 */
const WINDOWS_KEPT = { wide: 3, narrow: 1 }
const WINDOW_PX = 88
/** The line before the windows, and the menu's button. */
const DIVIDER_PX = 18
const MORE_PX = 50

/** `children`: the prompt bar. */
export function Taskbar({
  windows,
  extensions: { apps, widgets },
  focus,
  device,
  children,
}: LayerProps & { readonly children: ReactNode }) {
  const stateOf = (window: Window) => placeOf(window, apps.get(window.app), device)
  // If this fails, the banner says that the computer is away.
  const open = (app: App) => void openWindow(app.id, app.title).catch(() => {})
  const press = (window: Window) => {
    if (focus.top !== window.window) return focus.show(window.window)
    // If this fails, another device has already closed it.
    void settleWindow(window.window, device, { ...stateOf(window), state: 'minimised' }).catch(() => {})
  }
  const launchers = [...apps.values()].filter((app) => app.inTaskbar !== false)
  return (
    <div role="toolbar" aria-label="Taskbar" className="taskbar">
      <div className="tasks">
        <Launchers apps={launchers} reservedPx={reservedPx(windows.length, WINDOWS_KEPT[device])} open={open} />
        {windows.length > 0 && <span className="divider" />}
        <WindowButtons
          windows={windows}
          top={focus.top}
          isAway={(window) => stateOf(window).state === 'minimised'}
          press={press}
        />
      </div>
      {children}
      <Widgets widgets={widgets} />
    </div>
  )
}

function reservedPx(count: number, kept: number): number {
  return count === 0 ? 0 : Math.min(count, kept) * WINDOW_PX + DIVIDER_PX + (count > kept ? MORE_PX : 0)
}
