import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { VERIFIERS } from '@choiros/core/verifier-plan.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openCourt } from '../support/judged-tree.ts'

const DESKTOP = fileURLToPath(new URL('../../desktop', import.meta.url))
const guide = readFileSync(join(DESKTOP, 'sdk', 'GUIDE.md'), 'utf8')
/** Where the desktop's packages are found; beside the real apps, other tests would take it for one of them. */
const place = mkdtempSync(join(DESKTOP, '..', 'node_modules', '.guide-'))
afterAll(() => {
  rmSync(place, { recursive: true })
  removeFolders()
})
const files = [...guide.matchAll(/^`app\/apps\/(cups\/[\w.-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(
  ([, path, text]) => ({
    path: path!,
    text: text!,
  }),
)

function writeFiles(folder: string): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

test('the example in the guide is an app that compiles as the desktop does', () => {
  expect(files.map(({ path }) => path)).toEqual([
    'cups/app.tsx',
    'cups/cups.tsx',
    'cups/count.ts',
    'cups/count.test.ts',
    'cups/cups.css',
  ])
  writeFiles(place)
  const options = JSON.stringify({
    extends: join(DESKTOP, 'tsconfig.json'),
    include: [join(place, 'cups'), join(DESKTOP, 'toolchain', 'testing.d.ts')],
    exclude: [],
  })
  writeFileSync(join(place, 'tsconfig.json'), options)
  const compiler = join(DESKTOP, '..', 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout, status } = spawnSync(
    process.execPath,
    [compiler, '--noEmit', '--project', join(place, 'tsconfig.json')],
    { encoding: 'utf8' },
  )
  expect([status, stdout]).toEqual([0, ''])
})

test('the example in the guide passes every verifier, and its own test fails where it is wrong', async () => {
  const court = await openCourt(temporaryFolder())
  try {
    const own = Object.fromEntries(files.map(({ path, text }) => [`app/apps/${path}`, text]))
    const tree = court.tree(own)
    for (const verifier of VERIFIERS) {
      const paths = verifier === 'test' ? ['app/apps/cups/count.test.ts'] : Object.keys(own)
      const { ok, problems } = await court.judge(verifier, tree, paths)
      expect([verifier, ok, problems]).toEqual([verifier, true, []])
    }
    const rules = 'app/apps/cups/count.ts'
    const wrong = court.tree({ ...own, [rules]: (own[rules] ?? '').replace('?? 0) + 1', '?? 0) + 2') })
    const { problems } = await court.judge('test', wrong, ['app/apps/cups/count.test.ts'])
    expect(problems[0]).toMatchObject({ line: 7, message: expect.stringContaining('one cup more is one') as string })
  } finally {
    await court.close()
  }
})

test('every file, function and component that the guide speaks of is there', () => {
  // A row of the table names files of the SDK, and behind them what they give.
  for (const [, row = '', use = ''] of guide.matchAll(/^\| (`@choiros\/sdk\/.+?) \| (.+) \|$/gm)) {
    const sources = [...row.matchAll(/([\w-]+\.tsx?)/g)]
      .map(([, file]) => readFileSync(join(DESKTOP, 'sdk', file!), 'utf8'))
      .join('\n')
    const given = [...use.matchAll(/`<?(\w+)(?:\(|>)/g)].map(([, name]) => name!)
    expect([row, given.length > 0]).toEqual([row, true])
    const isOwn = (name: string) => new RegExp(`export (default )?(async )?(function|const) ${name}\\b|\\b${name}\\(`)
    for (const name of given) expect([row, name, isOwn(name).test(sources)]).toEqual([row, name, true])
  }
  const named = [...guide.matchAll(/@choiros\/sdk\/([\w-]+\.tsx?)/g)].map(([, file]) => file!)
  for (const file of new Set(named)) expect(readFileSync(join(DESKTOP, 'sdk', file), 'utf8')).toContain('export')
  const tokens = readFileSync(join(DESKTOP, 'shell', 'tokens.css'), 'utf8')
  for (const [, variable] of guide.matchAll(/`(--[\w-]+)`/g)) expect(tokens).toContain(`${variable}:`)
})
