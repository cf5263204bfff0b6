import { useNow } from '@choiros/sdk/now.ts'
import { defineWidget } from '@choiros/sdk/widget.ts'

function Today() {
  const time = new Date(useNow(60_000))
  return (
    <time dateTime={time.toISOString()}>
      {time.toLocaleDateString(undefined, { weekday: 'short', day: 'numeric', month: 'short' })}
    </time>
  )
}

export default defineWidget({ id: 'part-id', title: 'Part title', Content: Today })
