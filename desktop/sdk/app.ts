import type { ComponentType } from 'react'

export interface AppProps {
  readonly window: string
  readonly title: string
}

/** An app is a folder in `apps/` whose `app.tsx` exports one of these; the shell finds it by itself. */
export interface App {
  readonly id: string
  readonly title: string
  /** One glyph for the taskbar. */
  readonly glyph: string
  /** In pixels of a wide screen. */
  readonly size: { readonly width: number; readonly height: number }
  /** False: opened by other apps, not from the taskbar. */
  readonly inTaskbar?: boolean
  readonly Content: ComponentType<AppProps>
}

export function defineApp(app: App): App {
  return app
}
