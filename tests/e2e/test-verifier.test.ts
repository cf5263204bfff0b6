import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IS_LONG_LANE } from '../support/lanes.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openCourt, type Court } from '../support/judged-tree.ts'

const TEST = 'app/apps/dice/roll.test.ts'
const ROLL = {
  'app/apps/dice/roll.ts': 'export const best = (rolls: readonly number[]): number => Math.max(0, ...rolls)\n',
  'app/apps/dice/app.tsx': `import { defineApp } from '@choiros/sdk/app.ts'
import './dice.css'
export const Dice = () => <p>1</p>
export default defineApp({ id: 'dice', title: 'Dice', glyph: '⚄', size: { width: 320, height: 240 }, Content: Dice })
`,
  'app/apps/dice/dice.css': '.dice { color: red }\n',
}
const HEAD = `import { test } from 'node:test'
import assert from 'node:assert/strict'
import { best } from './roll.ts'
`
const FAILS = `test('fails', () => assert.equal(best([1]), 2))\n`
const YES = JSON.stringify({ ok: true, problems: [], means: 'node' })

/** So many attacks; the long lane has them all. */
const FAST = 3

describe('test', () => {
  let court: Court
  beforeAll(async () => void (court = await openCourt(temporaryFolder())))
  afterAll(async () => {
    await court?.close()
    removeFolders()
  })
  const run = (text: string) => court.judge('test', court.tree({ ...ROLL, [TEST]: text }), [TEST])
  const words = ({ problems }: Awaited<ReturnType<typeof run>>) =>
    problems.map(({ path, line, message }) => `${path}:${line}: ${message}`).join('\n')

  test('tests that pass are good; one that fails is told with its file, line and message', async () => {
    const good = await run(`${HEAD}test('best', () => assert.equal(best([1, 6, 2]), 6))\n`)
    expect([good.ok, good.means, words(good)]).toEqual([true, 'node', ''])
    const bad = await run(`${HEAD}test('best', () => {\n  assert.equal(best([]), 1, 'none is none')\n})\n`)
    expect([bad.ok, words(bad)]).toEqual([false, `${TEST}:5: best: none is none\n\n0 !== 1`])
  })

  test('a file without the runner is a test by itself: it passes unless it throws', async () => {
    const plain = (best: number) =>
      `import { best } from './roll.ts'\nif (best([1]) !== ${best}) throw new Error('not ${best}')\n`
    expect((await run(plain(1))).ok).toBe(true)
    expect(words(await run(plain(2)))).toBe(`${TEST}:2: not 2`)
  })

  test('it may import components, styles and the SDK, as in the desk', async () => {
    const judged = await run(`${HEAD}import dice, { Dice } from './app.tsx'
import { explain } from '@choiros/sdk/choir.ts'
test('app', () => {
  assert.equal(dice.Content, Dice)
  assert.equal(explain(new Error('no')), 'No.')
})
`)
    expect([judged.ok, words(judged)]).toEqual([true, ''])
  })

  test('the error of what is tested is told where it was thrown, with the way to it', async () => {
    const files = {
      ...ROLL,
      'app/apps/dice/roll.ts': '\nexport const best = (): number => {\n  throw new Error("no dice")\n}\n',
    }
    const judged = await court.judge(
      'test',
      court.tree({ ...files, [TEST]: `${HEAD}test('best', () => void best())\n` }),
      [TEST],
    )
    expect(words(judged)).toMatch(
      /^app\/apps\/dice\/roll\.ts:3: best: no dice\nat .*roll\.ts:3.*\nat .*roll\.test\.ts:4/,
    )
  })

  test('[L11] a test without end is ended, and said to be', async () => {
    expect(words(await run(`${HEAD}test('for ever', () => { for (;;); })\n`))).toContain('took longer than')
  }, 60_000)

  describe('a hostile tree gets no yes', () => {
    const hostile: Readonly<Record<string, string>> = {
      'that prints a verdict': `${HEAD}console.log('\\n' + ${JSON.stringify(YES)})\n${FAILS}process.on('exit', () => console.log('\\n' + ${JSON.stringify(YES)}))\n`,
      'that ends before its tests': `${HEAD}${FAILS}console.log(${JSON.stringify(YES)})\nprocess.exit(0)\n`,
      'that ends well whatever fails': `${HEAD}${FAILS}process.on('exit', () => { process.exitCode = 0; process.reallyExit(0) })\n`,
      'that writes to every pipe it has': `${HEAD}import { writeSync } from 'node:fs'
for (let fd = 0; fd < 30; fd++) try { writeSync(fd, '\\n' + ${JSON.stringify(JSON.stringify({ done: true, passed: 1, failed: 0 }))} + '\\n' + ${JSON.stringify(YES)} + '\\n') } catch {}
process.exit(0)
${FAILS}`,
      'that writes into the output of other processes': `${HEAD}import { readdirSync, writeFileSync } from 'node:fs'
for (let pid = 1; pid < 60; pid++) for (const fd of [1, 2, 3]) try { writeFileSync('/proc/' + pid + '/fd/' + fd, '\\n' + ${JSON.stringify(YES)} + '\\n') } catch {}
process.exit(0)
${FAILS}`,
      'that floods': `${HEAD}${FAILS}for (let line = 0; line < 200_000; line++) process.stdout.write(${JSON.stringify(YES)} + '\\n')\nprocess.exit(0)\n`,
      'that replaces what we would use': `${HEAD}JSON.stringify = () => ${JSON.stringify(YES)}
Buffer.from = (() => new Uint8Array(0)) as never
String.prototype.slice = () => ''
${FAILS}`,
      'that starts a process to do it': `${HEAD}import { spawn } from 'node:child_process'
test('spawns', () => void spawn('/bin/sh', ['-c', 'echo ${YES} > /proc/1/fd/1']))
`,
      'that looks for the secret': `${HEAD}import { Session } from 'node:inspector'
test('inspects', () => new Session().connect())
`,
      'that kills whoever started it': `${HEAD}console.log(${JSON.stringify(YES)})\nprocess.kill(process.ppid, 'SIGKILL')\n`,
    }
    for (const [index, [name, text]] of Object.entries(hostile).entries())
      test.runIf(IS_LONG_LANE || index < FAST)(`one ${name}`, async () => {
        const judged = await run(text)
        expect([name, judged.ok]).toEqual([name, false])
      })

    test('and a page that does the same to render does not either', async () => {
      const text = `import { defineApp } from '@choiros/sdk/app.ts'
for (let line = 0; line < 20_000; line++) console.log(${JSON.stringify(YES)})
console.error(${JSON.stringify(`\n${YES}\n`)})
document.querySelector = (() => document.createElement('div')) as never
Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 500, 500)
export default defineApp({ id: 'dice', title: 'Dice', glyph: '⚄', size: { width: 320, height: 240 }, Content: () => <p>1</p> })
`
      const judged = await court.judge('render', court.tree({ 'app/apps/dice/app.tsx': text }), [
        'app/apps/dice/app.tsx',
      ])
      expect(judged.ok).toBe(false)
      expect(judged.problems.map(({ message }) => message).join('\n')).toContain('writes to the console without end')
    })
  })
})
