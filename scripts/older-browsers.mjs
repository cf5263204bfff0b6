// Browsers as people have them who have not updated for months, unpacked beside the installed ones, whose libraries
// they use.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'choiros')
const ROOT = join(CACHE, 'browsers-150-140')
/** Package, version, SHA-256: only what Debian made is run. */
const OLDER = /** @type {const} */ ([
  ['chromium', '150.0.7871.100-1~deb12u1', '9eb054fb52bbcd7a8c6407484be2337298ff8b1e19af14af2e7b497fa190ce4f'],
  ['chromium-common', '150.0.7871.100-1~deb12u1', '31326f6b71ce20a52e7bea9792bf7135d4ff802e1cdbc250960b1b46729998d2'],
  ['firefox-esr', '140.12.0esr-1~deb12u1', 'ce50b83e3cb81b0908346f555fabb679646baefe24a3270913347a9b52615647'],
])

/**
 * Where they are, as environment variables of the tests; null, after a message, if they are not available (a machine
 * other than Debian on amd64, no network, gone from the pool).
 *
 * @returns {{ CHOIR_CHROMIUM: string, CHOIR_FIREFOX: string } | null}
 */
export function olderBrowsers() {
  if (!existsSync(ROOT)) {
    const draft = `${ROOT}.${process.pid}`
    try {
      mkdirSync(draft, { recursive: true })
      for (const [name, version, hash] of OLDER) unpack(name, version, hash, draft)
      renameSync(draft, ROOT)
    } catch (error) {
      process.stderr.write(`older browsers: ${/** @type {Error} */ (error).message}; what needs them is left out\n`)
      return null
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
  return {
    CHOIR_CHROMIUM: join(ROOT, 'usr/lib/chromium/chromium'),
    CHOIR_FIREFOX: join(ROOT, 'usr/lib/firefox-esr/firefox-esr'),
  }
}

/**
 * @param {string} name
 * @param {string} version
 * @param {string} hash
 * @param {string} folder
 */
function unpack(name, version, hash, folder) {
  // The pool is where the machine's own package of that name comes from.
  const present = output('apt-get', ['--print-uris', 'download', name])
  const pool = /'([^']+)\/[^/']+'/.exec(present)?.[1]
  if (pool === undefined) throw new Error(`apt-get does not say where ${name} comes from`)
  const file = join(folder, `${name}.deb`)
  output('/usr/lib/apt/apt-helper', ['download-file', `${pool}/${name}_${version}_amd64.deb`, file, `SHA256:${hash}`])
  output('dpkg', ['-x', file, folder])
  rmSync(file)
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function output(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 300_000 })
  if (error !== undefined || status !== 0)
    throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`)
  return stdout
}
