import type { WindowState } from '@choiros/contract/events/windows.ts'
import { parsed, type Ask } from './ask.ts'

/** Windows, now and at any moment before. */
export function createWindowQueries(ask: Ask) {
  const windows = ask('SELECT window, app, title, wide, narrow FROM window ORDER BY window')
  const windowsAt = ask(
    // Steps from window to window, instead of reading every arrangement there ever was.
    `WITH RECURSIVE known (window) AS (SELECT min(window) FROM window_version
       UNION ALL SELECT (SELECT min(window) FROM window_version WHERE window > known.window) FROM known WHERE known.window IS NOT NULL)
     SELECT v.window, app, title, wide, narrow FROM known JOIN window_version v ON v.window = known.window
       AND v.seq = (SELECT max(seq) FROM window_version WHERE window = known.window AND seq <= ?) WHERE app IS NOT NULL ORDER BY v.window`,
  )

  return {
    windows: (): WindowState[] => (windows().all() as WindowRow[]).map(toWindow),
    windowsAt: (seq: number): WindowState[] => (windowsAt().all(seq) as WindowRow[]).map(toWindow),
  }
}

interface WindowRow {
  window: string
  app: string
  title: string
  wide: string | null
  narrow: string | null
}

function toWindow(row: WindowRow): WindowState {
  const geometry = (text: string | null) => (text === null ? null : (parsed(text) as WindowState['wide']))
  return { ...row, wide: geometry(row.wide), narrow: geometry(row.narrow) }
}
