import { median, quantile, type Pair } from './measure.ts'

/** One promise of DESIGN §14, measured. The samples are milliseconds for the same work. */
export interface Row extends Pair {
  readonly promise: string
  readonly against: string
  /** Ours must do at least this share of raw's work per second. */
  readonly speedAtLeast?: number
  /** Ours may take at most this many times raw's time. */
  readonly timeAtMost?: number
  /** A second target of the same row. */
  readonly also?: { readonly text: string; readonly met: boolean }
}

export interface Memory {
  readonly when: string
  readonly mebibytes: number
}

export interface Section {
  readonly rows: readonly Row[]
  readonly memory: readonly Memory[]
  readonly notes: readonly string[]
}

export const ROW_HEADER =
  '| bench | promise | against | ours median / p95 | raw median / p95 | ratio | target | met |\n|---|---|---|---|---|---|---|---|'
export const MEMORY_HEADER = '| bench | memory | RSS |\n|---|---|---|'

export function rowLine(bench: string, row: Row): string {
  const ours = median(row.ours)
  const raw = median(row.raw)
  const ratio = row.speedAtLeast === undefined ? ours / raw : raw / ours
  const target = row.speedAtLeast !== undefined ? `≥ ${row.speedAtLeast} × raw` : row.timeAtMost !== undefined ? `≤ ${row.timeAtMost} ×` : '—'
  const holds = row.speedAtLeast !== undefined ? ratio >= row.speedAtLeast : row.timeAtMost === undefined || ratio <= row.timeAtMost
  const met = target === '—' ? '—' : holds && (row.also?.met ?? true) ? 'yes' : '**no**'
  const also = row.also === undefined ? '' : ` (${row.also.text})`
  return `| ${bench} | ${row.promise} | ${row.against} | ${spread(row.ours)} | ${spread(row.raw)} | ${ratio.toFixed(2)}${also} | ${target} | ${met} |`
}

export function memoryLine(bench: string, { when, mebibytes }: Memory): string {
  return `| ${bench} | ${when} | ${mebibytes.toFixed(0)} MiB |`
}

function spread(samples: readonly number[]): string {
  return `${milliseconds(median(samples))} / ${milliseconds(quantile(samples, 0.95))} ms`
}

function milliseconds(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
