import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeCheckout } from './fake-checkout.ts'

const NPM_CI = 'npm ci --include=dev --no-audit --no-fund --loglevel=error'
const isRoot = process.getuid?.() === 0

let checkout: ReturnType<typeof createFakeCheckout>
beforeEach(() => {
  checkout = createFakeCheckout()
})
afterEach(() => checkout.remove())

const setup = (purpose = 'start') => checkout.run('setup.mjs', [purpose])

async function journalHas(line: string): Promise<void> {
  while (!checkout.journal().includes(line)) await sleep(10)
}

test('a fresh checkout is installed once, and again when the lockfile changes', async () => {
  checkout.addPackages()
  checkout.addNpm()
  expect(await setup().ended).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^setup: npm ci \.\.\.\nsetup: npm ci done in \d+ s\n$/),
  })
  expect(await setup().ended).toMatchObject({ code: 0, stderr: '' })
  expect(checkout.journal()).toEqual([NPM_CI, 'npm done'])
  checkout.write('package-lock.json', '{ "newer": true }')
  expect(await setup().ended).toMatchObject({ code: 0 })
  expect(checkout.journal()).toEqual([NPM_CI, 'npm done', NPM_CI, 'npm done'])
})

test('what is missing and cannot be installed is told in one sentence before anything is done', async () => {
  checkout.addNpm()
  expect(await setup('start').ended).toMatchObject({
    code: 1,
    stderr:
      'setup: ChoirOS needs the packages git and bubblewrap: install them with "sudo apt-get install -y --no-install-recommends git bubblewrap" and run this again.\n',
  })
  expect(await setup('test').ended).toMatchObject({
    code: 1,
    stderr:
      'setup: ChoirOS needs the packages git, strace, bubblewrap, chromium, firefox-esr, webkit2gtk-driver and xvfb: install them with "sudo apt-get install -y --no-install-recommends git strace bubblewrap chromium firefox-esr webkit2gtk-driver xvfb" and run this again.\n',
  })
  expect(checkout.journal()).toEqual([])
})

/** An apt-get whose lists are as old as the machine: it installs only what is in them. */
const APT_GET = (machine: string) => `
  [ "$DEBIAN_FRONTEND" = noninteractive ] || exit 101
  case "$*" in
    *update) [ -e '${machine}/offline' ] && { echo 'E: no network' >&2; exit 100; }; : > '${machine}/updated'; exit 0;;
  esac
  [ -e '${machine}/empty' ] && { echo 'E: no such luck' >&2; exit 100; }
  for name in git strace bwrap chromium firefox-esr WebKitWebDriver Xvfb; do ln -sf /bin/true '${machine}'/$name; done`

test.runIf(isRoot)(
  'root gets the packages from apt-get, by lists of today, not of the day the machine was made',
  async () => {
    checkout.addNpm()
    checkout.addCommand('apt-get', APT_GET(`${checkout.root}/machine`))
    expect(await setup('test').ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('setup: apt-get update ...\n'),
    })
    expect(checkout.journal().filter((line) => line.startsWith('apt-get'))).toEqual([
      'apt-get -q -o DPkg::Lock::Timeout=600 update',
      'apt-get -q -o DPkg::Lock::Timeout=600 install -y --no-install-recommends git strace bubblewrap chromium firefox-esr webkit2gtk-driver xvfb',
    ])
  },
)

test.runIf(isRoot)('without a network the lists at hand are good enough', async () => {
  checkout.addNpm()
  checkout.addCommand('apt-get', APT_GET(`${checkout.root}/machine`))
  checkout.write('machine/offline', '')
  expect(await setup('test').ended).toMatchObject({ code: 0 })
})

test.runIf(isRoot)('what apt-get said is shown when it fails', async () => {
  checkout.addNpm()
  checkout.addCommand('apt-get', APT_GET(`${checkout.root}/machine`))
  checkout.write('machine/empty', '')
  expect(await setup().ended).toMatchObject({ code: 1, stderr: expect.stringContaining('E: no such luck') })
  checkout.write('machine/offline', '')
  expect(await setup().ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/E: no network[^]*E: no such luck/),
  })
})

test('what npm said is shown when it fails, and the next setup tries again', async () => {
  checkout.addPackages()
  checkout.addCommand('npm', 'echo "npm error ENOSPC" >&2; exit 1')
  expect(await setup().ended).toMatchObject({ code: 1, stderr: expect.stringContaining('npm error ENOSPC') })
  checkout.addNpm()
  expect(await setup().ended).toMatchObject({ code: 0 })
})

test('another Node than 24 in the checkout is an error, not a surprise later', async () => {
  checkout.addPackages()
  checkout.addCommand('old-node', 'echo v20.1.0')
  checkout.addNpm({ node: `${checkout.root}/machine/old-node` })
  expect(await setup().ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is not Node 24') })
})

test('of two setups at once one installs and the other waits', async () => {
  checkout.addPackages()
  checkout.addNpm({ seconds: 1 })
  const first = setup()
  await journalHas(NPM_CI)
  const second = setup()
  expect(await second.ended).toMatchObject({
    code: 0,
    stderr: 'setup: another setup is at work here, waiting for it\n',
  })
  expect(await first.ended).toMatchObject({ code: 0 })
  expect(checkout.journal()).toEqual([NPM_CI, 'npm done'])
})

test('a setup killed by kill -9 leaves no lock, and the next one waits for the npm it left behind', async () => {
  checkout.addPackages()
  checkout.addNpm({ seconds: 1 })
  const first = setup()
  await journalHas(NPM_CI)
  first.child.kill('SIGKILL')
  expect(await setup().ended).toMatchObject({ code: 0 })
  expect(checkout.journal()).toEqual([NPM_CI, 'npm done', NPM_CI, 'npm done'])
})

test('a setup with nothing to do takes little more than starting Node does', async () => {
  checkout.addPackages()
  checkout.addNpm()
  await setup().ended
  const times: number[] = []
  const bare: number[] = []
  for (let round = 0; round < 10; round++) {
    const start = performance.now()
    await setup().ended
    const between = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    times.push(between - start)
    bare.push(performance.now() - between)
  }
  expect(Math.min(...times)).toBeLessThan(6 * Math.min(...bare)) // A ratio in one run: a busy machine slows both.
})
