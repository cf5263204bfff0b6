import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'

/** Debian's own browsers, or those that the environment names: the suites run in older ones too. */
export const CHROMIUM_PROGRAM = process.env['CHOIR_CHROMIUM'] ?? '/usr/bin/chromium'
export const FIREFOX_PROGRAM = process.env['CHOIR_FIREFOX'] ?? '/usr/bin/firefox-esr'
export const webKitProgram = () => globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')[0]

/** The flags keep it from contacting its maker. */
export const CHROMIUM = {
  executablePath: CHROMIUM_PROGRAM,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--no-first-run',
  ],
}

/** Runs once before all tests of a lane: to judge a failed browser test, one must know which browser it was. */
export function setup(): void {
  for (const program of [CHROMIUM_PROGRAM, FIREFOX_PROGRAM]) process.stdout.write(`browser: ${versionOf(program)}\n`)
  process.stdout.write(`browser: WebKitGTK ${webKitVersion()}\n`)
}

function versionOf(program: string): string {
  try {
    return execFileSync(program, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 20_000,
    }).trim()
  } catch {
    return `${program} is not there`
  }
}

/** Its browser prints nothing without a screen; the package list has the version of its library. */
function webKitVersion(): string {
  try {
    return execFileSync('dpkg-query', ['--show', '--showformat=${Version}', 'libwebkit2gtk-4.1-0'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return 'of a version that nobody knows'
  }
}
