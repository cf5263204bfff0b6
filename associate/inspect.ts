import type { AssociateResult } from '@choiros/contract/tasks.ts'
import type { Parameters } from '@choiros/core/recipes/recipe.ts'
import type { Stage } from './stage-folder.ts'

const SHOWN_MAX = 20

/** What there is on the computer, in words for the person. Reads and changes nothing. */
export function inspectStage(stage: Stage, parameters: Parameters): Pick<AssociateResult, 'status' | 'summary'> {
  const what = parameters['what'] ?? 'all'
  const sections: Record<string, () => string> = {
    documents: () => documents(stage),
    apps: () => extensions(stage, 'app/apps', 'apps', 'app.tsx'),
    widgets: () => extensions(stage, 'app/widgets', 'widgets in the taskbar', 'widget.tsx'),
    settings: () => settings(stage),
  }
  const chosen = what === 'all' ? Object.values(sections) : [sections[String(what)] ?? sections['documents']!]
  return { status: 'ok', summary: chosen.map((section) => section()).join('\n') }
}

function documents(stage: Stage): string {
  const paths = stage.list('artifacts').filter((path) => !path.startsWith('artifacts/system/'))
  return listed(
    'documents and files',
    paths.map((path) => `${path.slice('artifacts/'.length)} (${sizeWords(stage.size(path) ?? 0)})`),
  )
}

function extensions(stage: Stage, folder: string, what: string, file: string): string {
  const mains = stage.list(folder).filter((path) => path.endsWith(`/${file}`))
  return listed(
    what,
    mains.map((path) => titleIn(stage.read(path) ?? '') ?? path.split('/').at(-2) ?? path),
  )
}

function titleIn(source: string): string | null {
  const literal = /\btitle:\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/.exec(source)?.[1]
  return literal === undefined ? null : literal.slice(1, -1).replaceAll(/\\(.)/g, '$1')
}

function settings(stage: Stage): string {
  const lines = stage.list('artifacts/system').flatMap((path) => {
    const values = parseObject(stage.read(path) ?? '')
    return values === null
      ? []
      : [
          `${path
            .split('/')
            .at(-1)!
            .replace(/\.json$/, '')}: ${Object.values(values).map(String).join(', ')}`,
        ]
  })
  return lines.length === 0
    ? 'You have changed no settings yet.'
    : `What you have set: ${lines.slice(0, SHOWN_MAX).join('; ')}.`
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

function listed(what: string, items: readonly string[]): string {
  if (items.length === 0) return `There are no ${what} yet.`
  const more = items.length > SHOWN_MAX ? ` and ${items.length - SHOWN_MAX} more` : ''
  return `Your ${what}: ${items.slice(0, SHOWN_MAX).join(', ')}${more}.`
}

function sizeWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
