import { describe, expect, test } from 'vitest'
import { findViolations, FUNCTION_LINES_MAX, INNER_LAYERS, LINES_MAX, type Manifests } from './layers.ts'
import { readFacts } from './source-facts.ts'

const MANIFESTS: Manifests = {
  '': { dependencies: [], devDependencies: ['vitest', 'fast-check'] },
  'contract': { dependencies: ['zod'], devDependencies: [] },
  'core': { dependencies: ['@choiros/contract'], devDependencies: [] },
  'ports': { dependencies: ['@choiros/contract', 'better-sqlite3'], devDependencies: [] },
  'supervisor': { dependencies: ['@choiros/contract', '@choiros/core', '@choiros/ports'], devDependencies: [] },
}

function problemsOf(path: string, source: string, manifests: Manifests = MANIFESTS): string[] {
  return findViolations([readFacts(path, source)], manifests).map((found) => `${found.line}: ${found.message}`)
}

const BROKEN: readonly [rule: string, path: string, source: string, problem: RegExp][] = [
  [
    'a room imports only what its list names',
    'core/a.ts',
    "import { x } from '@choiros/ports/objects/objects.ts'",
    /core may import contract, not ports/,
  ],
  [
    'the contract imports no other room',
    'contract/a.ts',
    "import { x } from '@choiros/core/tree.ts'",
    /may import no other room, not core/,
  ],
  ['a type is an import too', 'core/a.ts', "import type { X } from '@choiros/supervisor/x.ts'", /not supervisor/],
  [
    'a type in place is an import too',
    'core/a.ts',
    "export type X = import('@choiros/supervisor/x.ts').X",
    /not supervisor/,
  ],
  [
    'an import while running is an import too',
    'core/a.ts',
    "await import('@choiros/supervisor/x.ts')",
    /not supervisor/,
  ],
  [
    'an export of another file is an import too',
    'core/a.ts',
    "export { x } from '@choiros/supervisor/x.ts'",
    /not supervisor/,
  ],
  [
    'processes never import each other',
    'command-line/a.ts',
    "import { x } from '@choiros/supervisor/main.ts'",
    /not supervisor/,
  ],
  [
    'a room’s test keeps to the room’s list',
    'core/a.test.ts',
    "import { x } from '@choiros/ports/objects/objects.ts'",
    /not ports/,
  ],
  ['a room does not reach into scripts', 'core/a.ts', "import { x } from '../scripts/layers.ts'", /outside the rooms/],
  ['a computed import cannot be checked', 'supervisor/a.ts', 'await import(name)', /computed import/],
  [
    'another room is named by its package',
    'supervisor/a.ts',
    "import { x } from '../contract/ids.ts'",
    /imported as '@choiros\/contract\/ids\.ts'/,
  ],
  [
    'its package names it in tests, too',
    'tests/a.test.ts',
    "import { x } from '../contract/ids.ts'",
    /imported as '@choiros\/contract\/ids\.ts'/,
  ],
  [
    'inside a room paths are relative',
    'core/a.ts',
    "import { x } from '@choiros/core/tree.ts'",
    /inside core import by relative path/,
  ],
  ['no path of one machine', 'supervisor/a.ts', "import { x } from '/opt/x.ts'", /one machine only/],
  [
    'core does no input or output',
    'core/a.ts',
    "import { readFileSync } from 'node:fs'",
    /core does no input or output: 'node:fs'/,
  ],
  [
    'an old name of a Node module is no way round',
    'core/a.ts',
    "import { readFileSync } from 'fs'",
    /input or output: 'fs'/,
  ],
  ['core has no hash of its own', 'core/a.ts', "import { hash } from 'node:crypto'", /input or output: 'node:crypto'/],
  [
    'in the contract only canonical.ts hashes',
    'contract/ids.ts',
    "import { hash } from 'node:crypto'",
    /input or output: 'node:crypto'/,
  ],
  ['core has no clock', 'core/a.ts', 'export const now = () => Date.now()', /Date\.now in core/],
  ['core has no clock by another name', 'core/a.ts', "export const now = () => Date['now']()", /Date\.now in core/],
  ['core has no clock by construction', 'core/a.ts', 'export const now = () => new Date()', /new Date\(\) in core/],
  ['the contract has no random', 'contract/a.ts', 'export const dice = Math.random()', /Math\.random in contract/],
  ['core does not wait', 'core/a.ts', 'setTimeout(() => {}, 1)', /setTimeout\(\) in core/],
  [
    'a folder of a room imports only those below it',
    'supervisor/computer/a.ts',
    "import { x } from '../runs/runs.ts'",
    /supervisor\/computer may import .*, not runs/,
  ],
  [
    'a folder of a room is in the list',
    'supervisor/new/a.ts',
    "import { x } from '../runs/runs.ts'",
    /supervisor\/new\/ is not in INNER_LAYERS/,
  ],
  [
    'what lies beside the folders needs none of them',
    'supervisor/a.ts',
    "import { x } from './runs/runs.ts'",
    /may import none of them/,
  ],
  ['code does not need a test', 'ports/objects/a.ts', "import { x } from './local.test.ts'", /is a test/],
  ['not even a benchmark needs a test', 'bench/a.ts', "import { x } from '../tests/gate.test.ts'", /is a test/],
  [
    'code does not need a suite, nor what stands in for something',
    'ports/objects/a.ts',
    "import { x } from './objects.suite.ts'",
    /is a test/,
  ],
  [
    'only a main names an adapter',
    'supervisor/a.ts',
    "import { x } from '@choiros/ports/event-log/sqlite.ts'",
    /take the interface from '@choiros\/ports\/event-log\/event-log\.ts'/,
  ],
  [
    '[L1] no table is written outside the reducers',
    'supervisor/a.ts',
    "db.exec('INSERT INTO file VALUES (1)')",
    /\[L1\]/,
  ],
  ['[L1] nor by INSERT OR REPLACE', 'supervisor/a.ts', "db.exec('insert or replace into file VALUES (1)')", /\[L1\]/],
  ['[L1] nor by REPLACE', 'supervisor/a.ts', "db.exec('REPLACE INTO file VALUES (1)')", /\[L1\]/],
  ['[L1] nor by UPDATE on a name put in', 'supervisor/a.ts', 'db.exec(`UPDATE ${table}\n  SET seq = 1`)', /\[L1\]/],
  ['[L1] nor by DELETE', 'command-line/a.ts', "db.exec('DELETE FROM file')", /\[L1\]/],
  [
    'no function past the limit',
    'core/a.ts',
    `export function a() {\n${'  b()\n'.repeat(FUNCTION_LINES_MAX)}}\n`,
    /a function of 72 lines/,
  ],
  ['no line past the limit', 'core/a.ts', `export const a = ${'1 + '.repeat(30)}1\n`, /138 columns/],
  ['no file past the limit', 'core/a.ts', 'export {}\n'.repeat(LINES_MAX + 1), /401 lines/],
  ['no barrel by name', 'core/index.ts', "export { x } from './tree.ts'", /a barrel/],
  ['no barrel by content', 'core/all.ts', "export * from './tree.ts'", /a barrel/],
  [
    'a package is declared where it is used',
    'core/a.ts',
    "import { z } from 'zod/v4'",
    /'zod' is not in core\/package\.json/,
  ],
  [
    'a test’s package does not serve code',
    'core/a.ts',
    "import fc from 'fast-check'",
    /'fast-check' is not in core\/package\.json/,
  ],
  [
    'a room is declared like a package',
    'guest/a.ts',
    "import { x } from '@choiros/contract/ids.ts'",
    /'@choiros\/contract' is not in guest\/package\.json/,
  ],
  ['a new folder is a decision', 'shared/a.ts', 'export const x = 1', /shared\/ is no room/],
  ['what does not parse is not judged', 'core/a.ts', 'export const =', /does not parse/],
]

const SOUND: readonly [rule: string, path: string, source: string][] = [
  [
    'the supervisor sees contract, core and ports',
    'supervisor/a.ts',
    "import '@choiros/contract/ids.ts'\nimport '@choiros/core/tree.ts'\nimport '@choiros/ports/event-log/event-log.ts'",
  ],
  ['a main names adapters', 'supervisor/main.ts', "import { x } from '@choiros/ports/event-log/sqlite.ts'"],
  ['a test names adapters', 'supervisor/a.test.ts', "import { x } from '@choiros/ports/event-log/memory.fake.ts'"],
  ['ports are free among themselves', 'ports/objects/local.ts', "import { x } from '../event-log/sqlite.ts'"],
  [
    'what lies beside the ports belongs to all',
    'supervisor/a.ts',
    "import { x } from '@choiros/ports/storage-error.ts'",
  ],
  [
    'tests, bench and scripts see everything',
    'bench/a.ts',
    "import '@choiros/supervisor/x.ts'\nimport '@choiros/ports/event-log/sqlite.ts'\nimport 'better-sqlite3'\nimport '../tests/x.ts'",
  ],
  ['canonical.ts hashes', 'contract/canonical.ts', "import { hash } from 'node:crypto'"],
  ['a test may use the clock and the disk', 'core/a.test.ts', "import 'node:fs'\nimport 'vitest'\nDate.now()"],
  ['a conformance suite is a test', 'ports/objects/objects.suite.ts', "import { test } from 'vitest'"],
  ['a given time is no clock', 'core/a.ts', 'export const day = (time: number) => new Date(time).getDay()'],
  ['a comment is no code', 'core/a.ts', "// Date.now(), import 'node:fs'\n/* Math.random() */ export {}"],
  ['a text is no code', 'core/a.ts', 'export const text = "Date.now() import(\'node:fs\')"'],
  ['reducers write tables', 'core/reducers/a.ts', "export const put = 'INSERT INTO file VALUES (1)'"],
  ['state writes its cursor', 'supervisor/state/a.ts', "db.exec('UPDATE cursor SET seq = 1')"],
  [
    'reading is not writing',
    'supervisor/a.ts',
    "db.exec('SELECT deleted FROM file'); say('You may delete from the list, or update it: set a name')",
  ],
  ['the limit itself is allowed', 'core/a.ts', 'export {}\n'.repeat(LINES_MAX)],
]

describe('a broken rule is found', () => {
  test.each(BROKEN)('%s', (_rule, path, source, problem) => {
    expect(problemsOf(path, source)).toContainEqual(expect.stringMatching(problem))
  })
})

describe('a kept rule is left alone', () => {
  test.each(SOUND)('%s', (_rule, path, source) => {
    expect(problemsOf(path, source)).toEqual([])
  })
})

test('a problem is told with its line', () => {
  expect(problemsOf('core/a.ts', "import './tree.ts'\n\nexport const a = 1\nexport const b = Date.now()\n")).toEqual([
    expect.stringMatching(/^4: /),
  ])
})

test('a missing package is told once for its folder', () => {
  const files = ['core/a.ts', 'core/b.ts'].map((path) => readFacts(path, "import 'zod'"))
  expect(findViolations(files, MANIFESTS)).toEqual([
    { path: 'core/a.ts', line: 1, message: "'zod' is not in core/package.json" },
  ])
})

test('a package.json may not name a room that its own may not import', () => {
  const manifests = { core: { dependencies: ['@choiros/supervisor'], devDependencies: [] } }
  expect(findViolations([], manifests)).toEqual([
    { path: 'core/package.json', line: 1, message: 'core may not depend on supervisor' },
  ])
})

test.each(Object.keys(INNER_LAYERS))(
  'the folders of %s make no ring: each imports only those listed before it',
  (room) => {
    const folders = Object.entries(INNER_LAYERS[room]!)
    for (const [index, [folder, below]] of folders.entries()) {
      const before = folders.slice(0, index).map(([name]) => name)
      expect([folder, below.filter((name) => !before.includes(name))]).toEqual([folder, []])
    }
  },
)
