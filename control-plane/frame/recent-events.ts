/** The newest events of the log, as far as this page has heard, and what can be told from them alone. */
export interface LogEvent {
  readonly seq: number
  readonly time: number
  readonly type: string
  readonly source: string
  readonly run: string | null
  readonly data: Record<string, unknown>
}

/** Events that are looked back at, for what changed the desktop last. */
export const LOOKED_BACK = 400

/** Oldest first. */
export const recent: LogEvent[] = []

export function remember(event: LogEvent): void {
  recent.push(event)
  if (recent.length > LOOKED_BACK) recent.shift()
}

export function pathsOf({ data }: LogEvent): { path: string; from: unknown; to: unknown }[] {
  return Array.isArray(data['changes']) ? (data['changes'] as { path: string; from: unknown; to: unknown }[]) : []
}

export function changeText(event: LogEvent): string {
  if (event.type === 'run.land') return String(event.data['summary'])
  const [first, ...others] = pathsOf(event)
  if (first === undefined) return event.type
  const verb = first.to === null ? 'deleted' : first.from === null ? 'made' : 'changed'
  return `${verb} ${first.path}${others.length === 0 ? '' : ` and ${others.length} more`}`
}

/** What the agents are doing, in words; the last of them stays. */
export function inWords({ type, run: of, data }: LogEvent): string | null {
  if (of === null) return null
  switch (type) {
    case 'run.start':
      return 'Planning…'
    case 'task.request':
      return `Working: ${String(data.instruction)}`
    case 'question.ask':
      return 'It asks you something'
    case 'receipt.verifier':
      return data.ok === true ? `Checked ${String(data.verifier)}` : `The check “${String(data.verifier)}” said no`
    case 'run.land':
      return `Landed: ${String(data.summary)}`
    case 'run.discard':
      return `Nothing was changed: ${String(data.reason)}`
    case 'run.cancel':
      return data.reason === 'stopped by you' ? 'Stopped by you' : `Stopped: ${String(data.reason)}`
    case 'run.revert':
      return `Taken back by itself: ${String(data.reason)}`
    default:
      return null
  }
}
