import { FileChange, RunLand } from '@choiros/contract/events/files.ts'
import { Checkpoint } from '@choiros/contract/events/points.ts'
import { ReceiptVerifier, RunDiscard, RunStart } from '@choiros/contract/events/runs.ts'
import { Message } from '@choiros/contract/events/talk.ts'
import { Undo } from '@choiros/contract/events/files.ts'
import { TaskRequest, TaskResult } from '@choiros/contract/events/runs.ts'
import { WindowClose, WindowOpen, WindowSettle } from '@choiros/contract/events/windows.ts'
import type { EventDefinition } from '@choiros/contract/events/define.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Source, Via } from '@choiros/contract/event.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import { word } from './content.ts'
import type { Edited, HistoryFiles } from './history-files.ts'
import type { Random } from './random.ts'

export interface Happening {
  readonly definition: EventDefinition
  readonly data: Record<string, unknown>
  readonly source: Source
  readonly via: Via
  readonly run?: RunId
  readonly edited?: Edited
  /** This event undoes the event before it. */
  readonly undoesLast?: boolean
}

const CHECKPOINT_EVERY = 100_000
const WINDOWS = 12

/** An endless day at a computer: edits by hand, windows, talk, and runs from wish to landing. */
export function* happenings(random: Random, files: HistoryFiles): Generator<Happening> {
  let count = 0
  let days = 0
  for (;;) {
    const kind = random.whole(1000)
    if (++count % CHECKPOINT_EVERY === 0)
      yield bySystem(Checkpoint, { name: `day ${++days}`, kind: 'user', tree: aTree(count) })
    if (kind < 330) yield byUser('desktop', FileChange, {}, files.work(1))
    else if (kind < 450) yield byUser('cli', FileChange, {}, files.work(random.chance(0.03) ? 5 + random.whole(30) : 1))
    else if (kind < 455) yield* changeAndUndo(random, files)
    else if (kind < 720) yield aWindow(random, kind)
    else if (kind < 960)
      yield byUser('desktop', Message, {
        role: random.pick(['user', 'director']),
        text: aSentence(random, 25),
        object: null,
      })
    else yield* aRun(random, files, count)
  }
}

function byUser(via: Via, definition: EventDefinition, data: Record<string, unknown>, edited?: Edited): Happening {
  return { definition, data, source: 'user', via, ...(edited && { edited }) }
}

function bySystem(definition: EventDefinition, data: Record<string, unknown>): Happening {
  return { definition, data, source: 'system', via: 'system' }
}

function* changeAndUndo(random: Random, files: HistoryFiles): Generator<Happening> {
  const edited = files.work(1)
  if (edited.changes.some((change) => change.from === null || change.to === null))
    return yield byUser('cli', FileChange, {}, edited)
  yield byUser('cli', FileChange, {}, edited)
  const changes = files.inverse(edited.changes)
  const data = { kind: 'event', tree: aTree(random.whole(1e9)), windows: null }
  yield { ...byUser('cli', Undo, data, { changes, objects: [] }), undoesLast: true }
}

function aWindow(random: Random, kind: number): Happening {
  const window = `window-${random.whole(WINDOWS)}`
  if (kind < 490) return byUser('desktop', WindowOpen, { window, app: word(kind), title: aSentence(random, 3) })
  if (kind < 510) return byUser('desktop', WindowClose, { window })
  const fraction = () => random.whole(1000) / 1000
  const geometry = { x: fraction(), y: fraction(), width: fraction(), height: fraction(), state: 'normal' }
  return byUser('desktop', WindowSettle, { window, device: random.chance(0.9) ? 'wide' : 'narrow', geometry })
}

function* aRun(random: Random, files: HistoryFiles, count: number): Generator<Happening> {
  const run = `run-${count}` as RunId
  const byAgent = (definition: EventDefinition, data: Record<string, unknown>, edited?: Edited): Happening => {
    const happening = { definition, data, run, source: 'agent', via: 'agent' } as const
    return edited === undefined ? happening : { ...happening, edited }
  }
  yield { ...byUser('desktop', Message, { role: 'user', text: aSentence(random, 12), object: null }), run }
  yield { ...bySystem(RunStart, { base: Math.max(1, count) }), run }
  yield byAgent(TaskRequest, { task: `task-${count}`, kind: 'edit_repo', instruction: aSentence(random, 30) })
  yield byAgent(TaskResult, { task: `task-${count}`, status: 'ok', summary: aSentence(random, 20) })
  const tree = aTree(count)
  const ok = random.chance(0.9)
  for (const verifier of ['types', 'tests'])
    yield {
      ...bySystem(ReceiptVerifier, { tree, verifier, ok, report: null, selfReported: false, means: 'reading' }),
      run,
    }
  if (ok) yield byAgent(RunLand, { tree, summary: aSentence(random, 12) }, files.work(2 + random.whole(10)))
  else yield { ...bySystem(RunDiscard, { reason: 'a verifier refused it' }), run }
  yield byAgent(Message, { role: 'director', text: aSentence(random, 12), object: null, offers: [] })
}

/**
 * A made-up tree hash. No reducer compares it with the files, and hashing 10,000 files for each landing would take an
 * hour.
 */
function aTree(count: number): string {
  return sha256(`tree ${count}`)
}

function aSentence(random: Random, words: number): string {
  return Array.from({ length: words }, () => word(random.whole(1000))).join(' ')
}
