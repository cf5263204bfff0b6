import type { App } from '@choiros/sdk/app.ts'
import type { Window } from '@choiros/sdk/live.ts'
import type { Focus } from './focus-order.ts'
import { placeOf, type Device } from './geometry.ts'
import { WindowFrame } from './window-frame.tsx'

export interface LayerProps {
  readonly windows: readonly Window[]
  readonly apps: ReadonlyMap<string, App>
  readonly focus: Focus
  readonly device: Device
}

export function WindowLayer({ windows, apps, focus, device }: LayerProps) {
  return (
    <div className="windows">
      {windows.map((window) => {
        const app = apps.get(window.app)
        return (
          <WindowFrame key={window.window} window={window} app={app ?? null} saved={placeOf(window, app, device)} focus={focus} device={device} />
        )
      })}
    </div>
  )
}
