import type { App } from '@choiros/sdk/app.ts'
import type { Window } from '@choiros/sdk/live.ts'
import type { Focus } from './focus-order.ts'
import { WindowFrame } from './window-frame.tsx'

export function WindowLayer({ windows, apps, focus }: { windows: readonly Window[]; apps: ReadonlyMap<string, App>; focus: Focus }) {
  return (
    <div className="windows">
      {windows.map((window, index) => (
        <WindowFrame key={window.window} window={window} app={apps.get(window.app) ?? null} index={index} focus={focus} />
      ))}
    </div>
  )
}
