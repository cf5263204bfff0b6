import type { Wish } from '@choiros/contract/events/talk.ts'
import type { RecipeField, RecipeView } from '@choiros/contract/commands/runs.ts'
import { accentRecipe } from './accent.ts'
import { notesRecipe, timerRecipe, todoRecipe } from './apps.ts'
import { restoreRecipe, undoNamedRecipe } from './back.ts'
import { checkpointRecipe } from './checkpoint.ts'
import { documentRecipe } from './documents.ts'
import { greetingRecipe } from './greeting.ts'
import { logRecipe, redoRecipe, undoRecipe } from './history.ts'
import { forgetRecipe, knownRecipe, rememberRecipe } from './memory.ts'
import { checkRecipe, helpRecipe, inspectRecipe } from './questions.ts'
import { withoutBlanks, type Recipe } from './recipe.ts'
import { removeRecipe } from './remove.ts'
import { taskbarRecipe } from './taskbar.ts'
import { textSizeRecipe } from './text-size.ts'
import { themeRecipe } from './theme.ts'
import { wallpaperRecipe } from './wallpaper.ts'
import { clockRecipe, countdownRecipe, dateRecipe } from './widgets.ts'

/** In the order of the `?` menu. If two recipes understand a clause equally well, the first one gets it. */
export const RECIPES: readonly Recipe[] = [
  themeRecipe,
  accentRecipe,
  wallpaperRecipe,
  textSizeRecipe,
  taskbarRecipe,
  clockRecipe,
  dateRecipe,
  countdownRecipe,
  greetingRecipe,
  todoRecipe,
  notesRecipe,
  timerRecipe,
  removeRecipe,
  documentRecipe,
  undoRecipe,
  undoNamedRecipe,
  redoRecipe,
  checkpointRecipe,
  restoreRecipe,
  logRecipe,
  inspectRecipe,
  checkRecipe,
  rememberRecipe,
  forgetRecipe,
  knownRecipe,
  helpRecipe,
]

const BY_NAME: ReadonlyMap<string, Recipe> = new Map(RECIPES.map((recipe) => [recipe.name, recipe]))

export function findRecipe(name: string): Recipe | undefined {
  return BY_NAME.get(name)
}

export function recipeViews(): RecipeView[] {
  return RECIPES.map(({ name, title, group, hint, example, fields }) => ({
    name,
    title,
    group,
    hint,
    example,
    fields: [...fields],
  }))
}

/** What a model is told of the recipes that write files, each with its parameters and what they may be. */
export function editRecipeLines(): string[] {
  return RECIPES.filter(({ work }) => work.kind === 'edit').map(({ name, hint, fields }) => {
    const parameters = fields.map((field) => `${field.name}${field.required ? '' : '?'}: ${valueWords(field)}`)
    return `${name}(${parameters.join(', ')}): ${hint}`
  })
}

function valueWords({ kind, label, choices }: RecipeField): string {
  if (choices.length > 0) return choices.map(({ value }) => value).join(' | ')
  if (kind === 'yes') return 'true | false'
  if (kind === 'number') return 'a number'
  return label
}

/** Why a wish cannot be followed, in words for the person, or null if it can. */
export function wishProblem(wish: Wish): string | null {
  const recipe = findRecipe(wish.recipe)
  if (recipe === undefined) return `there is no recipe named ${JSON.stringify(wish.recipe.slice(0, 60))}`
  const parsed = recipe.parameters.safeParse(withoutBlanks(wish.parameters))
  if (parsed.success) return null
  const [issue] = parsed.error.issues
  const field = recipe.fields.find(({ name }) => name === issue?.path[0])
  return `${recipe.title}${field === undefined ? '' : `, ${field.label.toLowerCase()}`}: ${issue?.message ?? 'it cannot be followed like this'}`
}
