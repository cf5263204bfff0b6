import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import { assert, ChoirError, hasCode } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { comparePaths, foldersAbove, linkProblem, pathProblem, type TreePath } from '@choiros/contract/path.ts'
import type { ModelAnswer, ModelRequest } from '@choiros/contract/models.ts'
import type { Remembered } from '@choiros/contract/memory-view.ts'
import type {
  PlanItem,
  SentBack,
  SyscallInput,
  SyscallOutput,
  TaskContext,
  VerifierReport,
} from '@choiros/contract/syscalls.ts'
import type { AssociateResult, DirectorTask, Tool } from '@choiros/contract/tasks.ts'
import { diffTrees, type TreeMap } from '@choiros/core/tree.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { Collected, Sandbox, SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import { openSyscallSocket } from './syscall-socket.ts'
import { createTaskClock } from './task-clock.ts'

/** What stands in a stage, as the host read it. */
export interface Staged {
  readonly changes: readonly Change[]
  readonly objects: ReadonlyMap<Hash, ObjectBytes>
}

/** What no tree can hold, in words for whoever left it in the stage: they can mend it. */
interface Unreadable {
  readonly problem: string
}

export interface StageOptions {
  readonly host: SandboxHost
  readonly name: string
  readonly socketFile: string
  /** The read-only folder of the tree the task starts from, and what is in it. */
  readonly folder: string
  readonly tree: TreeMap
  /** The folder that the stage is filled with, where an earlier attempt left more than the tree; null: the tree. */
  readonly start: { readonly folder: string; readonly paths: readonly string[] } | null
  /**
   * The folder with the packages that the desktop may import. With them the Associate can run the verifiers' own
   * programs on its work.
   */
  readonly packages: string
  readonly browser: string | null
  readonly task: DirectorTask
  /** What the verifiers said about the attempt before. */
  readonly reports: readonly VerifierReport[]
  readonly context: TaskContext
  readonly signal: AbortSignal
  readonly warn: (message: string, cause?: unknown) => void
  model(request: ModelRequest): Promise<ModelAnswer>
  heard(): string[]
  /** What is running short besides its own time. */
  warnings(): string[]
  /** What is remembered, and a note that the Associate wants to last. */
  memory(): Remembered[]
  note(proposal: SyscallInput<'note.add'>): Promise<SyscallOutput<'note.add'>>
  /** Judges what stands in the stage when the Associate says that it is done. What is sent back goes on in it. */
  finished(result: AssociateResult, staged: Staged | Unreadable): Promise<SentBack | null>
  planned(items: readonly PlanItem[]): Promise<void>
  /** Refuses what this task may not use. */
  toolBegan(call: { call: string; tool: Tool; summary: string }): Promise<void>
  toolEnded(
    call: { call: string; ok: boolean; summary: string },
    staged: Staged | Unreadable,
  ): Promise<{ files: number; stage: Hash | null }>
}

export interface StageEnd {
  /** Why the Associate ended without its work being judged; null: it was, by `finished`. */
  readonly why: string | null
  /** What stands in the stage in the end, or stood there when it could last be read; null: it never could. */
  readonly staged: Staged | null
}

const MEBIBYTE = 1024 * 1024
const STAGE_BYTES = 512 * MEBIBYTE
const COLLECT_BYTES_MAX = 64 * MEBIBYTE
const COLLECT_MS = 60_000
const OUTPUT_BYTES_MAX = MEBIBYTE
/** A task's own clock is shorter; this ends what would outlive even its run. */
const LONGEST_MS = 60 * 60 * 1000

/**
 * Makes a private copy of a tree in a sandbox of its own, lets an Associate work on it, and reads what it left there.
 * The copy exists only inside; the host reads it through the guest agent and believes nothing that it has not hashed
 * itself. When this returns, the sandbox is gone.
 */
export async function workOnStage(options: StageOptions): Promise<StageEnd> {
  const { host, task, tree, signal } = options
  let isJudged = false
  let isOver = false
  let calls = 0
  let plans = 0
  const clock = createTaskClock(task.time_budget_s * 1000)
  /** Calls that have begun and not ended. An end without a beginning would fill the log without limit (L11). */
  const open = new Set<string>()
  let sandbox: Sandbox | null = null
  /** The stage's objects when it was last read: their bytes need not travel again. */
  let seen: Staged['objects'] = new Map()
  let last: Staged | null = null
  const staged = async (): Promise<Staged | Unreadable> => {
    assert(sandbox !== null, 'the Associate speaks only from inside')
    try {
      last = await readStage(sandbox, tree, seen)
    } catch (error) {
      // One symlink that leads out must not take everything else with it: whoever made it is told, and can remove it.
      if (!hasCode(error, 'link.outside') && !hasCode(error, 'quota.exceeded')) throw error
      return { problem: error.message }
    }
    seen = last.objects
    return last
  }
  const inTheEnd = async () => {
    await staged()
    return last
  }
  const socket = await openSyscallSocket(
    options.socketFile,
    'associate',
    {
      'task.get': async () => ({
        task,
        reports: [...options.reports],
        draft: [...(options.start?.paths ?? [])],
        context: options.context,
        memory: options.memory(),
      }),
      'note.add': options.note,
      'task.plan': async ({ items }) => {
        if (++plans > LIMITS.plansPerTaskMax)
          throw new ChoirError('syscall.refused', `a plan may change at most ${LIMITS.plansPerTaskMax} times`)
        await options.planned(items)
        return {}
      },
      'model.stream': (request) => clock.standing(() => options.model(request)),
      'work.heard': async () => ({ said: options.heard(), warnings: [...clock.warnings(), ...options.warnings()] }),
      'tool.begin': async (call) => {
        if (++calls > LIMITS.callsPerTaskMax)
          throw new ChoirError('syscall.refused', `a task may use at most ${LIMITS.callsPerTaskMax} tools`)
        if (open.has(call.call)) throw new ChoirError('syscall.refused', `the call ${call.call} has begun already`)
        open.add(call.call)
        try {
          await options.toolBegan(call)
        } catch (error) {
          open.delete(call.call) // It has not begun, so it has no end either.
          throw error
        }
        return {}
      },
      'tool.end': async (call) => {
        if (!open.delete(call.call)) throw new ChoirError('syscall.refused', `no call ${call.call} is at work`)
        const now = await staged()
        const bad = 'problem' in now
        const ended = await options.toolEnded(bad ? { ...call, ok: false, summary: now.problem } : call, now)
        if (bad) throw new ChoirError('request.invalid', `${now.problem}; nothing can land while that is so`)
        return ended
      },
      'task.finish': (given) => {
        if (given.task_id !== task.task_id) throw new ChoirError('syscall.refused', 'this is another task')
        if (isJudged) throw new ChoirError('syscall.refused', 'this task is over')
        return clock.standing(async () => {
          const again = await options.finished(given, await staged())
          isJudged = again === null
          return { again }
        })
      },
    },
    // A call that was still at work when its sandbox was ended cannot end well: nothing to wonder about.
    (message, cause) => (isOver ? undefined : options.warn(message, cause)),
  )
  const kill = () => {
    isOver = true
    void sandbox?.kill()
  }
  try {
    signal.throwIfAborted()
    sandbox = await host.create({
      name: options.name,
      role: 'associate',
      mounts: [
        { host: options.folder, guest: '/base' },
        { host: options.packages, guest: '/node_modules' },
        ...(options.start === null ? [] : [{ host: options.start.folder, guest: '/start' }]),
      ],
      scratch: [{ guest: '/stage', bytesMax: STAGE_BYTES }],
      syscallSocket: socket.file,
    })
    signal.addEventListener('abort', kill, { once: true })
    signal.throwIfAborted()
    const ended = sandbox.exec({
      command: [
        '/bin/sh',
        '-c',
        `cp -a ${options.start === null ? '/base' : '/start'}/. /stage/ && exec /opt/choir/node /opt/choir/agents/associate.mjs`,
      ],
      cwd: '/stage',
      environment: { CHOIR_BROWSER: options.browser ?? 'none' },
      wallClockMs: LONGEST_MS,
      outputBytesMax: OUTPUT_BYTES_MAX,
    })
    const end = await Promise.race([ended, clock.timeUp])
    signal.throwIfAborted()
    if (isJudged) return { why: null, staged: await inTheEnd() }
    const why =
      end === null || end.end === 'timed-out'
        ? `it worked longer than ${task.time_budget_s} s, the time in which a model thought not counted`
        : `it ended with ${end.exitCode ?? end.end}: ${end.output.toString('utf8').slice(-800)}`
    return { why, staged: await inTheEnd() }
  } finally {
    isOver = true
    clock.close()
    signal.removeEventListener('abort', kill)
    socket.close()
    await sandbox?.kill()
  }
}

async function readStage(sandbox: Sandbox, base: TreeMap, seen: Staged['objects']): Promise<Staged> {
  const sizes = new Map<string, number>([...seen].map(([hash, { bytes }]) => [hash, bytes.length]))
  for (const entry of base.values()) if (entry.kind === 'file') sizes.set(entry.object, entry.size)
  const collected = await sandbox.collect({
    root: '/stage',
    known: new Set(sizes.keys()),
    filesMax: LIMITS.treeFilesMax,
    bytesMax: COLLECT_BYTES_MAX,
    wallClockMs: COLLECT_MS,
  })
  const objects = new Map<Hash, ObjectBytes>()
  const found = new Map<TreePath, Entry>()
  for (const item of collected) {
    if (pathProblem(item.path) !== null) continue // Not a path that a tree can hold: it stays behind in the stage.
    found.set(item.path as TreePath, toEntry(item, { sizes, seen, objects }))
  }
  for (const path of found.keys())
    if (foldersAbove(path).some((above) => (found.get(above as TreePath)?.kind ?? 'folder') !== 'folder'))
      throw new ChoirError(
        'sandbox.unavailable',
        `the sandbox sent nonsense: ${path} lies in something that is no folder`,
      )
  // A folder that holds something needs no entry of its own, but one that has an entry in the base must not seem
  // deleted.
  for (const [path, entry] of base)
    if (entry.kind === 'folder' && !found.has(path) && [...found.keys()].some((other) => other.startsWith(`${path}/`)))
      found.set(path, entry)
  const sorted = new Map([...found].sort(([a], [b]) => comparePaths(a, b)))
  return { changes: diffTrees(base, sorted), objects }
}

interface Known {
  readonly sizes: ReadonlyMap<string, number>
  readonly seen: Staged['objects']
  readonly objects: Map<Hash, ObjectBytes>
}

function toEntry({ path, kind, mode, hash, bytes }: Collected, { sizes, seen, objects }: Known): Entry {
  if (kind === 'folder') return { kind, mode: '755', object: null, size: 0 }
  if (bytes === null) {
    const size = hash === null ? undefined : sizes.get(hash)
    assert(
      kind === 'file' && hash !== null && size !== undefined && mode !== '777',
      'the port gives bytes or a known hash',
    )
    const again = seen.get(hash as Hash)
    if (again !== undefined) objects.set(again.hash, again)
    return { kind, mode, object: hash as Hash, size }
  }
  if (kind === 'symlink') {
    const problem = linkProblem(path, bytes.toString('utf8'))
    if (problem !== null) throw new ChoirError('link.outside', `the target of the symlink ${path} ${problem}`)
  }
  const object = sha256(bytes)
  objects.set(object, { hash: object, bytes })
  return kind === 'symlink'
    ? { kind, mode: '777', object, size: bytes.length }
    : { kind, mode: mode === '755' ? '755' : '644', object, size: bytes.length }
}
