import type { ReactNode } from 'react'
import type { App } from '@choiros/sdk/app.ts'
import type { Window } from '@choiros/sdk/live.ts'
import { openWindow, settleWindow } from '@choiros/sdk/windows.ts'
import { placeOf } from './geometry.ts'
import { Launchers } from './launchers.tsx'
import { Widgets } from './widgets.tsx'
import type { LayerProps } from './window-layer.tsx'

/** So many windows have room beside the apps, whatever their number; the others are scrolled to. */
const WINDOWS_KEPT = { wide: 3, narrow: 1 }
const WINDOW_PX = 88

/** `children`: the prompt bar. */
export function Taskbar({ windows, extensions: { apps, widgets }, focus, device, children }: LayerProps & { readonly children: ReactNode }) {
  const stateOf = (window: Window) => placeOf(window, apps.get(window.app), device)
  const open = (app: App) => void openWindow(app.id, app.title).catch(() => {}) // The banner says that the computer is away.
  const press = (window: Window) => {
    if (focus.top !== window.window) return focus.show(window.window)
    void settleWindow(window.window, device, { ...stateOf(window), state: 'minimised' }).catch(() => {}) // Closed already by another device.
  }
  const launchers = [...apps.values()].filter((app) => app.inTaskbar !== false)
  return (
    <div role="toolbar" aria-label="Taskbar" className="taskbar">
      <div className="tasks">
        <Launchers apps={launchers} reservedPx={Math.min(windows.length, WINDOWS_KEPT[device]) * WINDOW_PX} open={open} />
        {windows.length > 0 && <span className="divider" />}
        <div className="open">
          {windows.map((window) => (
            <button
              key={window.window}
              type="button"
              title={window.title}
              aria-label={`Window ${window.title}`}
              aria-pressed={focus.top === window.window}
              className={`task${focus.top === window.window ? ' current' : ''}${stateOf(window).state === 'minimised' ? ' away' : ''}`}
              onClick={() => press(window)}
            >
              <span className="name">{window.title.slice(window.title.lastIndexOf('/') + 1)}</span>
            </button>
          ))}
        </div>
      </div>
      {children}
      <Widgets widgets={widgets} />
    </div>
  )
}
