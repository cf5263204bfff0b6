import { useSyncExternalStore } from 'react'
import type { App } from '@choiros/sdk/app.ts'
import { run } from '@choiros/sdk/choir.ts'
import type { Widget } from '@choiros/sdk/widget.ts'
import { inOrder } from './app-order.ts'

/**
 * Apps and widgets are found, not listed: one more folder is one more app. Each is loaded by itself, so that a broken
 * one is missing alone.
 */
const APP_FILES = import.meta.glob<{ default: App }>('../apps/*/app.tsx')
const WIDGET_FILES = import.meta.glob<{ default: Widget }>('../widgets/*/widget.tsx')

export interface Extensions {
  readonly apps: ReadonlyMap<string, App>
  readonly widgets: readonly Widget[]
  /** By folder: why its app or widget could not be loaded. */
  readonly broken: ReadonlyMap<string, string>
}

interface Kept {
  now: Extensions | null
  turn: number
  readonly listeners: Set<() => void>
}

/**
 * Outlives this module, which runs again whenever a folder comes or goes: windows must not lose their app meanwhile.
 */
const kept = ((globalThis as { choirExtensions?: Kept }).choirExtensions ??= {
  now: null,
  turn: 0,
  listeners: new Set(),
})

/** Null until they are loaded for the first time. */
export function useExtensions(): Extensions | null {
  return useSyncExternalStore(
    (changed) => {
      kept.listeners.add(changed)
      return () => void kept.listeners.delete(changed)
    },
    () => kept.now,
  )
}

async function find(): Promise<void> {
  const turn = ++kept.turn
  const broken = new Map<string, string>()
  const [apps, widgets] = await Promise.all([loadAll(APP_FILES, broken), loadAll(WIDGET_FILES, broken)])
  const before = [...(kept.now?.apps.keys() ?? [])]
  const placed = await Promise.all(
    apps.map(async (app) => ({
      id: app.id,
      title: app.title,
      app,
      cameSeq: before.includes(app.id) ? 0 : await cameSeq(app.id),
    })),
  )
  if (turn !== kept.turn) return // Found again meanwhile: what is newer counts.
  kept.now = {
    apps: new Map(inOrder(placed, before).map(({ id, app }) => [id, app])),
    widgets: widgets.sort((a, b) => a.id.localeCompare(b.id)),
    broken,
  }
  for (const listener of kept.listeners) listener()
}

/** The oldest event that wrote one of its files: when the app came, as far as the files still tell. */
async function cameSeq(app: string): Promise<number> {
  const files = await run('files.list', { path: `app/apps/${app}`, at: null }).catch(() => [])
  return Math.min(...files.map(({ seq }) => seq ?? Infinity))
}

async function loadAll<Kind extends App | Widget>(
  files: Record<string, () => Promise<{ default: Kind }>>,
  broken: Map<string, string>,
): Promise<Kind[]> {
  const loaded = await Promise.all(
    Object.entries(files).map(async ([path, load]) => {
      try {
        const { default: made } = await load()
        if (typeof made.id === 'string' && typeof made.title === 'string' && made.Content !== undefined) return made
        throw new Error('its file exports no app or widget')
      } catch (error) {
        reportError(error) // Reported to the page, whose probe judges what just landed by it.
        broken.set(path.split('/').at(-2) ?? path, error instanceof Error ? error.message : String(error))
        return null
      }
    }),
  )
  return loaded.filter((made) => made !== null)
}

void find()

// Accepted here and not by an importer: a new folder then renders the taskbar again and touches nothing else.
import.meta.hot?.accept()
