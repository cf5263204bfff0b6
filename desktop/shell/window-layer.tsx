import type { Window } from '@choiros/sdk/contract.ts'
import type { Extensions } from './extensions.ts'
import type { Focus } from './focus-order.ts'
import { placeOf, type Device } from './geometry.ts'
import { WindowFrame } from './window-frame.tsx'

export interface LayerProps {
  readonly windows: readonly Window[]
  readonly extensions: Extensions
  readonly focus: Focus
  readonly device: Device
}

export function WindowLayer({ windows, extensions: { apps, broken }, focus, device }: LayerProps) {
  return (
    <main className="windows" aria-label="Windows">
      {windows.map((window) => {
        const app = apps.get(window.app)
        const why = broken.get(window.app)
        return (
          <WindowFrame
            key={window.window}
            window={window}
            app={app ?? null}
            missing={`The app “${window.app}” ${why === undefined ? 'is not on this computer any more.' : `does not load: ${why}`}`}
            saved={placeOf(window, app, device)}
            focus={focus}
            device={device}
          />
        )
      })}
    </main>
  )
}
