import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { CATALOG } from '@choiros/contract/catalog.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import { REDUCERS, REDUCERS_VERSION } from './all.ts'
import { createTables, fact } from './table-harness.ts'

const TREE = sha256('tree')

describe('[RD2] all reducers', () => {
  test('unknown types write nothing, whatever they carry', () => {
    const tables = createTables(new Database(':memory:'), REDUCERS)
    const before = tables.everything()
    tables.apply(
      fact(1, 'never.heard', { run: 'r', window: 'w', reason: 'x', objects: [TREE], target: 1, kind: 'point' }),
      fact(2, 'run.never', { land: 1 }, { run: 'r1' }),
      fact(3, 'window', {}),
    )
    expect(tables.everything()).toEqual(before)
  })

  test('the manifest of an unknown type is remembered: the release that knows it will need it, and garbage collection must not take it', () => {
    const tables = createTables(new Database(':memory:'), REDUCERS)
    tables.apply(fact(1, 'never.heard', { manifest: TREE }))
    expect(tables.everything().filter(([, rows]) => (rows as unknown[]).length > 0)).toEqual([
      ['manifest', [{ seq: 1, object: TREE }]],
    ])
  })

  test('no two share a table, and their version names all of them', () => {
    const names = REDUCERS.flatMap((reducer) => reducer.tables)
    expect(new Set(names).size).toBe(names.length)
    expect(REDUCERS_VERSION.split(' ')).toEqual(REDUCERS.map((reducer) => `${reducer.name}@${reducer.version}`))
  })

  test('each lists exactly the tables it makes, and every table has its types checked', () => {
    for (const { schema, tables } of REDUCERS) {
      const database = new Database(':memory:')
      database.exec(schema)
      expect(
        database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all(),
      ).toEqual([...tables].sort())
      expect(
        database
          .prepare(
            "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'",
          )
          .pluck()
          .get(),
      ).toBe(0)
    }
  })

  test('every statement binds by position', () => {
    const database = new Database(':memory:')
    for (const reducer of REDUCERS) database.exec(reducer.schema)
    const numbered = REDUCERS.flatMap((reducer) => Object.values(reducer.statements)).filter((sql) =>
      /\?\d|[:@$]\w/.test(sql),
    )
    expect(numbered).toEqual([])
    expect(() =>
      REDUCERS.flatMap((reducer) => Object.values(reducer.statements).map((sql) => database.prepare(sql))),
    ).not.toThrow('syntax')
  })

  test('applied again from the start, all at once, the same events give the same rows', () => {
    const story = CATALOG.map(({ type }, index) =>
      fact(
        index + 1,
        type,
        {
          work: 'w',
          base: 1,
          criteria: [],
          title: 't',
          conversation: 'c',
          role: 'user',
          text: 'x',
          object: TREE,
          moment: 'after',
          bytes: 1,
          width: 1,
          height: 1,
          window: 'w',
          app: 'a',
          device: 'wide',
          geometry: { x: 0 },
          windows: [],
          objects: [TREE],
          tree: TREE,
          verifier: 'v',
          message: 'm',
          stack: '',
          ok: true,
          report: null,
          name: 'n',
          kind: 'user',
          task: 't',
          instruction: 'i',
          status: 'ok',
          summary: 's',
          land: 3,
          to: 1,
          target: 3,
          reason: 'r',
          outcome: 'done',
          run: 1,
          day: 1,
          note: 'n1',
          notes: ['n1'],
          topic: '',
          by: 'director',
          part: 'believe',
          of: 'computer',
          rests: { event: null, tree: null, files: [] },
          wishes: [],
          edit: 3,
          mood: 'CALM',
          lease: 'l',
          scope: [],
          untilMs: 1,
          uses: 1,
          approval: 'a',
          risk: 'r',
          answer: 'once',
        },
        { run: 'r1' },
      ),
    )
    const [one, two] = (['apply', 'replay'] as const).map((how) => {
      const tables = createTables(new Database(':memory:'), REDUCERS)
      tables[how](...story)
      return tables.everything()
    })
    expect(one).toEqual(two)
  })
})
