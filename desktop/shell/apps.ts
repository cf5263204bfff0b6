import type { App } from '@choiros/sdk/app.ts'

/** Apps are found, not listed: a folder more in `apps/` is an app more. */
const found = import.meta.glob<{ default: App }>('../apps/*/app.tsx', { eager: true })

export const APPS: ReadonlyMap<string, App> = new Map(
  Object.values(found)
    .map((module) => module.default)
    .sort((a, b) => a.title.localeCompare(b.title))
    .map((app) => [app.id, app]),
)
