import type { RecipeField, RecipeView, Wish } from '@choiros/sdk/contract.ts'

const VALUE_CHARS_MAX = 80

/** What a form asks for, as a sentence: History and the earlier prompts show it like any other. */
export function wishText(
  { title, fields }: Pick<RecipeView, 'title' | 'fields'>,
  parameters: Wish['parameters'],
): string {
  const said = fields.filter(({ name }) => parameters[name] !== undefined)
  const [only] = said
  if (only === undefined) return title
  if (said.length === 1 && only.kind !== 'yes') return `${title}: ${valueText(only, parameters)}`
  return `${title}: ${said.map((field) => `${field.label.toLowerCase()} ${valueText(field, parameters)}`).join(', ')}`
}

function valueText({ kind, name, choices }: RecipeField, parameters: Wish['parameters']): string {
  const value = parameters[name]
  if (kind === 'yes') return value === true ? 'yes' : 'no'
  const text =
    kind === 'choice' ? (choices.find((choice) => choice.value === value)?.label ?? String(value)) : String(value)
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > VALUE_CHARS_MAX ? `${line.slice(0, VALUE_CHARS_MAX)}…` : line
}

/**
 * The values of a form's fields, as the recipe takes them; an empty field is left out. Null: a required field is empty.
 */
export function toParameters(
  fields: readonly RecipeField[],
  values: Readonly<Record<string, string | boolean>>,
): Wish['parameters'] | null {
  const parameters: Record<string, string | number | boolean> = {}
  for (const { name, kind, required } of fields) {
    const value = values[name]
    if (kind === 'yes') parameters[name] = value === true
    else if (typeof value !== 'string' || value.trim() === '') {
      if (required) return null
    } else if (kind === 'number') {
      if (!Number.isFinite(Number(value))) return null
      parameters[name] = Number(value)
    } else parameters[name] = kind === 'long' ? value : value.trim()
  }
  return parameters
}

/** What a form shows at first. */
export function firstValues(fields: readonly RecipeField[]): Record<string, string | boolean> {
  return Object.fromEntries(
    fields.map(({ name, kind, fallback, choices }) => {
      if (kind === 'yes') return [name, fallback === true]
      return [name, fallback === null ? (kind === 'choice' ? (choices[0]?.value ?? '') : '') : String(fallback)]
    }),
  )
}

/** Recipes that contain every searched word, by group, in their own order. */
export function groupRecipes(recipes: readonly RecipeView[], wanted: string): [string, RecipeView[]][] {
  const words = wanted.toLowerCase().match(/\S+/g) ?? []
  const groups = new Map<string, RecipeView[]>()
  for (const recipe of recipes) {
    const text = `${recipe.title} ${recipe.group} ${recipe.hint} ${recipe.example}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) continue
    groups.set(recipe.group, [...(groups.get(recipe.group) ?? []), recipe])
  }
  return [...groups]
}
