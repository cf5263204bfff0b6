import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'

const DESKTOP = fileURLToPath(new URL('../../desktop', import.meta.url))
const guide = readFileSync(join(DESKTOP, 'sdk', 'GUIDE.md'), 'utf8')
/** Where the desktop's packages are found; beside the real apps, other tests would take it for one of them. */
const place = mkdtempSync(join(DESKTOP, '..', 'node_modules', '.guide-'))
afterAll(() => rmSync(place, { recursive: true }))

test('the example in the guide is an app that compiles as the desktop does', () => {
  const files = [...guide.matchAll(/^`app\/apps\/(cups\/[\w.-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, path, text]) => ({
    path: path!,
    text: text!,
  }))
  expect(files.map(({ path }) => path)).toEqual(['cups/app.tsx', 'cups/cups.tsx', 'cups/count.ts', 'cups/cups.css'])
  for (const { path, text } of files) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
  const options = JSON.stringify({ extends: join(DESKTOP, 'tsconfig.json'), include: [join(place, 'cups')], exclude: [] })
  writeFileSync(join(place, 'tsconfig.json'), options)
  const compiler = join(DESKTOP, '..', 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout, status } = spawnSync(process.execPath, [compiler, '--noEmit', '--project', join(place, 'tsconfig.json')], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, ''])
})

test('every file and name that the guide speaks of is there', () => {
  const named = [...guide.matchAll(/@choiros\/sdk\/([\w-]+\.tsx?)/g)].map(([, file]) => file!)
  for (const file of new Set(named)) expect(readFileSync(join(DESKTOP, 'sdk', file), 'utf8')).toContain('export')
  const tokens = readFileSync(join(DESKTOP, 'shell', 'tokens.css'), 'utf8')
  for (const [, variable] of guide.matchAll(/`(--[\w-]+)`/g)) expect(tokens).toContain(`${variable}:`)
})
