import { z } from 'zod'
import { WindowId } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { defineEvent, shortText } from './define.ts'

const fraction = z.number().min(-1).max(2)

export const Geometry = z.strictObject({
  x: fraction,
  y: fraction,
  width: fraction,
  height: fraction,
  state: z.enum(['normal', 'minimised', 'maximised']),
})
export type Geometry = z.infer<typeof Geometry>

/** Fractions of the screen, one geometry per class of device: a phone must not squeeze the windows of a wide screen. */
export const WindowState = z.strictObject({
  window: WindowId,
  app: shortText,
  title: shortText,
  wide: Geometry.nullable(),
  narrow: Geometry.nullable(),
})
export type WindowState = z.infer<typeof WindowState>
export const windows = z.array(WindowState).max(LIMITS.windowsMax)

export const WindowOpen = defineEvent(
  'window.open',
  1,
  z.strictObject({ window: WindowId, app: shortText, title: shortText }),
)
export const WindowClose = defineEvent('window.close', 1, z.strictObject({ window: WindowId }))
export const WindowSettle = defineEvent(
  'window.settle',
  1,
  z.strictObject({ window: WindowId, device: z.enum(['wide', 'narrow']), geometry: Geometry }),
)

export const WINDOWS_EVENTS = [WindowOpen, WindowClose, WindowSettle]
