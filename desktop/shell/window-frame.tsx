import { useRef, useState, type PointerEvent } from 'react'
import type { App } from '@choiros/sdk/app.ts'
import type { Geometry, Window } from '@choiros/sdk/live.ts'
import { closeWindow, settleWindow } from '@choiros/sdk/windows.ts'
import type { Focus } from './focus-order.ts'
import { deviceClass, firstPlace, moved, resized, type Edge } from './geometry.ts'
import { AppBoundary } from './app-boundary.tsx'

interface Drag {
  readonly pointer: number
  readonly edge: Edge | null
  readonly startX: number
  readonly startY: number
  readonly from: Geometry
}

const EDGES: readonly Edge[] = ['n', 's', 'e', 'w', 'ne', 'nw', 'se', 'sw']

export function WindowFrame({ window, app, index, focus }: { window: Window; app: App | null; index: number; focus: Focus }) {
  const device = deviceClass()
  const saved = window[device] ?? firstPlace(app?.size ?? { width: 480, height: 360 }, index, device)
  const [live, setLive] = useState<Geometry | null>(null)
  const drag = useRef<Drag | null>(null)
  const place = live ?? saved
  const title = app === null ? window.title : window.title === app.title ? app.title : `${window.title} · ${app.title}`

  const settle = (geometry: Geometry) => {
    setLive(geometry)
    void settleWindow(window.window, device, geometry).finally(() => setLive(null))
  }
  const begin = (edge: Edge | null) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || place.state === 'maximised') return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { pointer: event.pointerId, edge, startX: event.clientX, startY: event.clientY, from: place }
  }
  const follow = (event: PointerEvent<HTMLElement>) => {
    const { current } = drag
    if (current?.pointer !== event.pointerId) return
    const dx = (event.clientX - current.startX) / innerWidth
    const dy = (event.clientY - current.startY) / innerHeight
    setLive(current.edge === null ? moved(current.from, dx, dy) : resized(current.from, current.edge, dx, dy))
  }
  const end = (event: PointerEvent<HTMLElement>) => {
    if (drag.current?.pointer !== event.pointerId) return
    drag.current = null
    if (live !== null) settle(live)
  }
  const toggle = () => settle({ ...place, state: place.state === 'maximised' ? 'normal' : 'maximised' })

  if (place.state === 'minimised') return null
  const isTop = focus.top === window.window
  const style =
    place.state === 'maximised'
      ? { inset: 0, zIndex: 10 + focus.order.indexOf(window.window) }
      : {
          left: `${place.x * 100}%`,
          top: `${place.y * 100}%`,
          width: `${place.width * 100}%`,
          height: `${place.height * 100}%`,
          zIndex: 10 + focus.order.indexOf(window.window),
        }
  return (
    <section
      role="dialog"
      aria-label={title}
      aria-modal={false}
      className={`window${isTop ? ' top' : ''}${place.state === 'maximised' ? ' maximised' : ''}`}
      style={style}
      onPointerDown={() => focus.raise(window.window)}
      onFocus={() => isTop || focus.raise(window.window)}
      tabIndex={-1}
    >
      <header onPointerDown={begin(null)} onPointerMove={follow} onPointerUp={end} onPointerCancel={end} onDoubleClick={toggle}>
        <span className="title">{title}</span>
        <span className="controls" onPointerDown={(event) => event.stopPropagation()} onDoubleClick={(event) => event.stopPropagation()}>
          <button type="button" aria-label={`Minimise ${title}`} onClick={() => settle({ ...place, state: 'minimised' })}>
            –
          </button>
          <button type="button" aria-label={`${place.state === 'maximised' ? 'Make smaller' : 'Maximise'} ${title}`} onClick={toggle}>
            {place.state === 'maximised' ? '❐' : '□'}
          </button>
          <button type="button" aria-label={`Close ${title}`} onClick={() => void closeWindow(window.window)}>
            ×
          </button>
        </span>
      </header>
      <div className="content">
        <AppBoundary name={title}>
          {app === null ? (
            <p className="quiet">The app “{window.app}” is not on this computer any more.</p>
          ) : (
            <app.Content window={window.window} title={window.title} />
          )}
        </AppBoundary>
      </div>
      {place.state === 'normal' &&
        EDGES.map((edge) => (
          <span key={edge} className={`edge ${edge}`} onPointerDown={begin(edge)} onPointerMove={follow} onPointerUp={end} onPointerCancel={end} />
        ))}
    </section>
  )
}
