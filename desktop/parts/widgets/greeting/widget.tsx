import { useNow } from '@choiros/sdk/now.ts'
import { defineWidget } from '@choiros/sdk/widget.ts'

/** The name it greets; empty: a greeting without a name. */
const NAME = ''

function Greeting() {
  const hour = new Date(useNow(60_000)).getHours()
  const words = hour < 5 ? 'Good night' : hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
  return <span>{[words, NAME].filter((part) => part !== '').join(', ')}</span>
}

export default defineWidget({ id: 'part-id', title: 'Part title', Content: Greeting })
