import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { pictures } from './pictures.ts'
import { createTables, fact } from './table-harness.ts'

test('[RD10] of a run there is one picture of each thing before and one after, the newest', () => {
  const tables = createTables(new Database(':memory:'), [pictures])
  const taken = (seq: number, moment: string, app: string | null, object: string, run = 'r1') =>
    fact(seq, 'run.picture', { moment, app, tree: `t${seq}`, object, bytes: 9, width: 2, height: 1 }, { run })
  tables.apply(taken(1, 'after', null, 'a'), taken(2, 'after', 'dice', 'b'), taken(3, 'after', 'dice', 'c'))
  tables.apply(taken(4, 'before', 'dice', 'd'), taken(5, 'after', 'dice', 'e', 'r2'))
  expect(tables.rows('SELECT run, moment, app, tree, object FROM picture ORDER BY run, app, moment')).toEqual([
    { run: 'r1', moment: 'after', app: '', tree: 't1', object: 'a' },
    { run: 'r1', moment: 'after', app: 'dice', tree: 't3', object: 'c' },
    { run: 'r1', moment: 'before', app: 'dice', tree: 't4', object: 'd' },
    { run: 'r2', moment: 'after', app: 'dice', tree: 't5', object: 'e' },
  ])
})
