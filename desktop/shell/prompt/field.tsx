import { useId } from 'react'
import type { RecipeField } from '@choiros/sdk/contract.ts'

interface Props {
  readonly field: RecipeField
  readonly value: string | boolean
  change(value: string | boolean): void
}

/** Up to so many choices are shown side by side. */
const CHOICES_SHOWN_MAX = 8

const COLOURS = [
  ['Gold', '#d6b25e'],
  ['Teal', '#0f9488'],
  ['Blue', '#4f83e0'],
  ['Violet', '#8b6fd6'],
  ['Rose', '#d4587a'],
  ['Ember', '#d9662f'],
  ['Green', '#5f9a4c'],
  ['Slate', '#7b8794'],
] as const

export function Field({ field, value, change }: Props) {
  const id = useId()
  if (field.kind === 'yes')
    return (
      <label className="field-yes">
        <input
          type="checkbox"
          data-field
          checked={value === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        {field.label}
      </label>
    )
  const grouped = field.kind === 'colour' || (field.kind === 'choice' && field.choices.length <= CHOICES_SHOWN_MAX)
  const label = `${field.label}${field.required ? '' : ' (if you like)'}`
  return (
    <div
      className="field"
      role={grouped ? 'radiogroup' : undefined}
      aria-labelledby={grouped ? `${id}-label` : undefined}
    >
      {grouped ? <span id={`${id}-label`}>{label}</span> : <label htmlFor={id}>{label}</label>}
      <Input id={id} field={field} value={String(value)} change={change} />
    </div>
  )
}

function Input({
  id,
  field,
  value,
  change,
}: {
  id: string
  field: RecipeField
  value: string
  change: (value: string) => void
}) {
  const shared = { id, 'value': value, 'data-field': true, 'required': field.required }
  switch (field.kind) {
    case 'long':
      return <textarea {...shared} rows={4} onChange={(event) => change(event.currentTarget.value)} />
    case 'number':
      return <input {...shared} type="number" step="any" onChange={(event) => change(event.currentTarget.value)} />
    case 'colour':
      return <Colours name={id} label={field.label} value={value} change={change} />
    case 'choice':
      return field.choices.length > CHOICES_SHOWN_MAX ? (
        <select {...shared} onChange={(event) => change(event.currentTarget.value)}>
          {field.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <span className="field-choices">
          {field.choices.map((choice) => (
            <label key={choice.value}>
              <input
                type="radio"
                name={id}
                data-field
                checked={value === choice.value}
                onChange={() => change(choice.value)}
              />
              {choice.label}
            </label>
          ))}
        </span>
      )
    default:
      return <input {...shared} type="text" onChange={(event) => change(event.currentTarget.value)} />
  }
}

function Colours({
  name,
  label,
  value,
  change,
}: {
  name: string
  label: string
  value: string
  change: (value: string) => void
}) {
  const colour = value.toLowerCase()
  return (
    <span className="field-colours">
      {COLOURS.map(([title, hex]) => (
        <label key={hex} title={title} style={{ background: hex }}>
          <input
            type="radio"
            name={name}
            data-field
            aria-label={title}
            checked={colour === hex}
            onChange={() => change(hex)}
          />
        </label>
      ))}
      <input
        type="color"
        aria-label={`${label}: any colour`}
        title="Any colour"
        value={/^#[0-9a-f]{6}$/.test(colour) ? colour : '#000000'}
        onChange={(event) => change(event.currentTarget.value)}
      />
    </span>
  )
}
