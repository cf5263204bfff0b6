/** Decides who may write a computer. Nothing else does; logs refuse a writer with an older epoch. Rules: SPEC.md. */
export interface Ownership {
  /** Rejects with `computer.held` while somebody holds it. */
  take(computer: string): Promise<Lease>
  /** Lets go of everything that is still held. */
  close(): Promise<void>
}

/** The right to write one computer, until it is released or lost. */
export interface Lease {
  /** Not lower than the epoch of any earlier lease on this computer, and higher than that of every earlier holder. */
  readonly epoch: number
  /**
   * Aborts when somebody else may hold the computer by now. The former holder stops; if it does not, the log refuses
   * it.
   */
  readonly lost: AbortSignal
  release(): Promise<void>
}
