import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { sha256 } from '@choiros/contract/canonical.ts'

const PROGRAM = fileURLToPath(new URL('strip-types.ts', import.meta.url))
const KEPT = 'page-scripts-'
const Texts = z.array(z.string())

/**
 * TypeScript files as pages can run them, in the given order. The result is kept beside what Node has compiled, in a
 * place that only the one who installed ChoirOS writes to.
 */
export function readStripped(files: readonly string[]): string[] {
  const folder = process.env['NODE_COMPILE_CACHE']
  const sources = [process.version, ...files.map((file) => readFileSync(file, 'utf8'))]
  const name = `${KEPT}${sha256(sources.join('\0'))}.json`
  const known = folder === undefined ? null : readKept(join(folder, name), files.length)
  if (known !== null) return known
  const output = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM], {
    input: JSON.stringify(files),
    encoding: 'utf8',
    env: {},
    maxBuffer: 64 * 1024 * 1024,
  })
  if (folder !== undefined) keep(folder, name, output)
  return Texts.parse(JSON.parse(output))
}

function readKept(file: string, count: number): string[] | null {
  try {
    return Texts.length(count).parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** A place that cannot be written only costs time at the next start. */
function keep(folder: string, name: string, text: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const old of readdirSync(folder)) if (old.startsWith(KEPT)) rmSync(join(folder, old))
    const making = join(folder, `${KEPT}${process.pid}.new`)
    writeFileSync(making, text)
    renameSync(making, join(folder, name))
  } catch {}
}
