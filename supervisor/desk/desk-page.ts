import { request } from 'node:http'
import type { Sandbox } from '@choiros/ports/sandbox/sandbox.ts'

/** Where Vite listens inside a desk. */
export const DESK_PORT = 5173
/** More than any page has; a desk that invents addresses without end is not asked for ever. */
const MODULES_MAX = 2000
const TEXT_MAX = 16 * 1024 * 1024

interface Answer {
  readonly status: number
  readonly text: string
}

/** What a desk says to one request; null where it says nothing in time. */
export async function askDesk(sandbox: Sandbox, path: string, withinMs: number): Promise<Answer | null> {
  const stream = await sandbox.dial(DESK_PORT).catch(() => null)
  if (stream === null) return null
  let limit: NodeJS.Timeout | undefined
  const answered = await new Promise<Answer | null>((resolve) => {
    // Not the request's own timeout: that does not work on a stream that is no socket, and a desk that hangs would be
    // waited for without end.
    limit = setTimeout(() => resolve(null), withinMs)
    const asked = request(
      { createConnection: () => stream, path, headers: { host: 'localhost', accept: '*/*' } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
          if (text.length > TEXT_MAX) response.destroy()
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', () => resolve(null))
        response.on('close', () => resolve(null))
      },
    )
    asked.on('error', () => resolve(null))
    asked.end()
  })
  clearTimeout(limit)
  stream.destroy()
  return answered
}

/**
 * Whether a page could come up here: the page itself, its scripts, and everything these import before they begin. An
 * open page proves nothing: it keeps what it has loaded, even when the code has broken since.
 */
export async function servesPage(sandbox: Sandbox, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  const page = await askDesk(sandbox, '/index.html', withinMs)
  if (page?.status !== 200) return false
  const known = new Set(['/@vite/client'])
  let next = [...known, ...namedIn(page.text, /<script\b[^>]*\bsrc\s*=\s*["']?(\/[^"'\s>]+)/gi)]
  while (next.length > 0 && known.size < MODULES_MAX) {
    for (const path of next) known.add(path)
    const answers = await Promise.all(next.map((path) => askDesk(sandbox, path, Math.max(1, deadline - Date.now()))))
    // 504: Vite has found another package meanwhile and wants to be asked anew; that is not the tree's fault.
    if (!answers.every((answer) => answer !== null && (answer.status === 200 || answer.status === 504))) return false
    next = [...new Set(answers.flatMap((answer) => namedIn(answer?.text ?? '', IMPORTED)))].filter(
      (path) => !known.has(path),
    )
  }
  return true
}

/**
 * Imports that a module needs before it begins, as Vite writes them: by absolute addresses. What it loads later
 * (`import(…)`) may fail without stopping the page.
 */
const IMPORTED = /^\s*(?:import|export)\b[^"'();]*["'](\/[^"']+)["']/gm

function namedIn(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].map((match) => match[1] ?? '')
}
