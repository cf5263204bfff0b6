import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '@choiros/contract/canonical.ts'
import { Change } from '@choiros/contract/change.ts'
import { RunDraft, RunDraftDrop } from '@choiros/contract/events/runs.ts'
import { Hash, RunId, Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { Computer } from './computer.ts'
import { agentDraft } from './drafts.ts'
import { PLACES } from './places.ts'
import { DISK_RESERVE_BYTES, roomAt } from './room.ts'

/** What stood in a stage: the changes, and the bytes they brought. */
export interface KeptStage {
  /** The event that the stage's tree was made from. */
  readonly base: Seq
  readonly changes: readonly Change[]
  readonly objects: ReadonlyMap<Hash, ObjectBytes>
}

/**
 * The stages of runs that did not land, outside of the tree (L4): the next attempt can begin where they ended. Each is
 * one file, named in the log by its hash; they are few, and the oldest go first.
 */
export interface RunDrafts {
  /**
   * What stands in the stage of a run at work. It is what is left of it, should everything end now. Where it cannot be
   * kept, the run goes on without.
   */
  save(run: RunId, stage: KeptStage): void
  /** Makes what was saved last a draft, once its run has ended without landing. */
  keep(run: RunId): Promise<void>
  /** The same for all that a crash left between the two. */
  keepLeft(): Promise<void>
  read(run: RunId): KeptStage | null
  /** Forgets it, because it landed after all, or because the person said so. */
  drop(run: RunId): Promise<void>
  /** Forgets those that hold what the person had erased for good, or what was made of it. */
  dropErased(): Promise<void>
}

const Stored = z.strictObject({
  base: Seq,
  changes: z.array(Change).max(LIMITS.changesMax),
  objects: z.record(Hash, z.base64()),
})

const BYTES_MAX = 16 * 1024 * 1024
const KEPT_MAX = 20
const BYTES_IN_ALL_MAX = 64 * 1024 * 1024
const PARTIAL = '.partial'
/** Files that a disk must still take. */
const FILES_LEFT_MIN = 64

export function openRunDrafts(computer: Computer): RunDrafts {
  const folder = join(computer.folder, PLACES.drafts)
  const fileOf = (run: RunId) => join(folder, `${run}.json`)

  const read: RunDrafts['read'] = (run) => {
    if (!existsSync(fileOf(run))) return null
    const text = readFileSync(fileOf(run), 'utf8')
    const known = computer.queries.run(run)?.draft
    // What is not what the log names is nobody's draft.
    if (known != null && known.draft !== sha256(text)) return null
    return parse(text)
  }
  const drop: RunDrafts['drop'] = async (run) => {
    rmSync(fileOf(run), { force: true })
    await computer.append(({ state }) =>
      state.run(run)?.draft == null ? null : { draft: agentDraft(computer, run, RunDraftDrop, {}, 'system') },
    )
  }
  const prune = async (): Promise<void> => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
    const kept = files
      .map((name) => ({ run: RunId.safeParse(name.slice(0, -'.json'.length)), stat: statSync(join(folder, name)) }))
      .sort((a, b) => b.stat.mtimeMs - a.stat.mtimeMs)
    let bytes = 0
    for (const [index, { run, stat }] of kept.entries()) {
      bytes += stat.size
      if (run.success && (index >= KEPT_MAX || bytes > BYTES_IN_ALL_MAX)) await drop(run.data)
    }
  }

  const dropErased = async (): Promise<void> => {
    const isErased = (object: Hash | null | undefined) =>
      object != null && computer.queries.whyErased(object) === 'content'
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const run = RunId.safeParse(name.slice(0, -'.json'.length))
      if (!run.success || !name.endsWith('.json')) continue
      const stage = parse(readFileSync(fileOf(run.data), 'utf8'))
      if (stage?.changes.some(({ from, to }) => isErased(from?.object) || isErased(to?.object))) await drop(run.data)
    }
  }

  const keep: RunDrafts['keep'] = async (run) => {
    if (!existsSync(fileOf(run))) return
    const text = readFileSync(fileOf(run), 'utf8')
    const stage = parse(text)
    if (stage === null) return rmSync(fileOf(run), { force: true })
    const data = { draft: sha256(text), files: stage.changes.length, bytes: text.length, base: stage.base }
    await computer.append(({ state }) =>
      state.run(run) === null || state.run(run)?.status === 'landed'
        ? null
        : { draft: agentDraft(computer, run, RunDraft, data, 'system') },
    )
    await prune()
  }

  return {
    save(run, { base, changes, objects }) {
      if (changes.length === 0) return rmSync(fileOf(run), { force: true })
      const named = new Set(changes.map(({ to }) => to?.object))
      const brought = [...objects.values()].filter(({ hash }) => named.has(hash))
      // Known before it is written down: that takes long, and nobody is answered meanwhile.
      const inBase64 = brought.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 3) * 4, 0)
      if (inBase64 > BYTES_MAX) return rmSync(fileOf(run), { force: true })
      const text = JSON.stringify({
        base,
        changes,
        objects: Object.fromEntries(brought.map(({ hash, bytes }) => [hash, Buffer.from(bytes).toString('base64')])),
      })
      if (text.length > BYTES_MAX) return rmSync(fileOf(run), { force: true })
      const { bytes: free, files } = roomAt(computer.folder)
      // What is kept free is for the person: a draft may not take it.
      if (free - text.length < DISK_RESERVE_BYTES || files <= FILES_LEFT_MIN) return
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        // Renamed into place, so that there is the old one or the new one; what a power failure takes is only a draft.
        writeFileSync(`${fileOf(run)}${PARTIAL}`, text, { mode: 0o600 })
        renameSync(`${fileOf(run)}${PARTIAL}`, fileOf(run))
      } catch {
        rmSync(`${fileOf(run)}${PARTIAL}`, { force: true }) // The disk fails: the log says so, if it matters.
      }
    },
    keep,
    async keepLeft() {
      for (const name of existsSync(folder) ? readdirSync(folder) : []) {
        const run = RunId.safeParse(name.slice(0, -'.json'.length))
        const known = run.success && name.endsWith('.json') ? computer.queries.run(run.data) : null
        if (known?.draft === null && (known.status === 'discarded' || known.status === 'cancelled'))
          await keep(known.run)
        else if (known?.draft == null) rmSync(join(folder, name), { force: true })
      }
      await dropErased()
    },
    read,
    drop,
    dropErased,
  }
}

function parse(text: string): KeptStage | null {
  try {
    const { base, changes, objects } = Stored.parse(JSON.parse(text))
    const brought = Object.entries(objects).map(([hash, base64]): [Hash, ObjectBytes] => {
      const bytes = Buffer.from(base64, 'base64')
      const own = sha256(bytes)
      if (own !== hash) throw new Error(`the bytes of ${hash} are others`)
      return [own, { hash: own, bytes }]
    })
    return { base, changes, objects: new Map(brought) }
  } catch {
    return null // Damaged, or of another release: a draft is no record, and nothing is lost with it.
  }
}
