import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('[L15] complete offline', { timeout: 120_000 }, () => {
  afterAll(removeFolders)

  test('[L15] nothing that a page is made of is fetched from elsewhere', () => {
    const outside: string[] = []
    for (const path of globSync('{desktop,control-plane}/**/*.{html,css,ts,tsx}', { cwd: ROOT })) {
      if (/\.test\.|node_modules/.test(path)) continue
      for (const [found] of readFileSync(`${ROOT}${path}`, 'utf8').matchAll(
        /(?:src|href)="(?:https?:)?\/\/[^"]+"|url\(['"]?(?:https?:)?\/\/[^)]+\)|from '(?:https?:)?\/\/[^']+'/g,
      ))
        outside.push(`${path}: ${found}`)
    }
    expect(outside).toEqual([])
  })

  // A network of its own in which there is nothing but loopback. Only root may make one.
  test.runIf(process.getuid?.() === 0)(
    '[L15] without a network and without a key it starts, and a sentence becomes a change that is verified and can be undone',
    () => {
      const home = temporaryFolder()
      const node = process.execPath
      const script = `
      set -eu
      ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || ${node} -e 0
      choir() { ${node} command-line/main.ts --home '${home}' "$@"; }
      : >'${home}.out'
      ${node} scripts/launch.ts --home '${home}' --port 4788 >'${home}.out' 2>&1 &
      for i in $(seq 1 300); do grep -q 'Sign in' '${home}.out' && break; sleep 0.1; done
      choir prompt 'make the accent teal' --wait --json
      choir cat artifacts/system/accent.json; echo
      choir undo --json
      choir verify --json
      choir stop --all
    `
      const environment = Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/proxy|CHOIR_MODEL/i.test(name)),
      )
      const { status, stdout, stderr } = spawnSync('unshare', ['--net', 'bash', '-c', script], {
        cwd: ROOT,
        encoding: 'utf8',
        env: environment,
        timeout: 110_000,
      })
      expect([status, stderr.replaceAll(/.*(Warning|--trace-warnings).*\n?/g, '')]).toEqual([0, ''])
      expect(stdout).toMatch(/"status":"landed"/)
      expect(stdout).toMatch(/#008080/)
      expect(stdout).toMatch(/"ok":true/)
    },
  )
})
