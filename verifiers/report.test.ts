import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const tree = mkdtempSync(join(tmpdir(), 'choiros-'))
afterAll(() => rmSync(tree, { recursive: true }))

function verify(name: string, paths?: readonly string[]): unknown {
  const { stdout } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL(`${name}.ts`, import.meta.url)), ...(paths === undefined ? [] : [JSON.stringify(paths)])],
    { cwd: tree, encoding: 'utf8' },
  )
  return JSON.parse(stdout.trim())
}

test('a tree without a desktop is told so in words by each verifier that needs one', () => {
  const told = { ok: false, problems: [{ path: 'app', line: null, message: "the desktop's folder is missing" }] }
  expect([verify('transform'), verify('types'), verify('policy')]).toEqual([told, told, { ok: true, problems: [] }])
})

test('policy judges no folder, and no link that leads to one or to nothing', () => {
  mkdirSync(join(tree, 'artifacts/system/folder.json'), { recursive: true })
  mkdirSync(join(tree, 'app/apps/empty.ts'), { recursive: true })
  symlinkSync('apps', join(tree, 'app/link.ts'))
  symlinkSync('nowhere', join(tree, 'app/lost.ts'))
  expect(verify('policy', ['artifacts/system/folder.json', 'app/apps/empty.ts', 'app/link.ts', 'app/lost.ts'])).toEqual(
    { ok: true, problems: [] },
  )
})

test('policy reads a script whatever its ending', () => {
  const endings = ['ts', 'tsx', 'js', 'jsx', 'mts', 'mjs', 'cts', 'cjs']
  for (const ending of endings)
    writeFileSync(join(tree, `app/out.${ending}`), 'export const way = new RTCPeerConnection()\n')
  const { problems } = verify(
    'policy',
    endings.map((ending) => `app/out.${ending}`),
  ) as { problems: { path: string }[] }
  expect([...new Set(problems.map(({ path }) => path))]).toEqual(endings.map((ending) => `app/out.${ending}`))
})
