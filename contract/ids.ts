import { z } from 'zod'

/** A DNS label: safe as a host name, a folder name and a part of a subject, so that no id ever needs escaping. */
export const LABEL_PATTERN = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/

const label = (what: string) =>
  z
    .string()
    .regex(LABEL_PATTERN, `${what} must be 1–40 of a–z, 0–9 and "-", starting and ending with a letter or digit`)

export const UserId = label('a user id').brand<'UserId'>()
export type UserId = z.infer<typeof UserId>

export const ComputerId = label('a computer id').brand<'ComputerId'>()
export type ComputerId = z.infer<typeof ComputerId>

export const ComputerName = label("a computer's name").brand<'ComputerName'>()
export type ComputerName = z.infer<typeof ComputerName>

export const EventId = z.uuidv7().brand<'EventId'>()
export type EventId = z.infer<typeof EventId>

export const RunId = label('a run id').brand<'RunId'>()
export type RunId = z.infer<typeof RunId>

export const WorkId = label('a work item id')
export const TaskId = label('a task id')
export const CallId = label('a call id')
export const QuestionId = label('a question id')
export const LeaseId = label('a lease id')
export const ApprovalId = label('an approval id')
export const ConversationId = label('a conversation id')
export const WindowId = label('a window id')
export const NoteId = label('a note id')

const SHA256_PATTERN = /^[0-9a-f]{64}$/

export const Hash = z.string().regex(SHA256_PATTERN, 'must be a SHA-256 in lower-case hex').brand<'Hash'>()
/** SHA-256 of an event, a tree or an object, in lower-case hex. */
export type Hash = z.infer<typeof Hash>

export const Seq = z.number().int().positive().brand<'Seq'>()
export type Seq = z.infer<typeof Seq>

/** What the first event of a log names as its predecessor. */
export const NO_HASH = '0'.repeat(64) as Hash

const LABEL_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** A fresh opaque label of 80 bits. Randomness is the caller's, so that a simulation can repeat it. */
export function labelFrom(randomBytes: Uint8Array): string {
  return Array.from(randomBytes.subarray(0, 16), (byte) => LABEL_ALPHABET[byte % 32]).join('')
}

/** A UUIDv7 from a time in milliseconds and ten random bytes. */
export function eventIdFrom(timeMs: number, randomBytes: Uint8Array): EventId {
  const hex = Buffer.from(randomBytes.buffer, randomBytes.byteOffset, 10).toString('hex')
  const time = timeMs.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(hex[3] as string, 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}` as EventId
}
