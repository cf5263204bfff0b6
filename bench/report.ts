import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { median, quantile, type Pair } from './measure.ts'

/**
 * One promise of DESIGN §14, measured. The samples are milliseconds for the same work; without any of raw, the promise
 * is a time and no ratio.
 */
export interface Row extends Pair {
  readonly promise: string
  readonly against: string
  /** Ours must do at least this share of raw's work per second. */
  readonly speedAtLeast?: number
  /** Ours may take at most this many times raw's time. */
  readonly timeAtMost?: number
  /** The words of a promise that is no ratio; `also` tells whether it was kept. */
  readonly target?: string
  /** A second target of the same row. */
  readonly also?: { readonly text: string; readonly met: boolean }
}

export interface Memory {
  readonly when: string
  readonly mebibytes: number
}

/** What is sent to a model at each step, and how much of it the request before had already. */
export interface Tokens {
  readonly when: string
  readonly sent: number
  readonly kept: number
}

export interface Section {
  readonly rows: readonly Row[]
  readonly memory: readonly Memory[]
  readonly tokens?: readonly Tokens[]
  readonly notes: readonly string[]
}

const ROW_HEADER =
  '| bench | promise | against | ours median / p95 | raw median / p95 | ratio | target | met |\n|---|---|---|---|---|---|---|---|'
const MEMORY_HEADER = '| bench | memory | RSS |\n|---|---|---|'
const TOKENS_HEADER =
  '| bench | tokens sent per step | in all | kept from the step before | new |\n|---|---|---|---|---|'

export function rowLine(bench: string, row: Row): string {
  const isSpeed = row.speedAtLeast !== undefined
  const ratio = isSpeed ? median(row.raw) / median(row.ours) : median(row.ours) / median(row.raw)
  const target =
    row.target ??
    (isSpeed ? `≥ ${row.speedAtLeast} × raw` : row.timeAtMost === undefined ? '—' : `≤ ${row.timeAtMost} ×`)
  const holds = isSpeed ? ratio >= row.speedAtLeast : row.timeAtMost === undefined || ratio <= row.timeAtMost
  const met = target === '—' ? '—' : holds && (row.also?.met ?? true) ? 'yes' : '**no**'
  const also = row.also?.text ?? '—'
  const shown = row.raw.length === 0 ? also : `${ratio.toFixed(2)}${row.also === undefined ? '' : ` (${also})`}`
  return tableLine(bench, row.promise, row.against, spread(row.ours), spread(row.raw), shown, target, met)
}

export function memoryLine(bench: string, { when, mebibytes }: Memory): string {
  return tableLine(bench, when, `${mebibytes.toFixed(0)} MiB`)
}

function tokensLine(bench: string, { when, sent, kept }: Tokens): string {
  const count = (tokens: number) => Math.round(tokens).toLocaleString('en')
  return tableLine(bench, when, count(sent), count(kept), count(sent - kept))
}

function tableLine(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}

function spread(samples: readonly number[]): string {
  if (samples.length === 0) return '—'
  return `${milliseconds(median(samples))} / ${milliseconds(quantile(samples, 0.95))} ms`
}

function milliseconds(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

/** The whole page: the new results, and for the benches that did not run now, their lines from the page before. */
export function renderReport(before: string, names: readonly string[], measured: ReadonlyMap<string, Section>): string {
  const linesOf = (name: string, cells: number): string[] =>
    before.split('\n').filter((line) => line.startsWith(`| ${name} |`) && line.split(' | ').length === cells)
  const rows = names.flatMap((name) => measured.get(name)?.rows.map((row) => rowLine(name, row)) ?? linesOf(name, 8))
  const memory = names.flatMap(
    (name) => measured.get(name)?.memory.map((item) => memoryLine(name, item)) ?? linesOf(name, 3),
  )
  const tokens = names.flatMap(
    (name) => measured.get(name)?.tokens?.map((item) => tokensLine(name, item)) ?? linesOf(name, 5),
  )
  const notes = names.flatMap(
    (name) => measured.get(name)?.notes.map((note) => `- **${name}**: ${note}`) ?? notesOf(before, name),
  )
  return `${INTRODUCTION}\n\n${machineFacts()}\n\n${ROW_HEADER}\n${rows.join('\n')}\n\n${MEMORY_HEADER}\n${memory.join('\n')}\n\n${TOKENS_HEADER}\n${tokens.join('\n')}\n\n${notes.join('\n')}\n`
}

function notesOf(before: string, name: string): string[] {
  return before.split('\n').filter((line) => line.startsWith(`- **${name}**: `))
}

const INTRODUCTION = `# Measured promises

Written by \`npm run bench\`; one bench alone by \`npm run bench -- undo\`. Do not edit by hand. Each promise is a row of DESIGN §14.
At least 30 samples each, ours and raw in turns in one process; the ratio is that of the medians. A ratio of speeds must be high, one of times low.`

function machineFacts(): string {
  const kernel = release().split('-')[0] ?? ''
  const disk = `one 4 KiB write with fsync takes ${fsyncMs().toFixed(2)} ms`
  return `Machine: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${kernel}, Node ${process.version}; ${disk}.`
}

/** What a durable write costs on this machine: the other results depend on it. */
function fsyncMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'choir-bench-fsync-'))
  const handle = openSync(join(folder, 'file'), 'w')
  const samples = Array.from({ length: 100 }, (_, index) => {
    const start = performance.now()
    writeSync(handle, Buffer.alloc(4096, index), 0, 4096, 0)
    fsyncSync(handle)
    return performance.now() - start
  })
  closeSync(handle)
  rmSync(folder, { recursive: true })
  return median(samples)
}
