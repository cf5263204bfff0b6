import { spawn } from 'node:child_process'

const SIGN_OF_LIFE_MS = 10_000
const OUTPUT_CHARS_MAX = 20_000

/**
 * Runs a command that is only worth reading when it fails: a line when it starts, one every ten seconds, one when it is
 * done.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, cwd?: string, lock: number, what: string, say: (line: string) => void }} options
 * `lock` stays open in the command as long as it runs
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function runQuietly(command, args, { env, cwd, lock, what, say }) {
  const start = Date.now()
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`
  say(`${what} ...`)
  const alive = setInterval(() => say(`${what} is still at work after ${seconds()}`), SIGN_OF_LIFE_MS)
  return new Promise((resolve) => {
    let output = ''
    /** @param {boolean} ok */
    const finish = (ok) => {
      clearInterval(alive)
      if (ok) say(`${what} done in ${seconds()}`)
      resolve({ ok, output: output.trimEnd() })
    }
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe', lock] })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-OUTPUT_CHARS_MAX)))
    }
    child.on('error', (error) => {
      output += error.message
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}
