import { run } from 'node:test'
import { openReporter } from './reporter.ts'

/** Runs one file of tests in this process, by Node's own runner; what it needs has been made into one file before. */
const tell = openReporter()
const [file = ''] = process.argv.slice(2)

interface Failed {
  readonly name: string
  readonly line?: number
  readonly file?: string
  readonly details: { readonly error: Error & { readonly cause?: unknown }; readonly type?: string }
}

let [passed, failed] = [0, 0]
const stream = run({ files: [file], isolation: 'none', concurrency: false })
stream.on('test:pass', ({ details }) => {
  if (details.type !== 'suite') passed++
})
stream.on('test:fail', (event) => {
  const { name, details } = event as unknown as Failed
  // A group fails because of what is in it, which is told already.
  if ((details.error as { failureType?: string }).failureType === 'subtestsFailed') return
  failed++
  const error = details.error.cause instanceof Error ? details.error.cause : details.error
  tell({ failed: name.slice(0, 300), message: wordsOf(error), stack: (error.stack ?? '').slice(0, 4000) })
})
stream.on('test:summary', () => tell({ done: true, passed, failed }))
stream.resume()

function wordsOf(error: Error): string {
  return (error.message === '' ? error.name : error.message).trim().slice(0, 900).toWellFormed()
}
