import type { Geometry } from '@choiros/sdk/live.ts'

export type Edge = 'n' | 's' | 'e' | 'w' | 'ne' | 'nw' | 'se' | 'sw'

const SMALLEST = { width: 240, height: 140 }
/** A window's title must stay where a pointer can reach it. */
const REACHABLE = 0.06

export function deviceClass(): 'wide' | 'narrow' {
  return innerWidth >= 900 ? 'wide' : 'narrow'
}

export function firstPlace(size: { width: number; height: number }, index: number, device: 'wide' | 'narrow'): Geometry {
  if (device === 'narrow') return { x: 0, y: 0, width: 1, height: 1, state: 'maximised' }
  const width = Math.min(0.9, size.width / innerWidth)
  const height = Math.min(0.86, size.height / innerHeight)
  const step = (index % 6) * 0.025
  return { x: Math.max(0, 0.12 + step), y: Math.max(0, 0.06 + step), width, height, state: 'normal' }
}

export function moved(from: Geometry, dx: number, dy: number): Geometry {
  return { ...from, x: clamp(from.x + dx, REACHABLE - from.width, 1 - REACHABLE), y: clamp(from.y + dy, 0, 1 - REACHABLE) }
}

export function resized(from: Geometry, edge: Edge, dx: number, dy: number): Geometry {
  const smallest = { width: SMALLEST.width / innerWidth, height: SMALLEST.height / innerHeight }
  let { x, y, width, height } = from
  if (edge.includes('e')) width = Math.max(smallest.width, from.width + dx)
  if (edge.includes('s')) height = Math.max(smallest.height, from.height + dy)
  if (edge.includes('w')) {
    width = Math.max(smallest.width, from.width - dx)
    x = from.x + from.width - width
  }
  if (edge.includes('n')) {
    height = Math.max(smallest.height, from.height - dy)
    y = Math.max(0, from.y + from.height - height)
  }
  return { ...from, x, y, width, height }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
