import type { DraftData } from '@choiros/contract/catalog.ts'
import type { EventDefinition } from '@choiros/contract/events/define.ts'
import type { Draft } from '@choiros/contract/event.ts'
import type { EventId, RunId } from '@choiros/contract/ids.ts'
import { clipWords } from '@choiros/contract/shape.ts'
import type { Computer } from './computer.ts'

/**
 * An event of a run: what an agent did, or what the supervisor found about it. All words of guests and models enter the
 * log here, and are cut to what an event may hold.
 */
export function agentDraft<Definition extends EventDefinition>(
  computer: Computer,
  run: RunId,
  definition: Definition,
  data: DraftData<Definition>,
  source: 'agent' | 'system' = 'agent',
  cause: EventId | null = null,
): Draft {
  return {
    type: definition.type,
    version: definition.version,
    data: clipWords(definition, data),
    user: computer.user,
    source,
    via: source,
    run,
    cause,
  }
}
