import type { StoredEvent } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { ObjectBytes } from '../objects/objects.ts'

/** One file that holds a whole computer: its log and every object the log names. Rules: SPEC.md. */
export interface ExportWriter {
  add(events: readonly StoredEvent[], objects: readonly ObjectBytes[]): void
  /** The file is whole and on disk when this returns. */
  finish(card: unknown): void
  abandon(): void
}

export interface ExportReader {
  readonly card: unknown
  readonly events: number
  read(from: { after: number; limit: number }): Promise<StoredEvent[]>
  object(hash: Hash): Promise<Buffer | null>
  close(): void
}
