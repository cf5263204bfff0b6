import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { FileChange } from '@choiros/contract/events/files.ts'
import { Checkpoint } from '@choiros/contract/events/points.ts'
import type { StoredEvent } from '@choiros/contract/event.ts'
import { NO_HASH } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { openBenchComputer } from './bench-computer.ts'
import { fileEntry } from './content.ts'
import { computerOf, FILES_1K, FILES_1M, ownCopy, type HistorySpec } from './histories.ts'
import { inTurns, median, time } from './measure.ts'
import { createRandom } from './random.ts'
import type { Row, Section } from './report.ts'

const SPEED_MIN = 0.8
const OBJECT_BYTES = 4096
const PATHS = 1000
const SAMPLES = { 1: 400, 100: 60 } as const

const NOTES = [
  'Ours is `writer.submit` of a change of one file: hash of the object, decision, canonical bytes, hash chain, log and objects fsynced, tables updated (their own commit, which needs no fsync, is shared by the events of 20 ms). The file on disk follows after the answer and is waited for between samples.',
  'Raw commits the very bytes that ours just wrote, with prepared statements into the same two tables of a copy of the same log (WAL, `synchronous=FULL`). It makes no JSON, no hash and no tables.',
  'By a profile of a hundred callers at once: 27 % is the log’s own commit, 36 % the rows of the tables (two of old versions, one of the file, four of what Undo steps through, two of who holds the bytes), 20 % sealing (check of the draft 8 %, canonical bytes 6 %, hashes 2 %), 6 % what the quotas ask, 4 % what stands at the path; the rest is promises and calls. So neither hashes in another thread nor cheaper bytes would be felt; were everything but commit and rows free, it would be less than half of one raw transaction. 0.8 is out of reach for tables that are written before the answer, and one caller is held back by the same 0.2 ms.',
]

/** Whether a target is met depends on the speed of the disk; our own share of the time does not. */
function whyNot(one: Measured, many: Measured): string {
  const alone = median(one.ours) - median(one.together)
  const shared = (median(many.ours) - median(many.together)) / 100
  return (
    `Beside the commit, an event costs ${alone.toFixed(2)} ms of one core alone and ${shared.toFixed(3)} ms in a batch: the turn of the event loop in which callers gather, canonical JSON, two hashes, the decision and the tables, ` +
    `all before the answer, for a caller must see what it wrote. One caller gets 0.8 of raw where a commit takes ${(4 * alone).toFixed(1)} ms or more. A hundred callers share one fsync and leave a hundred commits behind; ` +
    'against one transaction that holds all hundred there is no wait left to hide this work in.'
  )
}

export async function run(runFolder: string): Promise<Section> {
  const short = await measureAt(runFolder, FILES_1K)
  const long = await measureAt(runFolder, FILES_1M)
  return { rows: [...short.rows, ...long.rows], memory: [], notes: [...NOTES, whyNot(short.one, short.many)] }
}

interface Measured {
  readonly ours: number[]
  /** Raw, all in one transaction. */
  readonly together: number[]
  /** Raw, each in its own. */
  readonly apart: number[]
}

async function measureAt(
  runFolder: string,
  spec: HistorySpec,
): Promise<{ rows: Row[]; one: Measured; many: Measured }> {
  const ready = await computerOf(runFolder, spec)
  const computer = await openBenchComputer(await ownCopy(ready, join(runFolder, `append-${spec.name}`)))
  const raw = openRaw(join(await ownCopy(ready, join(runFolder, `append-raw-${spec.name}`), [PLACES.log]), PLACES.log))
  try {
    const many = await measure(computer, raw, 100)
    // Second: by now the code is compiled as in a process that has run for a while.
    const one = await measure(computer, raw, 1)
    return { rows: rowsOf(`at ${spec.events.toLocaleString('en')} events`, one, many), one, many }
  } finally {
    await computer.close()
    raw.close()
  }
}

function rowsOf(at: string, one: Measured, many: Measured): Row[] {
  const common = { speedAtLeast: SPEED_MIN }
  return [
    {
      promise: `durable append with a 4 KiB object, 1 caller, ${at}`,
      against: 'raw FULL commit',
      ours: one.ours,
      raw: one.together,
      ...common,
    },
    {
      promise: `the same, 100 callers, ${at}`,
      against: '100 raw FULL commits',
      ours: many.ours,
      raw: many.apart,
      ...common,
    },
    {
      promise: `the same, 100 callers, ${at}`,
      against: 'one raw FULL commit of all 100',
      ours: many.ours,
      raw: many.together,
      ...common,
    },
  ]
}

async function measure(computer: Computer, raw: ReturnType<typeof openRaw>, callers: 1 | 100): Promise<Measured> {
  const random = createRandom(callers)
  const disk = openSettling(join(computer.folder, 'settle'))
  let written: Written[] = []
  const ofRaw = (commit: (rows: ReturnType<typeof raw.prepare>) => void) => () => {
    const rows = raw.prepare(written)
    disk.settle()
    return time(() => commit(rows))
  }
  const ours = async () => {
    const contents = Array.from({ length: callers }, () => random.bytes(OBJECT_BYTES))
    const before = computer.head().seq
    disk.settle()
    const ms = await time(() => Promise.all(contents.map((bytes) => appendOne(computer, bytes, random.whole(PATHS)))))
    await computer.shown()
    await startEditsAnew(computer)
    const events = await computer.log.read({ after: before, limit: callers })
    written = events.map((event, index) => ({ event, object: fileEntry(contents[index] as Buffer).object }))
    return ms
  }
  const sides = [ours, ofRaw(raw.together), ofRaw(raw.apart)]
  const taken = await inTurns(sides, { samples: SAMPLES[callers], warmups: 10 })
  disk.close()
  return { ours: taken[0] ?? [], together: taken[1] ?? [], apart: taken[2] ?? [] }
}

/**
 * After 500 own edits a checkpoint is made, with a git commit: that would fall into some samples and not into others.
 */
async function startEditsAnew(computer: Computer): Promise<void> {
  const data = { name: 'bench', kind: 'user', tree: NO_HASH }
  const draft = {
    type: Checkpoint.type,
    version: Checkpoint.version,
    data,
    user: computer.user,
    source: 'user',
    via: 'cli',
    run: null,
    cause: null,
  } as const
  await computer.append(() => ({ draft }))
}

/**
 * An fsync also waits for everything else that the file system has not written yet. This is done before each sample, so
 * that no sample pays for the files of the one before.
 */
function openSettling(file: string) {
  const handle = openSync(file, 'w')
  return {
    settle() {
      writeSync(handle, '.')
      fsyncSync(handle)
    },
    close: () => closeSync(handle),
  }
}

function appendOne(computer: Computer, bytes: Buffer, number: number) {
  const path = `artifacts/appended/${number % 40}/${number}.bin` as TreePath
  const { entry, object } = fileEntry(bytes)
  // `change` also waits until the files are on disk; here only the log is measured.
  const append = computer.append as Computer['change']
  return append(({ state }) => ({
    draft: {
      type: FileChange.type,
      version: FileChange.version,
      data: {},
      user: computer.user,
      source: 'user',
      via: 'desktop',
      run: null,
      cause: null,
    },
    changes: [{ path, from: state.tree.entry(path), to: entry, movedFrom: null }],
    objects: [object],
  }))
}

interface Written {
  readonly event: StoredEvent
  readonly object: ObjectBytes
}

function openRaw(file: string) {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  const addEvent = db.prepare('INSERT INTO event VALUES (?, ?, ?)')
  const addObject = db.prepare('INSERT INTO object VALUES (?, ?)')
  const last = db.prepare('SELECT max(seq) FROM event').pluck()
  const prepare = (written: readonly Written[]) => {
    let seq = last.get() as number
    return written.map(({ event, object }) => ({
      event: [++seq, Buffer.from(event.hash, 'hex'), event.bytes],
      // The same objects go in twice, once together and once apart: the second time under another name.
      object: [Buffer.from(object.hash, 'hex').map((byte) => byte ^ (seq & 0xff)), object.bytes],
    }))
  }
  const commit = db.transaction((rows: ReturnType<typeof prepare>) => {
    for (const row of rows) {
      addObject.run(...row.object)
      addEvent.run(...row.event)
    }
  })
  return {
    prepare,
    together: (rows: ReturnType<typeof prepare>) => commit.immediate(rows),
    apart: (rows: ReturnType<typeof prepare>) => rows.forEach((row) => commit.immediate([row])),
    close: () => void db.close(),
  }
}
