import { z } from 'zod'
import { programsHere, runCommand } from './run-command.ts'
import { define } from './tool.ts'

const SECONDS = 60
const SECONDS_MAX = 600
const OUTPUT_BYTES_MAX = 1024 * 1024
/** Of a long output, so much of its beginning and of its end is told at once. */
const HEAD_CHARS = 4000
const TAIL_CHARS = 8000

/** The machine's own programs are there, and machines differ: a model that is told of one that is missing tries it. */
const PROGRAMS = programsHere(['node', 'git', 'rg', 'grep', 'sed', 'awk', 'find', 'diff', 'jq', 'python3', 'perl'])
const PROGRAM_WORDS = PROGRAMS.length === 0 ? '' : ` It finds ${PROGRAMS.join(', ')} and the usual small programs.`

export const shell = define({
  description: `Runs a command with /bin/sh in your folder. There is no network.${PROGRAM_WORDS} It is ended after ${SECONDS} s, or after timeout_s (at most ${SECONDS_MAX}). Of a long output you are told the beginning and the end; the whole of it can be read and searched as output/1, output/2 and so on. The SDK's sources are in /opt/choir/sdk there.`,
  input: z.strictObject({
    command: z.string().min(1).max(8000),
    timeout_s: z.number().int().min(1).max(SECONDS_MAX).optional(),
  }),
  async use({ folder, outputs, commandMsMax }, { command, timeout_s: seconds = SECONDS }) {
    const limits = { wallClockMs: Math.min(seconds * 1000, commandMsMax), outputBytesMax: OUTPUT_BYTES_MAX }
    const { exit_code: exitCode, log } = await runCommand(['/bin/sh', '-c', command], folder, limits)
    const head = `exit code ${exitCode}`
    if (log.length <= HEAD_CHARS + TAIL_CHARS) return `${head}\n${log}`
    const name = outputs.keep(log)
    const left = log.length - HEAD_CHARS - TAIL_CHARS
    return [
      `${head}; ${log.split('\n').length} lines, kept as ${name}`,
      log.slice(0, HEAD_CHARS).toWellFormed(),
      `(… ${left} characters are left out here …)`,
      log.slice(-TAIL_CHARS).toWellFormed(),
    ].join('\n')
  },
})
