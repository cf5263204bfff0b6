import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { BIN, NODE, ROOT } from './setup.mjs'

/**
 * Node keeps the compiled TypeScript, so that a start takes half as long. Beside the packages, where nobody else may
 * write.
 */
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules', '.cache', 'compiled')

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Turns this process into Node 24 running `args`; does not return. Where this Node cannot replace itself, it waits for
 * a child and ends as the child did.
 * @param {string[]} args
 * @param {{ cwd?: string }} [options]
 */
export async function becomeNode(args, { cwd } = {}) {
  // One process instead of two: a signal arrives once, and kill -9 of what the user sees leaves no orphan.
  if (typeof process.execve === 'function') {
    if (cwd !== undefined) process.chdir(cwd)
    process.execve(NODE, [NODE, ...args], { ...process.env })
  }
  process.exit(await runNode(args, { cwd }))
}

/**
 * @param {string[]} args
 * @param {{ cwd?: string }} [options]
 * @returns {Promise<number>} the exit code, as a shell would tell it
 */
export function runNode(args, { cwd } = {}) {
  const child = spawn(NODE, args, { cwd, stdio: 'inherit' })
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => void child.kill(signal)
  for (const signal of FORWARDED) process.on(signal, forward)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward)
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}

/**
 * What npm does for its scripts, for a script that was started without npm: tests and tools that call `node` must get
 * Node 24.
 */
export function useOwnCommands() {
  process.chdir(ROOT)
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== BIN)
  process.env['PATH'] = [BIN, ...path].join(delimiter)
}

/**
 * npm goes to the checkout before it runs a script: `choir export backup` would write there instead of where the user
 * stands. Only under that very script: any other npm script above us (a test) has an INIT_CWD that is not our caller's.
 * @param {string} script
 */
export function callersFolder(script) {
  return process.env['npm_lifecycle_event'] === script ? process.env['INIT_CWD'] : undefined
}
