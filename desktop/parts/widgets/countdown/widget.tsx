import { useNow } from '@choiros/sdk/now.ts'
import { defineWidget } from '@choiros/sdk/widget.ts'

const UNTIL = '2027-01-01'
const DAY_MS = 86_400_000

function Countdown() {
  const today = new Date(useNow(60_000)).setHours(0, 0, 0, 0)
  const until = new Date(`${UNTIL}T00:00`)
  // Rounded: a day in which the clocks change is not 24 hours long.
  const days = Math.round((until.getTime() - today) / DAY_MS)
  return <span title={until.toLocaleDateString(undefined, { dateStyle: 'full' })}>{`Part title ${inWords(days)}`}</span>
}

function inWords(days: number): string {
  if (days === 0) return 'is today'
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`
  return days > 0 ? `in ${count}` : `${count} ago`
}

export default defineWidget({ id: 'part-id', title: 'Part title', Content: Countdown })
