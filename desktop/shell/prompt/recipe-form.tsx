import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { RecipeView, Wish } from '@choiros/sdk/contract.ts'
import { Field } from './field.tsx'
import { firstValues, toParameters } from './wish-text.ts'

interface Props {
  readonly recipe: RecipeView
  submit(parameters: Wish['parameters']): Promise<boolean>
  back(): void
}

/** No form element: the frame does not allow this page to submit forms, and the browser would silently drop it. */
export function RecipeForm({ recipe, submit, back }: Props) {
  const [values, setValues] = useState(() => firstValues(recipe.fields))
  const [sending, setSending] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const parameters = toParameters(recipe.fields, values)
  useEffect(() => focusFirst(whole.current), [])
  const send = async () => {
    if (parameters === null || sending) return
    setSending(true)
    if (!(await submit(parameters))) setSending(false)
  }
  const press = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return
    event.preventDefault()
    void send()
  }
  return (
    <div ref={whole} className="recipe-form" onKeyDown={press}>
      <h2>{recipe.title}</h2>
      <p className="quiet">{recipe.hint}</p>
      {recipe.fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          change={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      {recipe.example !== '' && <p className="recipe-example">Or say “{recipe.example}”</p>}
      <div className="recipe-buttons">
        <button type="button" onClick={back}>
          Back
        </button>
        <button type="button" className="primary" disabled={parameters === null || sending} onClick={() => void send()}>
          Ask for it
        </button>
      </div>
    </div>
  )
}

/** In a group of choices, focuses the chosen one: the arrow keys then start from it. */
function focusFirst(form: HTMLElement | null): void {
  const first = form?.querySelector<HTMLInputElement | HTMLButtonElement>('[data-field], .primary')
  const chosen =
    first?.type === 'radio' ? form?.querySelector<HTMLInputElement>(`[name="${CSS.escape(first.name)}"]:checked`) : null
  ;(chosen ?? first)?.focus()
}
