import type { Event } from './event.ts'
import { definitionOf } from './catalog.ts'

export type Upcast = (data: Record<string, unknown>) => Record<string, unknown>

/**
 * `type@version` → the next version's data. A published version's shape is never edited: write a new version and lift
 * the old one here. Only what is read is lifted; the stored bytes and their hash stay as they were written.
 */
export const UPCASTS: Readonly<Record<string, Upcast>> = {
  'erase@1': (data) => ({ ...data, why: 'content', list: null }), // Before old versions were erased to make room.
  'undo@1': (data) => data, // Before stretches of typing were taken back as one.
  'budget.settle@1': (data) => ({ ...data, cached: 0 }), // Before what was read again had a price of its own.
  // Before a verifier could do without a browser; only one executed the tree's code then.
  'receipt.verifier@1': (data) => ({
    ...data,
    selfReported: data['verifier'] === 'render',
    means: data['verifier'] === 'render' ? 'browser' : 'reading',
  }),
  'health@1': (data) => ({ ...data, stack: '' }), // Before pages said where.
  'tool.result@1': (data) => ({ ...data, lease: null }), // Before there were leases.
  'run.revert@1': (data) => ({ ...data, goesOn: false }), // Before a run could mend what it had landed.
  'budget.reserve@1': (data) => ({ ...data, micros: null }), // Before there were caps in money.
  'message@1': (data) => ({ ...data, offers: [] }), // Before a reply could be clicked.
  'message@2': (data) => without(data, 'conversation'), // A computer was meant to have several talks then.
  'run.start@1': (data) => without(data, 'work'), // A run was one of several attempts at a work item then.
  'question.ask@1': (data) => ({
    ...data,
    questions: (data['questions'] as object[]).map((question) => ({ ...question, slot: null })),
  }), // Only models asked then.
  // Before the event said who had cancelled.
  'run.cancel@1': (data) => ({ ...data, by: data['reason'] === 'stopped by you' ? 'person' : 'system' }),
  'question.answer@1': (data) => data, // Before a question could be withdrawn.
}

function without(data: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== name))
}

function newestVersion(type: string): number | undefined {
  return definitionOf(type)?.version
}

/**
 * Lifts an event to the newest version. Unknown types, and versions newer than ours, come back as they are: kept, and
 * skipped by reducers.
 */
export function upcast(
  event: Event,
  upcasts: Readonly<Record<string, Upcast>> = UPCASTS,
  newestOf = newestVersion,
): Event {
  const newest = newestOf(event.type) ?? event.version
  if (event.version >= newest) return event
  let { version, data } = event
  for (; version < newest; version++) {
    const lift = upcasts[`${event.type}@${version}`]
    if (lift === undefined) return event
    data = lift(data)
  }
  return { ...event, version, data }
}

/** True for events whose effect this release cannot know: a type that grew a version we have never heard of. */
export function isFromNewerRelease(event: { type: string; version: number }): boolean {
  const known = definitionOf(event.type)
  return known !== undefined && event.version > known.version
}
