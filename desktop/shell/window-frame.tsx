import { useEffect, useRef } from 'react'
import type { App } from '@choiros/sdk/app.ts'
import type { Geometry, Window } from '@choiros/sdk/contract.ts'
import { closeWindow } from '@choiros/sdk/windows.ts'
import type { Focus } from './focus-order.ts'
import type { Device, Edge } from './geometry.ts'
import { Boundary } from './boundary.tsx'
import { useDrag } from './drag.ts'
import { Failure, reportWell } from './failure.tsx'
import { WindowControls } from './window-controls.tsx'

interface Props {
  readonly window: Window
  readonly app: App | null
  /** If there is no app: the reason. */
  readonly missing: string
  readonly saved: Geometry
  readonly focus: Focus
  readonly device: Device
}

const EDGES: readonly Edge[] = ['n', 's', 'e', 'w', 'ne', 'nw', 'se', 'sw']

export function WindowFrame({ window, app, missing, saved, focus, device }: Props) {
  const section = useRef<HTMLElement>(null)
  const { place, settle, handles } = useDrag(window.window, saved, device, section)
  const { title } = window
  const isTop = focus.top === window.window
  const maximised = place.state === 'maximised'
  useTakeKeys(section, isTop, focus.turn)
  const toggle = () => device === 'wide' && settle({ ...place, state: maximised ? 'normal' : 'maximised' })
  return (
    <section
      ref={section}
      data-window={window.window}
      role="dialog"
      aria-label={title}
      aria-modal={false}
      hidden={place.state === 'minimised'}
      className={`window${isTop ? ' top' : ''}${maximised ? ' maximised' : ''}`}
      style={{ ...(maximised ? {} : boxOf(place)), zIndex: 10 + focus.order.indexOf(window.window) }}
      onPointerDown={() => isTop || focus.raise(window.window)}
      onFocus={() => isTop || focus.raise(window.window)}
      tabIndex={-1}
    >
      <header {...handles(null)} onDoubleClick={toggle}>
        <span className="glyph" aria-hidden="true">
          {app?.glyph}
        </span>
        <span className="title">{title}</span>
        <WindowControls
          title={title}
          maximised={maximised}
          onMinimise={() => settle({ ...place, state: 'minimised' })}
          onToggle={device === 'wide' ? toggle : null}
          onClose={() => void closeWindow(window.window).catch(() => {})} // Closed already by another device.
        />
      </header>
      <div className="content">
        <Boundary
          subject={app}
          onWell={() => reportWell(window.app)}
          fallback={(thrown, retry, tries) => (
            <Failure app={window.app} title={title} thrown={thrown} tries={tries} retry={retry} />
          )}
        >
          {app === null ? <p className="quiet">{missing}</p> : <app.Content window={window.window} title={title} />}
        </Boundary>
      </div>
      {place.state === 'normal' &&
        EDGES.map((edge) => <span key={edge} className={`edge ${edge}`} {...handles(edge)} />)}
    </section>
  )
}

/** The focus follows the person to the window they went to, and never moves to a window that opened by itself. */
function useTakeKeys(section: { readonly current: HTMLElement | null }, isTop: boolean, turn: number): void {
  useEffect(() => {
    const { current } = section
    if (!isTop || turn === 0 || current === null || current.contains(document.activeElement)) return
    const target = current.querySelector<HTMLElement>('[data-autofocus]') ?? current
    target.focus({ preventScroll: true })
  }, [section, isTop, turn])
}

function boxOf({ x, y, width, height }: Geometry) {
  return { left: `${x * 100}%`, top: `${y * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` }
}
