import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { createInterface } from 'node:readline'
import { LookAnswer, lookMs, LookRequest, type Seen } from '@choiros/contract/look.ts'
import { picturesOf, SEE_DESCRIPTION, seenWords } from '@choiros/core/seen-words.ts'
import { define } from './tool.ts'

/** The Associate's eyes: a browser that stays open as long as its task lasts. */
export interface Eyes {
  look(request: LookRequest): Promise<Seen>
}

/** `command` starts the program that looks; it is started when something is looked at for the first time. */
export function createEyes(command: readonly string[], folder: string): Eyes {
  let running: ReturnType<typeof start> | null = null
  let turn: Promise<unknown> = Promise.resolve()

  const start = () => {
    const [program = '', ...args] = command
    const child: ChildProcessWithoutNullStreams = spawn(program, args, {
      cwd: folder,
      env: { CHOIR_BROWSER: process.env['CHOIR_BROWSER'] ?? 'none' },
    })
    child.stderr.resume()
    const lines = createInterface({ input: child.stdout })
    // Whoever looks next starts another one, which must not be forgotten when this one ends at last.
    const gone = () => {
      if (running?.child === child) running = null
    }
    child.once('error', gone)
    child.stdin.on('error', gone)
    lines.once('close', gone)
    return { child, lines: lines[Symbol.asyncIterator]() }
  }
  const ask = async (request: LookRequest): Promise<Seen> => {
    const { child, lines } = (running ??= start())
    const mayMs = lookMs(request)
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      child.kill('SIGKILL')
    }, mayMs)
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await lines.next()
    clearTimeout(late)
    if (done === true)
      throw new Error(
        isLate
          ? `nothing was seen within ${mayMs / 1000} s: what is shown keeps the browser from everything else`
          : 'what looks at the desktop has ended; try it once more',
      )
    const answer = LookAnswer.parse(JSON.parse(value))
    if ('error' in answer) throw new Error(answer.error)
    return answer.seen
  }
  return {
    look(request) {
      const looked = turn.then(() => ask(request))
      turn = looked.catch(() => {})
      return looked
    },
  }
}

export const see = define({
  description: `${SEE_DESCRIPTION} Use it for everything a person will see.`,
  input: LookRequest,
  async use({ eyes }, request) {
    const seen = await eyes.look(request)
    return { text: seenWords(seen), pictures: picturesOf(seen) }
  },
})
