/**
 * Who may write a computer. This is the one place that says so; logs refuse whoever comes with an older epoch. Rules:
 * SPEC.md.
 */
export interface Ownership {
  /** Rejects with `computer.held` while somebody holds it. */
  take(computer: string): Promise<Lease>
  /** Lets go of everything that is still held. */
  close(): Promise<void>
}

/** The right to write one computer, until it is released or lost. */
export interface Lease {
  /** Not lower than that of any lease on this computer before it, and higher than that of every other holder. */
  readonly epoch: number
  /** Aborts when somebody else may hold it by now. Whoever held it stops; the log sees to it that they do. */
  readonly lost: AbortSignal
  release(): Promise<void>
}
