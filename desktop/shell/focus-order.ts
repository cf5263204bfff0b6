import { useState } from 'react'
import type { Window } from '@choiros/sdk/live.ts'

/** Which window is on top is this page's own business; it is not in the log. */
export interface Focus {
  readonly order: readonly string[]
  readonly top: string | null
  raise(window: string): void
}

export function useFocusOrder(windows: readonly Window[]): Focus {
  const [order, setOrder] = useState<readonly string[]>([])
  const open = windows.map(({ window }) => window)
  const current = [...order.filter((window) => open.includes(window)), ...open.filter((window) => !order.includes(window))]
  return {
    order: current,
    top: current.at(-1) ?? null,
    raise: (window) => setOrder([...current.filter((other) => other !== window), window]),
  }
}
