import { z } from 'zod'
import { BudgetCap, BudgetReserve, BudgetSettle, FirstBudgetReserve } from './events/account.ts'
import { type EventDefinition } from './events/define.ts'
import {
  BaseInstall,
  Erase,
  FileChange,
  FirstErase,
  FirstUndo,
  LogRecover,
  Restore,
  RunLand,
  Undo,
} from './events/files.ts'
import { Checkpoint, Fork } from './events/points.ts'
import {
  FirstRunCancel,
  FirstRunStart,
  Health,
  ReceiptVerifier,
  RunAnswer,
  RunCancel,
  RunDiscard,
  RunRevert,
  RunStart,
  TaskRequest,
  TaskResult,
  ToolCall,
  ToolResult,
  WorkClose,
  WorkCreate,
} from './events/runs.ts'
import {
  ConversationStart,
  FirstMessage,
  FirstQuestionAnswer,
  FirstQuestionAsk,
  Message,
  QuestionAnswer,
  QuestionAsk,
  SecondMessage,
} from './events/talk.ts'
import { WindowClose, WindowOpen, WindowSettle } from './events/windows.ts'

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
  BaseInstall,
  FileChange,
  RunLand,
  FirstUndo,
  Undo,
  Restore,
  FirstErase,
  Erase,
  LogRecover,
  ConversationStart,
  FirstMessage,
  SecondMessage,
  Message,
  FirstQuestionAsk,
  QuestionAsk,
  FirstQuestionAnswer,
  QuestionAnswer,
  WorkCreate,
  WorkClose,
  FirstRunStart,
  RunStart,
  TaskRequest,
  TaskResult,
  ToolCall,
  ToolResult,
  RunAnswer,
  RunDiscard,
  FirstRunCancel,
  RunCancel,
  RunRevert,
  ReceiptVerifier,
  Health,
  FirstBudgetReserve,
  BudgetReserve,
  BudgetSettle,
  BudgetCap,
  Checkpoint,
  Fork,
  WindowOpen,
  WindowClose,
  WindowSettle,
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
