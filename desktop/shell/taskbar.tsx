import type { App } from '@choiros/sdk/app.ts'
import type { Window } from '@choiros/sdk/live.ts'
import { openWindow, settleWindow } from '@choiros/sdk/windows.ts'
import type { Focus } from './focus-order.ts'
import { deviceClass } from './geometry.ts'

export function Taskbar({ windows, apps, focus }: { windows: readonly Window[]; apps: ReadonlyMap<string, App>; focus: Focus }) {
  const open = (app: App) => {
    const already = windows.findLast((window) => window.app === app.id)
    if (already === undefined) void openWindow(app.id, app.title).then((window) => focus.raise(window))
    else show(already)
  }
  const show = (window: Window) => {
    const device = deviceClass()
    const place = window[device]
    if (place?.state === 'minimised') void settleWindow(window.window, device, { ...place, state: device === 'narrow' ? 'maximised' : 'normal' })
    focus.raise(window.window)
  }
  return (
    <div role="toolbar" aria-label="Taskbar" className="taskbar">
      {[...apps.values()]
        .filter((app) => app.inTaskbar !== false)
        .map((app) => (
          <button key={app.id} type="button" className="launcher" onClick={() => open(app)}>
            <span aria-hidden="true">{app.glyph}</span>
            {app.title}
          </button>
        ))}
      <span className="divider" />
      {windows.map((window) => (
        <button key={window.window} type="button" className={`task${focus.top === window.window ? ' current' : ''}`} onClick={() => show(window)}>
          {window.title}
        </button>
      ))}
    </div>
  )
}
