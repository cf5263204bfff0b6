import type { Duplex } from 'node:stream'

/** What runs in a sandbox; this decides what it may reach. */
type SandboxRole = 'director' | 'desk' | 'associate' | 'verifier' | 'eyes'

/** A folder or file of the host, seen read-only inside. The host alone writes it. */
export interface Mount {
  readonly host: string
  readonly guest: string
}

/** A folder that exists only inside and only as long as the sandbox. */
interface Scratch {
  readonly guest: string
  readonly bytesMax: number
}

export interface SandboxSpec {
  /** Names the sandbox in lists; a DNS label. */
  readonly name: string
  readonly role: SandboxRole
  readonly mounts: readonly Mount[]
  readonly scratch: readonly Scratch[]
  /**
   * The host's socket that is this sandbox's identity; seen inside at /run/choir.sock, read-only. Null for a desk and a
   * verifier.
   */
  readonly syscallSocket: string | null
}

export interface ExecSpec {
  readonly command: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly wallClockMs: number
  readonly outputBytesMax: number
}

type ExecEnd = 'exited' | 'timed-out' | 'killed'

export interface ExecResult {
  readonly end: ExecEnd
  readonly exitCode: number | null
  /** Standard output and error as they came, cut at the limit. Untrusted. */
  readonly output: Buffer
  readonly truncated: boolean
}

export interface CollectSpec {
  /** A folder inside. */
  readonly root: string
  /** Objects the host has already, by hash. */
  readonly known: ReadonlySet<string>
  readonly filesMax: number
  /** Bytes of everything that is not known. */
  readonly bytesMax: number
  readonly wallClockMs: number
}

/**
 * What stood at a path inside. `bytes` is null for a folder, and where the guest says that the host knows the object:
 * then `hash` is one of those that the host named.
 */
export interface Collected {
  readonly path: string
  readonly kind: 'file' | 'symlink' | 'folder'
  readonly mode: '644' | '755' | '777'
  readonly hash: string | null
  readonly size: number
  readonly bytes: Buffer | null
}

/** A running sandbox with a guest agent. Every byte that comes out of it is untrusted. */
export interface Sandbox {
  readonly name: string
  readonly role: SandboxRole
  exec(spec: ExecSpec): Promise<ExecResult>
  /** Every entry below a folder inside. Rejects where there is more than the limits allow. */
  collect(spec: CollectSpec): Promise<Collected[]>
  /** A raw connection to a port inside. */
  dial(port: number): Promise<Duplex>
  /** Resolves when the sandbox is gone, however it ended, with the last that it said. */
  readonly ended: Promise<{ reason: string }>
  /** Leaves no process and no mount. */
  kill(): Promise<void>
}

/** For the supervisor alone. Rules: SPEC.md. */
export interface SandboxHost {
  create(spec: SandboxSpec): Promise<Sandbox>
  /**
   * Runs one command with no agent inside: the host takes exit code and output from its own pipes. The signal kills it
   * early.
   */
  runOnce(spec: SandboxSpec, exec: ExecSpec, signal?: AbortSignal): Promise<ExecResult>
  /** Sandboxes with an agent that are running now. */
  list(): readonly { name: string; role: SandboxRole }[]
  /** What this machine can do, in words, for the person. */
  readonly isolation: string
  close(): Promise<void>
}
