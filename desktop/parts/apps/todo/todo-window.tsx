import { useState } from 'react'
import { useStored } from '@choiros/sdk/stored.ts'
import { addItem, checkItem, EMPTY, inOrder, newId, removeItems } from './items.ts'

const PATH = 'artifacts/part-id.json'

export function TodoWindow() {
  const { value, phase, failure, update } = useStored(PATH, EMPTY)
  const [text, setText] = useState('')
  const items = inOrder(value)
  const open = items.filter(([, { done }]) => !done).length
  const add = () => {
    const trimmed = text.trim()
    if (trimmed === '' || phase !== 'ready') return
    update((list) => addItem(list, newId(), trimmed))
    setText('')
  }
  return (
    <div className="part-id-app">
      <div className="part-id-add">
        <input
          aria-label="New item"
          placeholder="Add something"
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && add()}
        />
        <button type="button" className="primary" disabled={text.trim() === '' || phase !== 'ready'} onClick={add}>
          Add
        </button>
      </div>
      {failure !== null && <p role="alert">{failure}</p>}
      {phase === 'ready' && items.length === 0 && <p className="part-id-empty">Nothing on the list.</p>}
      <ul aria-label="Part title">
        {items.map(([id, { text: words, done }]) => (
          <li key={id} className={done ? 'done' : ''}>
            <label>
              <input
                type="checkbox"
                checked={done}
                onChange={(event) => {
                  const { checked } = event.currentTarget
                  update((list) => checkItem(list, id, checked))
                }}
              />
              <span>{words}</span>
            </label>
            <button
              type="button"
              className="plain"
              aria-label={`Delete ${words}`}
              title="Delete"
              onClick={() => update((list) => removeItems(list, (other) => other === id))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <footer>
        <span role="status">{items.length === 0 ? '' : `${open} to do, ${items.length - open} done`}</span>
        {items.length > open && (
          <button
            type="button"
            className="plain"
            onClick={() => update((list) => removeItems(list, (_, { done }) => done))}
          >
            Clear done
          </button>
        )}
      </footer>
    </div>
  )
}
