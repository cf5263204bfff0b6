import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { explain } from '@choiros/sdk/choir.ts'
import type { RecipeView, Wish } from '@choiros/sdk/contract.ts'
import { listRecipes } from '@choiros/sdk/runs.ts'
import { RecipeForm } from './recipe-form.tsx'
import { groupRecipes, wishText } from './wish-text.ts'

interface Props {
  readonly opener: { readonly current: HTMLElement | null }
  send(text: string, wishes: readonly Wish[]): Promise<boolean>
  close(): void
}

/** Everything that can be asked for, for a person who does not know how to say it. */
export function RecipeMenu({ opener, send, close }: Props) {
  const menu = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState<RecipeView | null>(null)
  const { recipes, problem } = useRecipes()
  useOutside(menu, opener, close)
  const submit = async (recipe: RecipeView, parameters: Wish['parameters']) => {
    const sent = await send(wishText(recipe, parameters), [{ recipe: recipe.name, parameters }])
    // If it was not accepted, the form stays as filled in, and the line below says why.
    if (sent) close()
    return sent
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (chosen === null) close()
      else setChosen(null)
    } else if (chosen === null && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      moveFocus(menu.current, event.key === 'ArrowDown' ? 1 : -1)
    }
  }
  return (
    <div ref={menu} role="dialog" aria-label="What can I ask for?" className="recipes" onKeyDown={press}>
      {chosen === null ? (
        <>
          <input
            type="search"
            aria-label="Search what can be asked for"
            placeholder="What would you like?"
            autoFocus
            data-step
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <div className="recipes-list">
            {problem !== null && <p role="alert">{problem}</p>}
            {recipes !== null && <Groups groups={groupRecipes(recipes, wanted)} choose={setChosen} />}
          </div>
        </>
      ) : (
        <RecipeForm recipe={chosen} submit={(parameters) => submit(chosen, parameters)} back={() => setChosen(null)} />
      )}
    </div>
  )
}

function Groups({ groups, choose }: { groups: [string, RecipeView[]][]; choose: (recipe: RecipeView) => void }) {
  if (groups.length === 0)
    return <p className="quiet">There is nothing like that here. Ask in your own words instead.</p>
  return groups.map(([group, recipes]) => (
    <section key={group} aria-label={group}>
      <h2>{group}</h2>
      {recipes.map((recipe) => (
        <button key={recipe.name} type="button" className="plain" data-step onClick={() => choose(recipe)}>
          <span>{recipe.title}</span>
          <span className="quiet">{recipe.hint}</span>
        </button>
      ))}
    </section>
  ))
}

function useRecipes() {
  const [found, setFound] = useState<{ recipes: readonly RecipeView[] | null; problem: string | null }>({
    recipes: null,
    problem: null,
  })
  useEffect(() => {
    let current = true
    listRecipes().then(
      (recipes) => current && setFound({ recipes, problem: null }),
      (error: unknown) => current && setFound({ recipes: null, problem: explain(error) }),
    )
    return () => void (current = false)
  }, [])
  return found
}

function moveFocus(menu: HTMLElement | null, by: 1 | -1): void {
  const steps = [...(menu?.querySelectorAll<HTMLElement>('[data-step]') ?? [])]
  const at = steps.indexOf(document.activeElement as HTMLElement)
  steps[Math.max(0, Math.min(steps.length - 1, at + by))]?.focus()
}

/** A press elsewhere closes it; a press on its own button is handled by that button. */
function useOutside(menu: Props['opener'], opener: Props['opener'], close: () => void): void {
  useEffect(() => {
    const listen = (event: PointerEvent) => {
      const target = event.target as Node
      if (menu.current?.contains(target) !== true && opener.current?.contains(target) !== true) close()
    }
    addEventListener('pointerdown', listen)
    return () => removeEventListener('pointerdown', listen)
  })
}
