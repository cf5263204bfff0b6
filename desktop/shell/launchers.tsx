import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { App } from '@choiros/sdk/app.ts'
import { fit } from './app-order.ts'
import { More } from './more.tsx'

interface Props {
  readonly apps: readonly App[]
  /** Room that is left for the windows' buttons. */
  readonly reservedPx: number
  open(app: App): void
}

/** The apps of the taskbar, with names while there is room; those that do not fit are in a menu. */
export function Launchers({ apps, reservedPx, open }: Props) {
  const whole = useRef<HTMLDivElement>(null)
  const { shown, named } = useRoom(whole, apps, reservedPx)
  return (
    <div ref={whole} className="launchers">
      <div className="measure" aria-hidden="true" inert>
        {apps.map((app) => (
          <span key={app.id}>
            <span className="glyph">{app.glyph}</span>
            {app.title}
          </span>
        ))}
      </div>
      {apps.slice(0, shown).map((app, index) => (
        <button key={app.id} type="button" aria-label={app.title} title={app.title} onClick={() => open(app)}>
          <span className="glyph" aria-hidden="true">
            {app.glyph}
          </span>
          {index < named && app.title}
        </button>
      ))}
      {shown < apps.length && <More name="More apps" items={apps.slice(shown)} open={open} />}
    </div>
  )
}

/** Measured, not guessed: names and fonts can be anything. */
function useRoom(
  whole: RefObject<HTMLDivElement | null>,
  apps: readonly App[],
  reservedPx: number,
): { readonly shown: number; readonly named: number } {
  const [room, setRoom] = useState({ shown: apps.length, named: 0 })
  const key = JSON.stringify([apps.map(({ title, glyph }) => [title, glyph]), reservedPx])
  useLayoutEffect(() => {
    const bar = whole.current?.parentElement
    const measure = whole.current?.querySelector('.measure')
    if (bar === null || bar === undefined || measure === null || measure === undefined) return undefined
    const look = () => {
      const namedPx = [...measure.children].map((one) => one.getBoundingClientRect().width)
      const glyphPx =
        Math.max(0, ...[...measure.querySelectorAll('.glyph')].map((one) => one.getBoundingClientRect().width)) +
        PADDING_PX
      const next = fit({ namedPx, glyphPx, freePx: bar.clientWidth - reservedPx })
      setRoom((now) => (now.shown === next.shown && now.named === next.named ? now : next))
    }
    const observer = new ResizeObserver(look)
    observer.observe(bar)
    observer.observe(measure)
    look()
    return () => observer.disconnect()
    // The key holds what is measured.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [whole, key])
  return room
}

/** Left and right of a glyph, with borders and the gap to the next: see taskbar.css. */
const PADDING_PX = 24
