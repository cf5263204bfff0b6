import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { Hash, type ComputerId } from '@choiros/contract/ids.ts'
import type { Head } from '@choiros/ports/event-log/event-log.ts'
import { fsyncPath } from './durable-file.ts'
import type { Signer } from './signing.ts'

/**
 * How far a computer's log had got, kept outside of the computer's own folder and marked with the home's key. It
 * contradicts an older copy of the whole folder that was put in the place of the present one.
 */
export interface HeadRecord {
  /**
   * Called before anyone is told that something is saved. Not fsynced: a kill cannot undo it, and after a power cut the
   * signed heads remain.
   */
  note(head: Head): void
  /** Null where there is none, or none that this home has marked. */
  newest(): Head | null
  /** On disk when it returns. */
  settle(): void
  close(): void
}

/** The slots are written in turns: a power cut while one is written leaves the other. */
const SLOTS = 2
const SLOT_BYTES = 256

const Slot = z.strictObject({ seq: z.number().int().positive(), hash: Hash, mark: z.string() })

export function openHeadRecord(file: string, computer: ComputerId, signer: Pick<Signer, 'mark'>): HeadRecord {
  let handle: number | null = null
  let turn = 0
  const textOf = ({ seq, hash }: Head) => `${computer} ${seq} ${hash}`
  const readSlot = (text: string): Head | null => {
    const slot = parseSlot(text)
    return slot !== null && signer.mark(textOf(slot)) === slot.mark ? { seq: slot.seq, hash: slot.hash } : null
  }
  return {
    note(head) {
      try {
        handle ??= openForWriting(file)
        const text = JSON.stringify({ seq: head.seq, hash: head.hash, mark: signer.mark(textOf(head)) }).padEnd(
          SLOT_BYTES - 1,
        )
        writeSync(handle, `${text}\n`, turn * SLOT_BYTES)
        turn = (turn + 1) % SLOTS
      } catch {
        // There is one witness less, for example on a full disk. The log itself is whole.
      }
    },
    newest() {
      const text = readText(file)
      const heads = Array.from({ length: SLOTS }, (_, slot) =>
        readSlot(text.slice(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES)),
      )
      return heads.reduce((newest, head) => (head !== null && head.seq > (newest?.seq ?? 0) ? head : newest), null)
    },
    settle() {
      if (handle === null) return
      fsyncSync(handle)
      fsyncPath(dirname(file))
    },
    close() {
      if (handle !== null) closeSync(handle)
      handle = null
    },
  }
}

/** In place, so that it needs no room on a full disk. */
function openForWriting(file: string): number {
  closeSync(openSync(file, 'a', 0o600))
  return openSync(file, 'r+')
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function parseSlot(text: string): z.infer<typeof Slot> | null {
  try {
    return Slot.parse(JSON.parse(text))
  } catch {
    return null
  }
}
