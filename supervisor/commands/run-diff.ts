import { ToolResult } from '@choiros/contract/events/runs.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent } from '@choiros/contract/event.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { shownPath } from '@choiros/contract/path.ts'
import type { FileDiff, RunDiff } from '@choiros/contract/run-diff.ts'
import { parseManifest } from '@choiros/core/facts.ts'
import { diffTexts, doesWhat, noteOn, tellChanges, type FileChange } from '@choiros/core/merge/diff-view.ts'
import { toText } from '@choiros/core/merge/merge.ts'
import type { Computer } from '../computer/computer.ts'
import { changesOf } from '../history/facts.ts'
import type { ComputerCommand } from './context.ts'

/** How many events before a run's end its last tool is looked for: the person may have written a lot meanwhile. */
const LOOKED_BACK_MAX = 20_000
const PAGE_EVENTS = 200

/** What a run changed, file by file; with a path, that file line by line. */
export const diffRun: ComputerCommand<'run.diff'> = async ({ computer }, { run, path }) => {
  const { from, changes } = await changesOfRun(computer, run)
  const told = tellChanges(changes)
  if (path !== null) {
    const wanted = told.find((change) => change.path === path)
    if (wanted === undefined) throw new ChoirError('path.unknown', `the run ${run} did not change ${shownPath(path)}`)
    return { from, files: [await diffFile(computer, wanted, from)], left: 0 }
  }
  const files: FileDiff[] = []
  let room: number = LIMITS.diffBytesInAllMax
  for (const change of told.slice(0, LIMITS.diffFilesMax)) {
    room -= (change.from?.size ?? 0) + (change.to?.size ?? 0)
    files.push(
      room < 0
        ? uncounted(change, 'not counted: this run changed very much')
        : { ...(await diffFile(computer, change, from)), hunks: [], left: 0 },
    )
  }
  return { from, files, left: told.length - files.length }
}

async function changesOfRun(
  computer: Computer,
  run: RunId,
): Promise<{ from: RunDiff['from']; changes: readonly Change[] }> {
  const places = computer.queries.runPlaces(run)
  if (places === null) throw new ChoirError('run.unknown', `there is no run ${run}`)
  const { asked, landed, ended } = places
  if (ended === null) return { from: 'open', changes: [] }
  if (landed !== null || places.status === 'landed') {
    const [stored] = await computer.log.read({ after: (landed ?? ended) - 1, limit: 1 })
    return {
      from: 'landed',
      changes: stored === undefined ? [] : await changesOf(readEvent(stored), computer.objects.get),
    }
  }
  return { from: 'stage', changes: await lastStage(computer, run, asked, ended) }
}

/** What the last tool of a run left on its stage. */
async function lastStage(computer: Computer, run: RunId, asked: number, ended: number): Promise<readonly Change[]> {
  const first = Math.max(asked, ended - LOOKED_BACK_MAX)
  for (let end = ended; end > first; end -= PAGE_EVENTS) {
    const after = Math.max(first, end - PAGE_EVENTS)
    const page = await computer.log.read({ after, limit: end - after })
    for (const stored of page.toReversed()) {
      const event = readEvent(stored)
      if (event.run !== run || event.type !== ToolResult.type) continue
      const { stage } = ToolResult.data.parse(event.data)
      if (stage !== null) return readStage(await computer.objects.get(stage), event.seq)
    }
  }
  return []
}

function readStage(bytes: Buffer, seq: number): Change[] {
  try {
    return parseManifest(bytes)
  } catch (cause) {
    throw new ChoirError('log.corrupt', `event ${seq} is damaged: its list of changes cannot be read`, {
      cause,
      details: { seq },
    })
  }
}

function uncounted(change: FileChange, why: string): FileDiff {
  const note = [noteOn(change), why].filter((words) => words !== null).join('; ')
  return {
    path: change.path,
    does: doesWhat(change),
    movedFrom: change.movedFrom,
    added: null,
    removed: null,
    note,
    hunks: [],
    left: 0,
  }
}

async function diffFile(computer: Computer, change: FileChange, from: RunDiff['from']): Promise<FileDiff> {
  const told = { path: change.path, does: doesWhat(change), movedFrom: change.movedFrom, note: noteOn(change) }
  if ((change.from?.object ?? null) === (change.to?.object ?? null))
    return { ...told, added: 0, removed: 0, hunks: [], left: 0 }
  const sizes = [change.from, change.to]
    .flatMap((entry) => (entry === null || entry.kind === 'folder' ? [] : [sizeText(entry.size)]))
    .join(' before, now ')
  if (Math.max(change.from?.size ?? 0, change.to?.size ?? 0) > LIMITS.diffBytesMax)
    return uncounted(change, `too large to be shown by lines: ${sizes}`)
  const bytes = [await bytesOf(computer, change.from), await bytesOf(computer, change.to)]
  if (bytes.includes('erased')) return uncounted(change, 'a version of it was erased for good, or removed to make room')
  if (bytes.includes('missing'))
    return uncounted(change, from === 'stage' ? `its content was not kept: ${sizes}` : 'its content is missing')
  const [before, after] = bytes.map((side) => toText(side as Buffer, LIMITS.diffBytesMax))
  if (typeof before !== 'string' || typeof after !== 'string') return uncounted(change, `not text: ${sizes}`)
  const { added, removed, hunks, left } = diffTexts(before, after)
  return { ...told, added, removed, hunks: [...hunks], left }
}

async function bytesOf(computer: Computer, entry: Entry | null): Promise<Buffer | 'erased' | 'missing'> {
  if (entry === null || entry.object === null) return Buffer.alloc(0)
  if (computer.queries.isErased(entry.object)) return 'erased'
  return (await computer.objects.find(entry.object)) ?? 'missing'
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
