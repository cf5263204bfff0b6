import { ChoirError } from '@choiros/contract/error.ts'
import type { Parameters, RecipeOutcome } from '@choiros/core/recipes/recipe.ts'
import { findRecipe, wishProblem } from '@choiros/core/recipes/recipes.ts'
import type { Stage } from '../stage-folder.ts'
import { checkScope } from './tool.ts'

/** Follows one recipe in the stage. Writes all of it or, where anything lies outside of the scope, nothing. */
export function followRecipe(
  stage: Stage,
  scope: readonly string[],
  name: string,
  parameters: Parameters,
): RecipeOutcome {
  const problem = wishProblem({ recipe: name, parameters })
  if (problem !== null) throw new ChoirError('request.invalid', problem)
  const work = findRecipe(name)!.work
  if (work.kind !== 'edit') throw new ChoirError('request.invalid', `the recipe ${name} changes no files`)
  const outcome = work.apply(parameters, stage)
  for (const path of [...outcome.writes.map((write) => write.path), ...outcome.removes]) checkScope(scope, path)
  for (const { path, text } of outcome.writes) stage.write(path, text)
  for (const path of outcome.removes) stage.remove(path)
  return outcome
}
