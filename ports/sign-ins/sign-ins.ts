import type { ComputerId, UserId } from '@choiros/contract/ids.ts'

/** One sign-in on one browser. The label is the desktop's host name: fresh, unguessable, and invalid after sign-out. */
export interface SignIn {
  readonly user: UserId
  readonly label: string
  /** Which of their computers this browser looks at; null: the first. */
  readonly computer: ComputerId | null
  readonly createdMs: number
  readonly seenMs: number
}

/** Who is signed in where. Secrets are kept by hash only. Rules: SPEC.md. */
export interface SignIns {
  add(secretHash: string, session: SignIn): void
  bySecret(secretHash: string): SignIn | null
  byLabel(label: string): SignIn | null
  seen(secretHash: string, nowMs: number): void
  /** Another host name for the same sign-in; the old one does not work any more. */
  relabel(secretHash: string, label: string): void
  /** Another computer for the same sign-in, with a host name of its own. */
  choose(secretHash: string, computer: ComputerId, label: string): void
  remove(secretHash: string): void
  /** Removes sign-ins that were last seen before `ms`. */
  removeOlder(ms: number): void
  close(): void
}
