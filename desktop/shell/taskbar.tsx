import type { ReactNode } from 'react'
import type { App } from '@choiros/sdk/app.ts'
import type { Window } from '@choiros/sdk/live.ts'
import { openWindow, settleWindow } from '@choiros/sdk/windows.ts'
import { placeOf } from './geometry.ts'
import { Widgets } from './widgets.tsx'
import type { LayerProps } from './window-layer.tsx'

/** More apps than this stand by their glyphs alone: the windows need the room. */
const NAMED_MAX = 6

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
        {launchers.map((app) => (
          <button key={app.id} type="button" aria-label={app.title} title={app.title} onClick={() => open(app)}>
            <span className="glyph" aria-hidden="true">
              {app.glyph}
            </span>
            {device === 'wide' && launchers.length <= NAMED_MAX && app.title}
          </button>
        ))}
        {windows.length > 0 && <span className="divider" />}
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
      {children}
      <Widgets widgets={widgets} />
    </div>
  )
}
