import { alreadySo, did, missing, type RecipeFiles, type RecipeOutcome } from './recipe.ts'
import { escapeForLiteral } from './titles.ts'

/** Finds every folder of apps and widgets. Without this file the desktop would not show a new folder. */
const EXTENSION_POINT = 'app/shell/extensions.ts'

export const FOLDERS = { apps: 'app/apps/', widgets: 'app/widgets/' } as const
export type Place = keyof typeof FOLDERS

/** Ids that have another meaning where apps keep their data: `artifacts/system` holds the settings. */
const RESERVED_IDS = new Set(['system'])

/** Beside the code that a recipe made: says what it is, so that it can be found, changed and removed again. */
const MADE_FILE = 'recipe.json'

export interface Made {
  readonly recipe: string
  readonly title: string
  /** Constants of the part that differ from its delivered text: `const SECONDS = true`, by name. */
  readonly constants: Readonly<Record<string, string | boolean>>
}

export interface Extension extends Made {
  readonly id: string
}

/** Every app or widget that a recipe made, in the order of their ids. */
export function madeExtensions(files: RecipeFiles, place: Place): Extension[] {
  return files
    .list(FOLDERS[place])
    .filter((path) => path.endsWith(`/${MADE_FILE}`))
    .flatMap((path) => {
      const id = path.slice(FOLDERS[place].length, -MADE_FILE.length - 1)
      const made = parseMade(files.read(path))
      return made === null || id.includes('/') ? [] : [{ id, ...made }]
    })
}

function parseMade(text: string | null): Made | null {
  try {
    const { recipe, title, constants = {} } = JSON.parse(text ?? '') as Partial<Made>
    const named = Object.entries(constants).filter(
      ([name, value]) => /^[A-Z0-9_]+$/.test(name) && ['string', 'boolean'].includes(typeof value),
    )
    return typeof recipe === 'string' && typeof title === 'string'
      ? { recipe, title, constants: Object.fromEntries(named) }
      : null
  } catch {
    return null
  }
}

export function isTaken(files: RecipeFiles, place: Place, id: string): boolean {
  return RESERVED_IDS.has(id) || files.list(`${FOLDERS[place]}${id}`).length > 0
}

/** Copies a part to where the shell finds it, under its own id and title. */
export function addExtension(
  files: RecipeFiles,
  place: Place,
  id: string,
  made: Made,
  summary: string,
  note = '',
): RecipeOutcome {
  if (files.read(EXTENSION_POINT) === null)
    return missing(
      EXTENSION_POINT,
      `I cannot add ${made.title}: the desktop’s file ${EXTENSION_POINT}, which finds apps and widgets, is missing.`,
    )
  const writes = render(files, place, id, made)
  if (writes === null)
    return missing(EXTENSION_POINT, `I cannot add ${made.title}: this version of ChoirOS cannot make one.`)
  if (writes.every(({ path, text }) => files.read(path) === text)) return alreadySo(`${made.title} is already there.`)
  return did(summary, writes, [], note)
}

/**
 * Whether the files are still as the recipe wrote them. The recipe must not replace what someone has worked on since.
 */
export function isAsMade(files: RecipeFiles, place: Place, { id, ...made }: Extension): boolean {
  return render(files, place, id, made)?.every(({ path, text }) => files.read(path) === text) ?? false
}

function render(files: RecipeFiles, place: Place, id: string, made: Made): { path: string; text: string }[] | null {
  const part = files.part(`${place}/${made.recipe}`)
  if (part.length === 0) return null
  const folder = `${FOLDERS[place]}${id}/`
  const note = { recipe: made.recipe, title: made.title, constants: made.constants }
  return [
    ...part.map(({ path, text }) => ({ path: folder + path.replaceAll('part-id', id), text: fillIn(text, id, made) })),
    { path: folder + MADE_FILE, text: `${JSON.stringify(note, null, 2)}\n` },
  ]
}

/**
 * Titles are the person's words: in code every special character is escaped, and JSX attributes, which know no escapes,
 * become expressions.
 */
function fillIn(text: string, id: string, { title, constants }: Made): string {
  const literal = escapeForLiteral(title)
  let filled = text
    .replaceAll('="Part title"', () => `={'${literal}'}`)
    .replaceAll('Part title', () => literal)
    .replaceAll('part-id', id)
  for (const [name, value] of Object.entries(constants)) {
    const line = new RegExp(String.raw`^const ${name} = .*$`, 'm')
    filled = filled.replace(
      line,
      () => `const ${name} = ${typeof value === 'boolean' ? String(value) : `'${escapeForLiteral(value)}'`}`,
    )
  }
  return filled
}

export function removeExtension(
  files: RecipeFiles,
  place: Place,
  id: string,
  summary: string,
  note = '',
): RecipeOutcome {
  return did(summary, [], files.list(`${FOLDERS[place]}${id}`), note)
}
