import { useSyncExternalStore } from 'react'
import type { App } from '@choiros/sdk/app.ts'
import type { Geometry, Window } from '@choiros/sdk/contract.ts'

export type Edge = 'n' | 's' | 'e' | 'w' | 'ne' | 'nw' | 'se' | 'sw'
export type Device = 'wide' | 'narrow'
/** The area that windows may cover, in pixels. */
export interface Room {
  readonly width: number
  readonly height: number
}

const SMALLEST = { width: 260, height: 160 }
const TITLE_HEIGHT = 34
/** So much of a title stays where a pointer can reach it. */
const REACHABLE = 80
const NARROW = matchMedia('(width < 900px)')

export function useDevice(): Device {
  return useSyncExternalStore(
    (changed) => {
      NARROW.addEventListener('change', changed)
      return () => NARROW.removeEventListener('change', changed)
    },
    () => (NARROW.matches ? 'narrow' : 'wide'),
  )
}

/**
 * Where a window is: where it was left, or at a first place. A phone has room for only one window, which covers all of
 * it.
 */
export function placeOf(window: Window, app: App | undefined, device: Device): Geometry {
  const saved = window[device] ?? firstPlace(app?.size ?? { width: 480, height: 360 }, slots.get(window.window) ?? 0)
  return device === 'narrow' && saved.state === 'normal' ? { ...saved, state: 'maximised' } : saved
}

/** Left, right, between, lower: the second window does not hide the first. */
const FIRST_PLACES = [
  { x: 0.04, y: 0.06 },
  { x: 0.47, y: 0.1 },
  { x: 0.24, y: 0.17 },
  { x: 0.56, y: 0.04 },
  { x: 0.1, y: 0.24 },
  { x: 0.36, y: 0.08 },
] as const

const slots = new Map<string, number>()

/**
 * Gives each window a first place of its own for as long as it is open: if they were only counted, the others would
 * jump when one closes.
 */
export function assignSlots(windows: readonly Window[]): void {
  for (const window of slots.keys()) if (!windows.some((open) => open.window === window)) slots.delete(window)
  for (const { window } of windows) {
    if (slots.has(window)) continue
    const taken = new Set(slots.values())
    let slot = 0
    while (taken.has(slot)) slot++
    slots.set(window, slot)
  }
}

function firstPlace(size: Room, slot: number): Geometry {
  const width = Math.min(0.9, size.width / innerWidth)
  const height = Math.min(0.86, size.height / innerHeight)
  const { x, y } = FIRST_PLACES[slot % FIRST_PLACES.length]!
  return { x: Math.min(x, 1 - width), y: Math.min(y, 1 - height), width, height, state: 'normal' }
}

/** Where it is shown on a screen that may be smaller than the one it was left on: never out of reach. */
export function withinReach(place: Geometry, room: Room): Geometry {
  const reach = REACHABLE / room.width
  return {
    ...place,
    x: clamp(place.x, reach - place.width, 1 - reach),
    y: clamp(place.y, 0, Math.max(0, 1 - TITLE_HEIGHT / room.height)),
  }
}

export function moved(from: Geometry, dx: number, dy: number, room: Room): Geometry {
  return withinReach({ ...from, x: from.x + dx, y: from.y + dy }, room)
}

export function resized(from: Geometry, edge: Edge, dx: number, dy: number, room: Room): Geometry {
  const [leastWidth, leastHeight] = [SMALLEST.width / room.width, SMALLEST.height / room.height]
  let { x, y, width, height } = from
  if (edge.includes('e')) width = clamp(from.width + dx, leastWidth, 1.5)
  if (edge.includes('s')) height = clamp(from.height + dy, leastHeight, 1.5)
  if (edge.includes('w')) {
    width = clamp(from.width - dx, leastWidth, 1.5)
    x = from.x + from.width - width
  }
  if (edge.includes('n')) {
    // Not above the top: the title would be out of reach, and with it the way to bring it back.
    height = clamp(from.height - dy, leastHeight, from.y + from.height)
    y = from.y + from.height - height
  }
  return withinReach({ ...from, x, y, width, height }, room)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
