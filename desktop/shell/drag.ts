import { useRef, useState, type PointerEvent } from 'react'
import type { Geometry } from '@choiros/sdk/contract.ts'
import { settleWindow } from '@choiros/sdk/windows.ts'
import { moved, resized, withinReach, type Device, type Edge, type Room } from './geometry.ts'

interface Drag {
  readonly pointer: number
  readonly edge: Edge | null
  readonly startX: number
  readonly startY: number
  readonly from: Geometry
  readonly room: Room
}

/** A smaller move is a click with an unsteady hand, not worth an event. */
const STEADY_PX = 3

/**
 * A window follows the pointer here and is saved when it is released; until the log has that, the released place is
 * shown.
 */
export function useDrag(
  window: string,
  saved: Geometry,
  device: Device,
  section: { readonly current: HTMLElement | null },
) {
  const [live, setLive] = useState<Geometry | null>(null)
  const drag = useRef<Drag | null>(null)
  const place = live ?? inRoom(saved, roomOf(section.current))

  const settle = (geometry: Geometry) => {
    setLive(geometry)
    settleWindow(window, device, geometry)
      .catch(() => {}) // Not written: it goes back to where the log has it.
      .finally(() => setLive((current) => (current === geometry ? null : current)))
  }
  const follow = (event: PointerEvent<HTMLElement>) => {
    const { current } = drag
    if (current?.pointer !== event.pointerId) return
    const [dx, dy] = [event.clientX - current.startX, event.clientY - current.startY]
    if (live === null && Math.hypot(dx, dy) < STEADY_PX) return
    const { from, room, edge } = current
    setLive(
      edge === null
        ? moved(from, dx / room.width, dy / room.height, room)
        : resized(from, edge, dx / room.width, dy / room.height, room),
    )
  }
  const end = (event: PointerEvent<HTMLElement>) => {
    if (drag.current?.pointer !== event.pointerId) return
    drag.current = null
    if (live !== null) settle(live)
  }
  const handles = (edge: Edge | null) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const room = roomOf(section.current)
      if (event.button !== 0 || place.state !== 'normal' || room === null) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { pointer: event.pointerId, edge, startX: event.clientX, startY: event.clientY, from: place, room }
    },
    onPointerMove: follow,
    onPointerUp: end,
    onPointerCancel: end,
  })
  return { place, settle, handles }
}

function roomOf(section: HTMLElement | null): Room | null {
  const layer = section?.parentElement
  return layer === null || layer === undefined || layer.clientWidth === 0
    ? null
    : { width: layer.clientWidth, height: layer.clientHeight }
}

function inRoom(place: Geometry, room: Room | null): Geometry {
  return place.state === 'normal' && room !== null ? withinReach(place, room) : place
}
