// Around `npm pack`: adds what a packed release needs besides its files. `--clean` removes it again.
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './setup.mjs'

const LOCK = join(ROOT, 'release-lock.json')
const ID = join(ROOT, 'release-id')

if (process.argv[2] === '--clean') {
  for (const file of [LOCK, ID]) rmSync(file, { force: true })
} else {
  const { version, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  copyFileSync(join(ROOT, 'package-lock.json'), LOCK)
  // By its bytes, not by its version alone: two packs of one version must not share a folder.
  const hash = createHash('sha256')
  for (const name of [
    'package.json',
    'package-lock.json',
    ...files.filter((/** @type {string} */ form) => !form.startsWith('!')),
  ])
    add(name)
  writeFileSync(ID, `${version}-${hash.digest('hex').slice(0, 16)}\n`)

  /** @param {string} name */
  function add(name) {
    const path = join(ROOT, name)
    if (path === ID || name.endsWith('node_modules')) return
    if (statSync(path).isDirectory()) for (const inside of readdirSync(path).sort()) add(join(name, inside))
    else hash.update(`${name}\0`).update(readFileSync(path))
  }
}
