import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const tree = mkdtempSync(join(tmpdir(), 'choiros-'))
afterAll(() => rmSync(tree, { recursive: true }))

function verify(name: string): unknown {
  const { stdout } = spawnSync(process.execPath, [fileURLToPath(new URL(`${name}.ts`, import.meta.url))], { cwd: tree, encoding: 'utf8' })
  return JSON.parse(stdout.trim())
}

test('a tree without a desktop is told so in words by each verifier that needs one', () => {
  const told = { ok: false, problems: [{ path: 'app', line: null, message: "the desktop's folder is missing" }] }
  expect([verify('transform'), verify('types'), verify('policy')]).toEqual([told, told, { ok: true, problems: [] }])
})
