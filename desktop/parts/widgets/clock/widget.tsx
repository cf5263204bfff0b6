import { useNow } from '@choiros/sdk/now.ts'
import { defineWidget } from '@choiros/sdk/widget.ts'

const SECONDS = false
const HOURS_24 = true

function Clock() {
  const time = new Date(useNow(SECONDS ? 1000 : 60_000))
  const text = time.toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    ...(SECONDS ? { second: '2-digit' } : {}),
    hourCycle: HOURS_24 ? 'h23' : 'h12',
  })
  return <time dateTime={time.toISOString()}>{text}</time>
}

export default defineWidget({ id: 'part-id', title: 'Part title', Content: Clock })
