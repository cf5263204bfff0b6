import type { ComponentType } from 'react'

/**
 * A widget is a folder in `widgets/` whose `widget.tsx` exports one of these; it stands at the end of the taskbar, in
 * the order of ids.
 */
export interface Widget {
  readonly id: string
  /** Its name, for when it cannot show itself. */
  readonly title: string
  readonly Content: ComponentType
}

export function defineWidget(widget: Widget): Widget {
  return widget
}
