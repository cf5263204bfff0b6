import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { computerOf, FILES_1K, FILES_1M, logOf, ownCopy, type HistorySpec } from './histories.ts'
import type { Memory, Section } from './report.ts'

export interface Probe {
  readonly opened: number
  readonly peakOfOpening: number
  readonly used: number
}

const PROBE = fileURLToPath(new URL('memory-probe.ts', import.meta.url))

const NOTES = [
  'A process that opens one computer with 10,000 files and does nothing else. Used: 300 writes and 10 seeks later. Of the tables, at most 16 MiB of pages are kept in memory, which a short history does not fill.',
]

export async function run(runFolder: string): Promise<Section> {
  return {
    rows: [],
    memory: [...(await probe(runFolder, FILES_1K)), ...(await probe(runFolder, FILES_1M))],
    notes: NOTES,
  }
}

async function probe(runFolder: string, spec: HistorySpec): Promise<Memory[]> {
  const at = `at ${spec.events.toLocaleString('en')} events`
  const ready = await probeOnce(
    await ownCopy(await computerOf(runFolder, spec), join(runFolder, `memory-${spec.name}`)),
  )
  const rebuilt = await probeOnce(
    await ownCopy(await logOf(runFolder, spec), join(runFolder, `memory-rebuilt-${spec.name}`)),
  )
  return [
    { when: `after opening, ${at}`, mebibytes: ready.opened },
    { when: `used, ${at}`, mebibytes: ready.used },
    { when: `peak while everything is rebuilt from the log, ${at}`, mebibytes: rebuilt.peakOfOpening },
  ]
}

function probeOnce(folder: string): Promise<Probe> {
  return new Promise((done, fail) => {
    const child = fork(PROBE, [folder])
    let told: Probe | null = null
    child.on('message', (message) => (told = message as Probe))
    child.on('error', fail)
    child.on('exit', (code) => (told === null ? fail(new Error(`the probe ended with ${code}`)) : done(told)))
  })
}
