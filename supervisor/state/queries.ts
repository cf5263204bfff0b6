import type Database from 'better-sqlite3'
import { prepareLater } from './prepare-later.ts'
import { createBudgetQueries } from './queries/budget-queries.ts'
import { createFaultQueries } from './queries/fault-queries.ts'
import { createFileQueries } from './queries/file-queries.ts'
import { createMemoryQueries } from './queries/memory-queries.ts'
import { createObjectQueries } from './queries/object-queries.ts'
import { createPolicyQueries } from './queries/policy-queries.ts'
import { createPictureQueries } from './queries/picture-queries.ts'
import { createRunQueries } from './queries/run-queries.ts'
import { createUndoQueries } from './queries/undo-queries.ts'
import { createWindowQueries } from './queries/window-queries.ts'
import { NOTHING_UNSETTLED, type Unsettled } from './unsettled.ts'

/** Everything anyone asks of the tables. One set of prepared statements per connection. */
export type Queries = ReturnType<typeof createQueries>

/** `unsettled`: what the tables do not show yet. */
export function createQueries(db: Database.Database, unsettled: Unsettled = NOTHING_UNSETTLED) {
  const askAsIs = (sql: string) => prepareLater(db, sql)
  const ask = (sql: string) => {
    const statement = prepareLater(db, sql)
    return () => {
      unsettled.settle()
      return statement()
    }
  }
  return {
    ...createFileQueries(ask, askAsIs, unsettled),
    ...createObjectQueries(ask, askAsIs, unsettled),
    ...createUndoQueries(ask),
    ...createWindowQueries(ask),
    ...createRunQueries(ask),
    ...createBudgetQueries(ask),
    ...createFaultQueries(ask),
    ...createMemoryQueries(ask),
    ...createPolicyQueries(ask),
    ...createPictureQueries(ask),
  }
}

/** The same queries, each passed on to the set that is current when it is asked. */
export function chooseQueries(current: () => Queries): Queries {
  return delegate(current) as Queries
}

function delegate(current: () => object): object {
  const answers: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(current())) {
    const now = () => (current() as Record<string, unknown>)[name]
    answers[name] =
      typeof value === 'function'
        ? (...given: unknown[]) => (now() as (...given: unknown[]) => unknown)(...given)
        : delegate(now as () => object)
  }
  return answers
}
