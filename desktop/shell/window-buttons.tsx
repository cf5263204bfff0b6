import { useLayoutEffect, useRef, useState } from 'react'
import type { Window } from '@choiros/sdk/contract.ts'
import { More } from './more.tsx'

interface Props {
  readonly windows: readonly Window[]
  readonly top: string | null
  isAway(window: Window): boolean
  press(window: Window): void
}

/** The least width of a window's button, in rem, and the width of the menu's button: see taskbar.css. */
const BUTTON_REM = 5.2
const MORE_REM = 3

/**
 * The windows of the taskbar. Those that do not fit are in a menu, but never the one in front: a button under the
 * prompt box could not be pressed.
 */
export function WindowButtons({ windows, top, isAway, press }: Props) {
  const whole = useRef<HTMLDivElement>(null)
  const roomRem = useRoomRem(whole)
  const shown = shownOf(windows, top, roomRem)
  const rest = windows.filter((window) => !shown.includes(window))
  return (
    <div ref={whole} className="open">
      {shown.map((window) => (
        <button
          key={window.window}
          type="button"
          title={window.title}
          aria-label={`Window ${window.title}`}
          aria-pressed={top === window.window}
          className={`task${top === window.window ? ' current' : ''}${isAway(window) ? ' away' : ''}`}
          onClick={() => press(window)}
        >
          <span className="name">{shortOf(window)}</span>
        </button>
      ))}
      {rest.length > 0 && (
        <More
          name="More windows"
          items={rest.map((window) => ({ id: window.window, title: shortOf(window), window }))}
          open={({ window }) => press(window)}
        />
      )}
    </div>
  )
}

const shortOf = ({ title }: Window) => title.slice(title.lastIndexOf('/') + 1)

function shownOf(windows: readonly Window[], top: string | null, roomRem: number): readonly Window[] {
  if (windows.length * BUTTON_REM <= roomRem) return windows
  const count = Math.max(1, Math.floor((roomRem - MORE_REM) / BUTTON_REM))
  const first = windows.slice(0, count)
  const front = windows.find(({ window }) => window === top)
  return front === undefined || first.includes(front) ? first : [...first.slice(0, -1), front]
}

function useRoomRem(whole: { readonly current: HTMLElement | null }): number {
  const [roomRem, setRoomRem] = useState(Infinity)
  useLayoutEffect(() => {
    const box = whole.current
    if (box === null) return undefined
    const look = () =>
      setRoomRem(box.clientWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
    const observer = new ResizeObserver(look)
    observer.observe(box)
    look()
    return () => observer.disconnect()
  }, [whole])
  return roomRem
}
