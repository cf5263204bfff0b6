import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { MUTATIONS } from './mutations.ts'

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url))
const OWN = '@choiros'

/** A checkout of its own, whose rooms import each other and not the originals. */
function copyCheckout(): string {
  const copy = temporaryFolder()
  cpSync(CHECKOUT, copy, { recursive: true, filter: (source) => !/\/(node_modules|\.git)$/.test(source) })
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, OWN), { recursive: true })
  for (const name of readdirSync(join(CHECKOUT, 'node_modules'))) {
    if (name !== OWN) symlinkSync(join(CHECKOUT, 'node_modules', name), join(modules, name))
  }
  for (const room of readdirSync(join(CHECKOUT, 'node_modules', OWN)))
    symlinkSync(join(copy, room), join(modules, OWN, room))
  return copy
}

function runTest(checkout: string, file: string): Promise<{ code: number; output: string }> {
  const vitest = join(dirname(fileURLToPath(import.meta.resolve('vitest/package.json'))), 'vitest.mjs')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [vitest, 'run', '--project', 'normal', file],
      { cwd: checkout, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, CHOIR_LANE: 'fast' } },
      (error, stdout, stderr) => {
        resolve({
          code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1,
          output: stdout + stderr,
        })
      },
    )
  })
}

describe('mutations', () => {
  const copy = copyCheckout()
  afterAll(removeFolders)

  for (const file of new Set(MUTATIONS.map((mutation) => mutation.test))) {
    test(`${file} is green as it stands`, async () => {
      const { code, output } = await runTest(copy, file)
      expect([code, code === 0 ? '' : output]).toEqual([0, ''])
    })
  }

  for (const { law, breaks, file, find, replace, test: lawTest } of MUTATIONS) {
    test(`[${law}] goes red when ${breaks}`, async () => {
      const target = join(copy, file)
      const original = readFileSync(target, 'utf8')
      expect(original.split(find)).not.toHaveLength(1)
      writeFileSync(
        target,
        original.replaceAll(find, () => replace),
      )
      try {
        const { code, output } = await runTest(copy, lawTest)
        expect(code).not.toBe(0)
        expect(output).toContain(`[${law}]`)
        expect(output).toMatch(/AssertionError|ChoirError|assertion failed/)
      } finally {
        writeFileSync(target, original)
      }
    })
  }
})
