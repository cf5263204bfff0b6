import type { Hash, RunId, Seq } from '@choiros/contract/ids.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import { LAST, parsed, type Ask } from './ask.ts'

/** Runs, what was said, and what verifiers found. */
export function createRunQueries(ask: Ask) {
  const RUN = `SELECT run.*, (SELECT unit.undone_by IS NOT NULL FROM unit WHERE unit.seq = run.landed) AS undone FROM run`
  const runOf = ask(`${RUN} WHERE run = ?`)
  const runPlaces = ask('SELECT asked, landed, ended, status FROM run WHERE run = ?')
  const runsBefore = ask(`${RUN} WHERE asked < ? ORDER BY asked DESC LIMIT ?`)
  const runsThatChanged = ask(`${RUN} WHERE asked < ? AND landed IS NOT NULL ORDER BY asked DESC LIMIT ?`)
  const runsThatDidNot = ask(`${RUN} WHERE asked < ? AND landed IS NULL ORDER BY asked DESC LIMIT ?`)
  const runsOpen = ask(`${RUN} WHERE ended IS NULL ORDER BY asked`)
  const newestLanded = ask('SELECT run, landed, health FROM run WHERE landed = (SELECT max(landed) FROM run)')
  const healthyLandings = ask("SELECT landed AS seq FROM run WHERE health = 'ok' ORDER BY landed DESC LIMIT ?")
  const messagesOf = ask('SELECT count(*) AS count FROM message WHERE run = ?')
  const talkBefore = ask(
    `SELECT message.role, message.text FROM message LEFT JOIN run ON run.run = message.run
      WHERE message.run IS NOT ? AND (message.run IS NULL OR run.ended IS NOT NULL) ORDER BY message.seq DESC LIMIT ?`,
  )
  const receiptsOf = ask('SELECT verifier, ok FROM receipt WHERE tree = ? AND run = ? ORDER BY seq')

  return {
    run: (run: string) => toRun(runOf().get(run) as RunRow | undefined),
    /** The events with which a run was asked for, landed and ended. */
    runPlaces: (run: string) =>
      (runPlaces().get(run) as
        | { asked: Seq; landed: Seq | null; ended: Seq | null; status: RunView['status'] }
        | undefined) ?? null,
    /** `changed`: only runs that landed something, or only the others; null: all. */
    runs(limit: number, before: number | null = null, changed: boolean | null = null): RunView[] {
      const asked = changed === null ? runsBefore() : changed ? runsThatChanged() : runsThatDidNot()
      return (asked.all(before ?? LAST, limit) as RunRow[]).map(runView)
    },
    /** Runs that were asked for and have not ended, in order. */
    openRuns: (): RunView[] => (runsOpen().all() as RunRow[]).map(runView),
    newestLanded: () =>
      (newestLanded().get() as { run: RunId; landed: Seq; health: string | null } | undefined) ?? null,
    /** Landings that pages found healthy, the newest first. */
    healthyLandings: (limit: number): Seq[] => (healthyLandings().all(limit) as { seq: Seq }[]).map(({ seq }) => seq),
    /** What was said before a run, without its own words and without wishes that still wait behind it. */
    talkBefore: (run: string, limit: number) =>
      (talkBefore().all(run, limit) as { role: string; text: string }[]).reverse(),
    messagesOf: (run: string): number => (messagesOf().get(run) as { count: number }).count,
    receipts: (of: Hash, run: string) => receiptsOf().all(of, run) as { verifier: string; ok: number }[],
  }
}

interface RunRow {
  run: RunId
  text: string
  status: RunView['status']
  reason: string | null
  reply: string | null
  asked: Seq
  asked_ms: number
  ended_ms: number | null
  landed: Seq | null
  health: RunView['health']
  undone: number | null
  asking: string | null
  offers: string | null
  draft: string | null
  mood: string | null
}

function toRun(row: RunRow | undefined): RunView | null {
  return row === undefined ? null : runView(row)
}

function runView({
  asking,
  offers: offered,
  draft: kept,
  mood,
  undone,
  asked_ms: askedMs,
  ended_ms: endedMs,
  ...row
}: RunRow): RunView {
  const { run, text, status, reason, reply, asked, landed, health } = row
  const asks = asking === null ? null : (parsed(asking) as RunView['asking'])
  const offers = offered === null ? [] : (parsed(offered) as string[])
  return {
    run,
    text,
    status,
    reason,
    reply,
    offers,
    asked,
    landed,
    undone: undone === 1,
    health,
    askedMs,
    endedMs,
    asking: asks,
    draft: kept === null ? null : (parsed(kept) as RunView['draft']),
    mood: mood === null ? null : (parsed(mood) as RunView['mood']),
  }
}
