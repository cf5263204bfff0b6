import type { Stage } from './stage-folder.ts'

/** More files than this are only counted: the outline must stay a part of the first message, not the whole of it. */
const FILES_MAX = 250
const NAMES_MAX = 12

/** What `app/` consists of: each file of code with how long it is and what it exports. */
export function outline(stage: Stage): string {
  const files = stage.list('app')
  const lines = files.slice(0, FILES_MAX).map((path) => {
    const text = /\.tsx?$/.test(path) ? stage.read(path) : null
    if (text === null) return path
    const names = exportsOf(text)
    const shown = names.slice(0, NAMES_MAX).join(', ')
    const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : ''
    return `${path} (${text.split('\n').length} lines)${names.length === 0 ? '' : `: ${shown}${more}`}`
  })
  const rest = files.length - lines.length
  return [...lines, ...(rest > 0 ? [`and ${rest} files more; the tool list shows them`] : [])].join('\n')
}

const EXPORT =
  /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) +([\w$]+)/gm
const DEFAULT = /^export default (?:defineApp|defineWidget)\b/m

export function exportsOf(text: string): string[] {
  const names = [...text.matchAll(EXPORT)].map(([, name = '']) => name)
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap(
      (one) =>
        one
          .trim()
          .split(/\s+as\s+/)
          .at(-1) || [],
    ),
  )
  return [...new Set([...names, ...lists, ...(DEFAULT.test(text) ? ['default'] : [])])]
}
