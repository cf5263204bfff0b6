import type { Draft } from '@choiros/contract/event.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import type { Computer } from '../computer/computer.ts'

/** An event of a run: what an agent did, or what the supervisor found about it. */
export function agentDraft(
  computer: Computer,
  run: RunId,
  definition: { type: string; version: number },
  data: Record<string, unknown>,
  source: 'agent' | 'system' = 'agent',
): Draft {
  return { type: definition.type, version: definition.version, data, user: computer.user, source, via: source, run, cause: null }
}
