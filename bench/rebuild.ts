import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openSqliteEventLog } from '@choiros/ports/event-log/sqlite.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { createObjectStore } from '@choiros/supervisor/computer/object-store.ts'
import { rebuild, type KeptOptions } from '@choiros/supervisor/history/rebuild.ts'
import type { State } from '@choiros/supervisor/state/state.ts'
import { IDENTITY } from './bench-computer.ts'
import { FILES_1M, GROWN_1K, logOf, type HistorySpec } from './histories.ts'
import { interleave, median, SAMPLES, time, type Pair } from './measure.ts'
import type { Row, Section } from './report.ts'

const RAW_SPEED_MIN = 0.4
const EVENTS_PER_SECOND_MIN = 60_000

const NOTES = [
  'Ours is the `rebuild` of the supervisor: tables from an empty file to the renamed one, every hash and the chain checked; the fsync follows, and until it is done the tables are marked as not to be trusted after a power cut. Raw reads the same rows by the same primary key and calls `JSON.parse`.',
  'At 1,000,000 events one rebuild is one pass: after every 1/33 of the log, raw reads and parses the same events. What happens at the end of the pass (indexes, rename, opening) is spread over the samples.',
  'Not met at 1,000 events: of about 20 ms on a quiet machine, 7 are the same reading and parsing, 1 hashes, 8 to 9 the rows, and 4 do not depend on the events at all: some 20 tables with their indexes, preparing the statements, making, closing and opening a file. Rows and what does not depend on the events are the floor.',
  'By statement, of what a rebuild of a long log writes: versions of files 28 %, who holds which bytes 16 %, what Undo steps through 15 %, windows 16 %, runs 10 %, talk 5 %, indexes at the end 14 %. Who holds which bytes is gathered from 40,000 changes and written in the order of the table: most objects come and go within that, and each page is touched once. Rows that nothing looks at before the end are written sixteen by one statement, which takes a third off them.',
]

export async function run(runFolder: string): Promise<Section> {
  const rows = [await row(runFolder, GROWN_1K, wholeRebuilds), await row(runFolder, FILES_1M, onePass)]
  return { rows, memory: [], notes: NOTES }
}

type Measure = (bench: RebuildBench, spec: HistorySpec) => Promise<Pair & { events: number }>

async function row(runFolder: string, spec: HistorySpec, measure: Measure): Promise<Row> {
  const bench = await openRebuildBench(await logOf(runFolder, spec), join(runFolder, `rebuild-${spec.name}`))
  try {
    const { events, ...pair } = await measure(bench, spec)
    const perSecond = Math.round((events / median(pair.ours)) * 1000)
    return {
      promise: `rebuild of state, ${spec.events.toLocaleString('en')} events`,
      against: 'reading and parsing the same events',
      ...pair,
      speedAtLeast: RAW_SPEED_MIN,
      also: {
        text: `${Math.round(perSecond / 1000)}k events/s, ≥ ${EVENTS_PER_SECOND_MIN / 1000}k`,
        met: perSecond >= EVENTS_PER_SECOND_MIN,
      },
    }
  } finally {
    await bench.close()
  }
}

interface RebuildBench {
  /** Rebuilds all of it into an empty folder, and returns the time that took. */
  rebuild(progress?: (done: number) => void): Promise<number>
  readAndParse(after: number, to: number): number
  close(): Promise<void>
}

async function openRebuildBench(logFolder: string, scratch: string): Promise<RebuildBench> {
  const file = join(logFolder, PLACES.log)
  const log = await openSqliteEventLog({ file, folder: join(scratch, 'objects'), computer: IDENTITY.id, epoch: null })
  const options: KeptOptions = {
    bootId: 'bench',
    log,
    object: createObjectStore(log.objects, () => Number.MAX_SAFE_INTEGER).get,
    reached: () => {},
  }
  const raw = new Database(file, { readonly: true })
  const page = raw.prepare('SELECT bytes FROM event WHERE seq > ? AND seq <= ? ORDER BY seq')
  let rebuilds = 0
  return {
    async rebuild(progress) {
      const folder = join(scratch, String(++rebuilds))
      mkdirSync(folder, { recursive: true })
      const told = progress === undefined ? {} : { progress: (_: string, done: number) => progress(done) }
      let state: State | null = null
      const ms = await time(async () => {
        state = await rebuild(join(folder, PLACES.state), join(folder, PLACES.snapshots), { ...options, ...told })
      })
      await (state as State | null)?.onDisk()
      ;(state as State | null)?.close()
      return ms
    },
    readAndParse(after, to) {
      let events = 0
      for (const { bytes } of page.iterate(after, to) as Iterable<{ bytes: Buffer }>) {
        const event = JSON.parse(bytes.toString('utf8')) as { seq: number }
        if (event.seq > after) events++
      }
      return events
    },
    async close() {
      raw.close()
      await log.close()
    },
  }
}

async function wholeRebuilds(bench: RebuildBench, { events }: HistorySpec) {
  const pair = await interleave(
    () => bench.rebuild(),
    () => time(() => bench.readAndParse(0, events)),
  )
  return { ...pair, events }
}

async function onePass(bench: RebuildBench, spec: HistorySpec) {
  const events = Math.floor(spec.events / (SAMPLES + 3))
  const pair: Pair = { ours: [], raw: [] }
  let reached = 0
  let since = performance.now()
  await bench.rebuild((done) => {
    if (done - reached < events && done < spec.events) return
    // A page does not end at a fixed event, so every sample is scaled to the same number of events.
    const share = events / (done - reached)
    pair.ours.push((performance.now() - since) * share)
    since = performance.now()
    bench.readAndParse(reached, done)
    pair.raw.push((performance.now() - since) * share)
    reached = done
    since = performance.now()
  })
  const ending = (performance.now() - since) / pair.ours.length
  return { ours: pair.ours.map((ms) => ms + ending), raw: pair.raw, events }
}
