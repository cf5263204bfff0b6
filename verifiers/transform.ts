import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { transform as transformCss } from 'lightningcss'
import { parseSync, transformSync } from 'rolldown/utils'
import { appFiles, isScript, lineAt, missingDesktop, report, TREE, type Problem } from './report.ts'

/**
 * Whether the desktop can be served at all: every script and style parses, every relative import leads to a file, the
 * page has its entry.
 */
const ENDINGS = ['', '.ts', '.tsx', '.js', '.jsx']

const missing = missingDesktop()
report(missing.length > 0 ? missing : [...appFiles().flatMap(checkFile), ...checkPage()])

function checkFile(path: string): Problem[] {
  const text = readFileSync(join(TREE, path), 'utf8')
  if (isScript(path)) return checkScript(path, text)
  if (path.endsWith('.css')) return checkStyle(path, text)
  return path.endsWith('.json') ? checkJson(path, text) : []
}

function checkScript(path: string, text: string): Problem[] {
  const { errors } = transformSync(path, text, { tsconfig: false })
  if (errors.length > 0)
    return errors.map((error) => ({ path, line: lineOf(text, error), message: plain(error.message) }))
  const { module } = parseSync(path, text)
  const named = [
    ...module.staticImports.map((one) => one.moduleRequest),
    ...module.staticExports.flatMap((one) => one.entries.map((entry) => entry.moduleRequest)),
  ]
  return named.flatMap((request) =>
    request === null || request === undefined || !request.value.startsWith('.') || leads(path, request.value)
      ? []
      : [{ path, line: lineAt(text, request.start), message: `there is no ${request.value}` }],
  )
}

function leads(path: string, specifier: string): boolean {
  const target = normalize(join(dirname(path), specifier.replace(/[?#].*$/, '')))
  return (
    target.startsWith('app/') &&
    ENDINGS.some((ending) => existsSync(join(TREE, target + ending)) && statSync(join(TREE, target + ending)).isFile())
  )
}

function checkStyle(path: string, text: string): Problem[] {
  try {
    transformCss({ filename: path, code: Buffer.from(text) })
    return []
  } catch (error) {
    const { loc, message } = error as { loc?: { line: number }; message: string }
    return [{ path, line: loc?.line ?? null, message }]
  }
}

function checkJson(path: string, text: string): Problem[] {
  try {
    JSON.parse(text)
    return []
  } catch (error) {
    return [{ path, line: null, message: (error as Error).message }]
  }
}

/** The page names its scripts itself; if one is missing, the page stays blank. */
function checkPage(): Problem[] {
  const path = 'app/index.html'
  if (!existsSync(join(TREE, path))) return [{ path, line: null, message: 'the desktop has no page' }]
  const text = readFileSync(join(TREE, path), 'utf8')
  const scripts = [...text.matchAll(/<script\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]+)/gi)]
  if (scripts.length === 0) return [{ path, line: null, message: 'the page loads no script' }]
  return scripts.flatMap((match) => {
    const source = match[1] ?? ''
    return source.startsWith('/') && existsSync(join(TREE, 'app', source))
      ? []
      : [{ path, line: lineAt(text, match.index), message: `there is no ${source}` }]
  })
}

function lineOf(text: string, error: unknown): number | null {
  const start = (error as { labels?: readonly { start: number }[] }).labels?.[0]?.start
  return start === undefined ? null : lineAt(text, start)
}

/** The first line, without colours and without the tool's own code for the error. */
function plain(message: string): string {
  // oxlint-disable-next-line no-control-regex
  const text = message.replaceAll(/\u001b\[[0-9;]*m/g, '')
  return (text.split('\n')[0] ?? text).replace(/^\[\w+\]\s*/, '')
}
