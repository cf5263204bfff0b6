import { z } from 'zod'
import { ACCOUNT_EVENTS } from './events/account.ts'
import { FAULTS_EVENTS } from './events/faults.ts'
import { FILES_EVENTS } from './events/files.ts'
import { NOTES_EVENTS } from './events/notes.ts'
import { POINTS_EVENTS } from './events/points.ts'
import { POLICY_EVENTS } from './events/policy.ts'
import { RUNS_EVENTS } from './events/runs.ts'
import { TALK_EVENTS } from './events/talk.ts'
import { WINDOWS_EVENTS } from './events/windows.ts'
import type { EventDefinition } from './events/define.ts'

/** Fields of events that name an object without which the event is not whole. */
export const ATTACHED = [
  'object',
  'report',
  'dependencies',
  'request',
  'result',
  'stage',
  'attestation',
  'list',
] as const

/** Every event that a log may hold, in every version it ever had; the newest of a type is the last. */
export const CATALOG: readonly EventDefinition[] = [
  ...FILES_EVENTS,
  ...TALK_EVENTS,
  ...RUNS_EVENTS,
  ...ACCOUNT_EVENTS,
  ...POLICY_EVENTS,
  ...POINTS_EVENTS,
  ...WINDOWS_EVENTS,
  ...FAULTS_EVENTS,
  ...NOTES_EVENTS,
]

/** What a draft says. The log writer adds these fields when it packs changes and erased objects. */
export type DraftData<Definition> = Omit<DataOf<Definition>, 'changes' | 'manifest' | 'objects' | 'list'>

export type DataOf<Definition> = Definition extends EventDefinition<infer Shape> ? z.infer<Shape> : never

const NEWEST: ReadonlyMap<string, EventDefinition> = new Map(CATALOG.map((definition) => [definition.type, definition]))

export function definitionOf(type: string): EventDefinition | undefined {
  return NEWEST.get(type)
}

const CARRIERS: ReadonlySet<string> = new Set(
  CATALOG.filter(({ data }) => data instanceof z.ZodObject && 'changes' in data.shape).map(
    (definition) => definition.type,
  ),
)

/**
 * Whether events of a type change files. An event of an unknown type never does, whatever it claims: nobody has checked
 * its shape.
 */
export function carriesChanges(type: string): boolean {
  return CARRIERS.has(type)
}
