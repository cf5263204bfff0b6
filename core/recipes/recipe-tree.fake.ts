import type { Wish } from '@choiros/contract/events/talk.ts'
import { assert } from '@choiros/contract/error.ts'
import { pathProblem } from '@choiros/contract/path.ts'
import type { RecipeFiles, RecipeOutcome } from './recipe.ts'
import { findRecipe, wishProblem } from './recipes.ts'

const PARTS: Readonly<Record<string, string>> = {
  'apps/todo/app.tsx': `import './todo.css'\nexport default defineApp({ id: 'part-id', title: 'Part title' })\n`,
  'apps/todo/window.tsx': `export const name = <nav aria-label="Part title" className="part-id-app" />\n`,
  'apps/todo/todo.css': '.part-id-app { color: red }\n',
  'apps/notes/app.tsx': `export default defineApp({ id: 'part-id', title: 'Part title' })\n`,
  'apps/timer/app.tsx': `export default defineApp({ id: 'part-id', title: 'Part title' })\n`,
  'widgets/clock/widget.tsx': `const SECONDS = false\nconst HOURS_24 = true\nexport default defineWidget({ id: 'part-id', title: 'Part title' })\n`,
  'widgets/date/widget.tsx': `export default defineWidget({ id: 'part-id', title: 'Part title' })\n`,
  'widgets/greeting/widget.tsx': `const NAME = ''\nexport default defineWidget({ id: 'part-id', title: 'Part title' })\n`,
  'widgets/countdown/widget.tsx': `const UNTIL = '2027-01-01'\nconst text = \`Part title \${UNTIL}\`\nexport default defineWidget({ id: 'part-id', title: 'Part title' })\n`,
}

/** A tree in memory, in which recipes are followed. */
export class RecipeTree implements RecipeFiles {
  readonly files = new Map<string, string>([
    ['app/shell/extensions.ts', ''],
    ['app/apps/files/app.tsx', 'files'],
  ])

  read(path: string): string | null {
    return this.files.get(path) ?? null
  }

  list(folder: string): string[] {
    const prefix = folder.endsWith('/') ? folder : `${folder}/`
    return [...this.files.keys()].filter((path) => path.startsWith(prefix)).sort()
  }

  part(name: string): { path: string; text: string }[] {
    return Object.entries(PARTS)
      .filter(([path]) => path.startsWith(`${name}/`))
      .map(([path, text]) => ({ path: path.slice(name.length + 1), text }))
  }

  follow(recipe: string, parameters: Wish['parameters'] = {}): RecipeOutcome {
    assert(wishProblem({ recipe, parameters }) === null, 'the wish can be followed')
    const work = findRecipe(recipe)!.work
    if (work.kind !== 'edit') throw new Error(`${recipe} edits nothing`)
    const outcome = work.apply(parameters, this)
    for (const path of [...outcome.writes.map((write) => write.path), ...outcome.removes]) {
      assert(pathProblem(path) === null, `${path} is a path of a tree`)
      const isInside = work.scope.some((scope) => (scope.endsWith('/') ? path.startsWith(scope) : path === scope))
      assert(isInside, `${path} is in the scope`)
    }
    for (const { path, text } of outcome.writes) this.files.set(path, text)
    for (const path of outcome.removes) this.files.delete(path)
    return outcome
  }
}
